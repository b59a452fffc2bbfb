// What a page shows of a moment of a game: the board, the players, the table, hands and tickets, the score sheet. Everything
// comes from data in the page or from its server's messages; texts stay texts. A page of a replay and a game in play share
// this: what follows in the same module has a function `redraw`.

const data = JSON.parse(document.getElementById("recording").textContent);
const texts = JSON.parse(document.getElementById("texts").textContent);
const LONGEST = 160; // what is longer is folded up, in characters
const COLORS = 6; // the colors of players that the picture of a board has
let marked = null; // the ticket whose cities are marked on the board

// -- small helpers -----------------------------------------------------------------------------------------------

const $ = (id) => document.getElementById(id);

/** A text of the page, with what stands in braces filled in. */
const say = (key, values = {}) => texts[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** An element with attributes and children; texts stay texts, whatever is in them. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

const nameOf = (seat) => data.players[seat] ?? texts.nobody;
const colorOf = (seat) => `player owner-${seat % COLORS}`;
const listed = (names) => (names.length ? names.join(", ") : texts.nobody);

// -- the board ---------------------------------------------------------------------------------------------------

const board = $("board");
const SVG = "http://www.w3.org/2000/svg";
const routes = new Map();
const titles = new Map();
const cities = new Map([...board.querySelectorAll("[data-city]")].map((city) => [city.dataset.city, city]));

/** Take note of a route's element, and of its title, to which the names of players are added. */
function know(route) {
  routes.set(route.dataset.name, route);
  if (!titles.has(route)) titles.set(route, route.querySelector("title").textContent);
}

for (const route of board.querySelectorAll("[data-name]")) know(route);

function showBoard(moment, before) {
  showMarks(moment.marks);
  for (const [id, route] of routes) {
    const seats = moment.owners[id] ?? [];
    for (let color = 0; color < COLORS; color++) route.classList.remove(`owner-${color}`);
    if (seats.length) route.classList.add(`owner-${seats[0] % COLORS}`);
    route.toggleAttribute("data-owner", seats.length > 0);
    if (seats.length) route.dataset.owner = seats.join(" ");
    route.classList.toggle("fresh", seats.length > 0 && String(before.owners[id] ?? "") !== String(seats));
    const mark = route.querySelector(".owner-mark");
    mark.textContent = seats.map((seat) => seat + 1).join("+") || " ";
    route.querySelector("title").textContent = [titles.get(route), ...(seats.length ? [seats.map(nameOf).join(", ")] : [])].join("; ");
    // The cars of several owners take turns.
    [...route.querySelectorAll(".space")].forEach((space, place) => {
      const owner = seats.length > 1 ? ` owner-${seats[place % seats.length] % COLORS}` : "";
      space.setAttribute("class", `space${owner}`);
    });
  }
  const wanted = new Set(marked === null ? [] : data.tickets[marked].cities);
  for (const [id, city] of cities) city.classList.toggle("wanted", wanted.has(id));
}

const bare = new Map(); // elements as they were before plugins changed them
const drawn = new Map(); // what they were replaced by

/** What plugins change on the board, such as buildings: elements by their ids, the others as they were. */
function showMarks(marks) {
  for (const id of new Set([...Object.keys(marks), ...drawn.keys()])) {
    if (drawn.get(id) === marks[id]) continue;
    const old = document.getElementById(id);
    if (!bare.has(id)) bare.set(id, old);
    let fresh = bare.get(id);
    if (id in marks) {
      const parsed = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${marks[id]}</svg>`, "image/svg+xml");
      fresh = document.importNode(parsed.documentElement.firstElementChild, true);
      drawn.set(id, marks[id]);
    } else drawn.delete(id);
    old.replaceWith(fresh);
    if (fresh.dataset.city) cities.set(fresh.dataset.city, fresh);
    if (fresh.dataset.name) know(fresh);
  }
}

// -- what lies on the table --------------------------------------------------------------------------------------

function card(id, count = null) {
  const text = count === null ? data.cards[id] : data.counts[id][count];
  return make("li", { class: `card card-${CSS.escape(id)}` }, text);
}

/** A title and what it is about, for a description list. */
const pair = (title, ...content) => make("div", {}, make("dt", {}, title), make("dd", {}, ...content.map((each) => each.nodeType ? each : String(each))));
const long = (title, ...content) => {
  const found = pair(title, ...content);
  found.className = "long";
  return found;
};
const cards = (title, items) => long(title, items.length ? make("ul", { class: "cards" }, ...items) : texts.nothing);
const hand = (counts) => Object.keys(data.cards).filter((id) => counts[id]).map((id) => card(id, counts[id]));

const unfolded = new Set(); // the labels of long texts that are open

/** A long text below its label, shown when it is wanted. */
function folded(label, text) {
  const details = make("details", unfolded.has(label) ? { open: "" } : {}, make("summary", {}, label), text);
  details.addEventListener("toggle", () => (details.open ? unfolded.add(label) : unfolded.delete(label)));
  return make("div", { class: "long" }, make("dt", { hidden: "" }, label), make("dd", {}, details));
}

function showPlayers(moment) {
  const players = Object.values(moment.players);
  const columns = [...new Set(players.flatMap((player) => Object.keys(player.columns)))];
  const titles = [texts.player, texts.points, texts.cars, texts.tickets, ...columns];
  $("players-head").replaceChildren(make("tr", {}, ...titles.map((title) => make("th", { scope: "col" }, title))));
  $("players-body").replaceChildren(
    ...players.map((player, seat) => {
      const name = data.viewer === seat ? say("you", { name: nameOf(seat) }) : nameOf(seat);
      const won = player.rank === 1;
      const rank = player.rank && make("span", { class: "rank" }, `${texts.rank} ${player.rank}${won ? ` – ${texts.winner}` : ""}`);
      const cells = [player.points, player.cars, player.tickets, ...columns.map((column) => player.columns[column] ?? "")];
      const acts = moment.acting.includes(seat);
      return make(
        "tr",
        { class: acts ? "acting" : won ? "won" : "" },
        make("th", { scope: "row" }, make("span", { class: `chip ${colorOf(seat)}`, "aria-hidden": "true" }, seat + 1), name, ...(rank ? [" ", rank] : [])),
        ...cells.map((cell) => make("td", {}, String(cell))),
      );
    }),
  );
}

function showTable(moment) {
  const parts = [];
  if (moment.row) parts.push(cards(texts.face_up, moment.row.map((id) => card(id))));
  if (moment.laid?.length) parts.push(cards(texts.on_table, moment.laid.map((id) => card(id))));
  if (moment.pile !== undefined) parts.push(pair(texts.draw_pile, moment.pile));
  const piles = Object.entries(moment.piles);
  if (piles.length) {
    const sizes = piles.map(([name, size]) => (piles.length > 1 ? `${name} ${size}` : String(size)));
    parts.push(pair(texts.tickets_left, sizes.join(", ")));
  }
  for (const [label, text] of Object.entries(moment.more)) parts.push(text.length > LONGEST ? folded(label, text) : long(label, text));
  if (moment.left) parts.push(pair(texts.last_round, moment.left));
  $("table").replaceChildren(...parts);
}

const stateOf = (progress) =>
  progress === true ? texts.completed
  : progress === false ? texts.impossible
  : progress === 1 ? texts.missing_one
  : say("missing", { spaces: progress });

/** A ticket: a button that marks its cities on the board. */
function ticket(id, progress) {
  const { label } = data.tickets[id];
  const on = marked === id;
  const state = progress === undefined ? [] : [make("span", { class: "state" }, stateOf(progress))];
  const button = make("button", { type: "button", "data-ticket": id, "aria-pressed": String(on), title: say(on ? "hide_cities" : "mark_cities", { ticket: label }) }, label);
  button.addEventListener("click", () => {
    marked = on ? null : id;
    redraw();
    document.querySelector(`[data-ticket="${CSS.escape(id)}"]`)?.focus();
  });
  return make("li", { class: progress === true ? "ticket done" : "ticket" }, button, " ", ...state);
}

function showHands(moment) {
  const panels = Object.entries(moment.own).map(([seat, own]) => {
    const parts = [];
    if (own.hand) parts.push(cards(texts.hand, hand(own.hand)));
    for (const [label, text] of Object.entries(own.more ?? {})) parts.push(pair(label, text));
    const lists = [
      [texts.choosing, (own.choosing ?? []).map((id) => ticket(id))],
      [texts.tickets, Object.entries(own.tickets ?? {}).map(([id, progress]) => ticket(id, progress))],
    ];
    for (const [title, items] of lists) {
      if (items.length) parts.push(long(title, make("ul", { class: "tickets" }, ...items)));
    }
    const heading = make("h3", {}, make("span", { class: `chip ${colorOf(seat)}`, "aria-hidden": "true" }, Number(seat) + 1), nameOf(seat));
    return make("section", { class: "hand", "aria-label": nameOf(seat) }, heading, make("dl", {}, ...parts));
  });
  $("hands").replaceChildren(...panels);
}

function showRoutes(moment) {
  const held = data.players.map(() => []);
  for (const [id, seats] of Object.entries(moment.owners)) for (const seat of seats) held[seat].push(data.routes[id]);
  $("routes").replaceChildren(...held.map((names, seat) => pair(nameOf(seat), names.join(", ") || texts.none)));
}

// -- the score sheet ---------------------------------------------------------------------------------------------

function sheetOf(player) {
  const rows = player.rows.map(([label, text, mark, points]) =>
    make("tr", {}, make("th", { scope: "row" }, label), make("td", { class: mark }, [text, texts[mark] ?? mark].filter(Boolean).join(" · ")), make("td", {}, points === null ? "" : String(points))),
  );
  const total = make("tr", { class: "total" }, make("th", { scope: "row" }, texts.total), make("td", {}, `${texts.rank} ${player.rank}`), make("td", {}, String(player.total)));
  const caption = make("caption", {}, make("span", { class: `chip ${colorOf(player.seat)}`, "aria-hidden": "true" }, player.seat + 1), nameOf(player.seat));
  return make("table", { class: "sheet" }, caption, make("tbody", {}, ...rows, total));
}

function showSheet({ players, ties, victory }) {
  $("sheets").replaceChildren(...players.map(sheetOf), ...ties.map((tie) => make("p", {}, tie)), make("p", { class: "victory" }, victory));
}
