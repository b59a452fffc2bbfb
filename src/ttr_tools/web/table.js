// A game in play: what the server tells, what its player can do, and the way back after a lost connection. Follows panels.js.

const REACH = 22; // how far from a space of a route, or from a city, a click may be, in pixels
const FEW = 6; // so many answers stand in the open
const SEARCHED = 10; // from so many on there is a field to search them
const TOLD = 4; // how many sentences are read aloud after a long absence
const REFUSED = 4000; // the code of a connection that was closed for good
const PAGE = 20; // how many payments or further actions are asked for at a time

const answers = $("answers");
let socket = null;
let number = null; // of the last move that is shown here
let expected = null; // the moment that an action is meant for
let shown = null; // what was shown last
let menu = null; // what can be done now
let page = null; // what the choices show: null for all of them, or a place on the board, or the payments for something
let asked = 0; // numbers of questions to the server
const waiting = new Map(); // what is done with an answer, by the number of its question

// -- the connection ----------------------------------------------------------------------------------------------

let pause = 500; // milliseconds until the next try

/** The token in a link. What stands behind the # of an address is not sent with it, so that no log has it. */
function tokenIn(hash) {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash; // a link that was cut short or changed: the server says that it is for no seat
  }
}

function connect() {
  socket = new WebSocket(`${location.href.replace(/^http/, "ws").split(/[?#]/)[0]}/socket/page`);
  socket.addEventListener("open", () => {
    send({ type: "join", token: tokenIn(location.hash) || null, since: number, lang: document.documentElement.lang.replace("-", "_") });
  });
  socket.addEventListener("message", (event) => {
    const message = JSON.parse(event.data);
    RECEIVERS[message.type]?.(message);
  });
  socket.addEventListener("close", (event) => {
    waiting.clear();
    answers.removeAttribute("aria-busy");
    delete document.body.dataset.joined;
    if (event.code === REFUSED) return; // the reason is shown
    $("connection").textContent = texts.lost;
    setTimeout(connect, pause);
    pause = Math.min(2 * pause, 8000);
  });
}

const send = (message) => socket.send(JSON.stringify(message));

/** Ask the server for something; the answer is given to `then`, unless it is refused. */
function ask(message, then) {
  if (!("joined" in document.body.dataset)) return;
  waiting.set(++asked, then);
  send({ ...message, id: asked });
}

function answered(message) {
  const then = waiting.get(message.id);
  waiting.delete(message.id);
  then?.(message);
}

function refused({ id, reason }) {
  waiting.delete(id);
  answers.removeAttribute("aria-busy");
  if ("joined" in document.body.dataset) problem(reason);
  else $("connection").textContent = reason;
}

const RECEIVERS = {
  hello: joined,
  update: updated,
  over: ended,
  accepted: answered,
  payments: answered,
  actions: answered,
  refused,
  error: refused,
};

function joined({ seat }) {
  pause = 500;
  data.viewer = seat;
  $("who").textContent = seat === null ? texts.spectator : say("seat", { name: nameOf(seat) });
  $("connection").textContent = "";
  document.body.dataset.joined = seat ?? "spectator";
}

function problem(text) {
  $("problem").textContent = text;
}

// -- what is shown -----------------------------------------------------------------------------------------------

function updated({ number: last, expected: next, offer, words }) {
  const before = shown ?? words.shown;
  const isNew = next !== expected || (menu === null) !== (offer === null);
  for (const name of ["tickets", "cards"]) Object.assign(data[name], words.labels[name]);
  for (const [card, counts] of Object.entries(words.labels.counts)) data.counts[card] = { ...data.counts[card], ...counts };
  [number, expected, shown] = [last, next, words.shown];
  if (isNew) menu = menuOf(offer, words.menu);
  for (const move of words.moves) tell(move);
  const sentences = [...words.moves.flatMap((move) => move.lines.filter((line) => !line[2])), ...words.now];
  const what = [...sentences.slice(-TOLD).map((line) => line[0]), ...(menu ? [texts.your_turn] : [])].join(" ");
  if (what && $("now").textContent !== what) $("now").textContent = what;
  $("acting").textContent = shown.acting.length ? say("to_act", { names: listed(shown.acting.map(nameOf)) }) : texts.over;
  document.title = (menu ? "● " : "") + document.querySelector("h1").textContent;
  document.body.dataset.number = number;
  redraw(before);
  if (!isNew) return;
  page = null;
  problem("");
  showChoices();
}

function ended({ words }) {
  showSheet(words);
  $("acting").textContent = "";
  $("now").textContent = `${texts.over} ${words.victory}`;
  $("sheet").hidden = false;
}

/** What can be done: the kinds of an offer with their labels, and each of their entries with its own. */
function menuOf(offer, words) {
  if (offer === null) return null;
  const kinds = offer.kinds.map((kind, place) => {
    const { label, labels, named, prices, tickets } = words.kinds[place];
    const entries = (prices ? kind.purchases : kind.actions).map((each, index) => ({
      action: prices ? each.cheapest : each,
      label: labels[index],
      named: named[index],
      price: prices?.[index] ?? "",
      payments: each.payments ?? 1,
    }));
    return { ...kind, label, entries, tickets, rest: prices ? 0 : kind.total - entries.length };
  });
  return { question: words.question, kinds };
}

function redraw(before = shown) {
  showBoard(shown, before);
  showPlayers(shown);
  showTable(shown);
  showHands(shown);
  $("hands-title").hidden = !$("hands").childElementCount;
  showRoutes(shown);
  showOpenPlaces();
}

const story = $("story");

function tell({ lines, seat }) {
  for (const [text, whose, isHeading] of lines) {
    const about = whose ?? seat;
    const color = isHeading ? "heading" : about === null ? "line" : `line ${colorOf(about)}`;
    if (isHeading) $("heading").textContent = text;
    story.append(make("li", { class: color }, text));
  }
  story.scrollTop = story.scrollHeight;
}

$("enlarge").addEventListener("click", () => {
  const large = board.classList.toggle("large");
  $("enlarge").setAttribute("aria-pressed", String(large));
  if (large) board.tabIndex = 0; // what scrolls must be reachable by keyboard
  else board.removeAttribute("tabindex");
});

// -- choices -----------------------------------------------------------------------------------------------------

const button = (label, act, attributes = {}) => {
  const found = make("button", { type: "button", ...attributes }, label);
  found.addEventListener("click", act);
  return found;
};
const list = (items) => make("ul", { class: "answers" }, ...items.map((item) => make("li", {}, item)));

/** Play an action; the server's next update shows what came of it. */
function play(action) {
  if (answers.hasAttribute("aria-busy") || !("joined" in document.body.dataset)) return;
  problem("");
  answers.setAttribute("aria-busy", "true");
  ask({ type: "act", action, expected }, () => {});
}

/** Show other choices; the keyboard goes with them. */
function turnTo(next) {
  page = next;
  showChoices();
  $("question").focus({ preventScroll: true });
}

function showChoices() {
  const hadFocus = answers.contains(document.activeElement);
  answers.removeAttribute("aria-busy");
  $("choices").hidden = menu === null && page === null;
  if (page?.place) showPlace(page.place);
  else if (page?.entry) showPayments(page.entry);
  else if (menu) {
    $("question").textContent = menu.question;
    const hint = menu.kinds.some((kind) => kind.entries.some((entry) => entry.named.length)) ? make("p", { class: "hint" }, texts.play_hint) : null;
    answers.replaceChildren(...(hint ? [hint] : []), ...menu.kinds.map(showKind));
  } else answers.replaceChildren();
  showOpenPlaces();
  if (hadFocus) $("question").focus({ preventScroll: true });
}

/** The answers of one type: buttons, a list that opens, or tickets to tick. */
function showKind(kind) {
  if (kind.tickets) return showTickets(kind);
  const buttons = kind.entries.map((entry) => showEntry(entry, kind.entries.length > FEW ? "" : kind.label));
  if (kind.rest) buttons.push(moreButton(kind));
  if (buttons.length <= FEW) return list(buttons);
  const items = list(buttons);
  const details = make("details", { class: "kind" }, make("summary", {}, `${kind.label} (${kind.entries.length})`));
  if (buttons.length > SEARCHED) details.append(searchField(items));
  details.append(items);
  return details;
}

/** A button for an answer; with several ways to pay it leads to them. */
function showEntry(entry, label = "") {
  const price = entry.payments === 1 ? entry.price : say("ways_to_pay", { count: entry.payments });
  const text = [label, entry.label, price].filter(Boolean).join(": ");
  return button(text, () => (entry.payments > 1 ? turnTo({ entry }) : play(entry.action)));
}

function searchField(items) {
  const input = make("input", { type: "search", autocomplete: "off" });
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/);
    for (const item of items.children) item.hidden = !words.every((word) => item.textContent.toLowerCase().includes(word));
  });
  return make("label", { class: "find" }, `${texts.find} `, input);
}

/** The next actions of a kind that has more than were sent. */
function moreButton({ first, total, entries }) {
  const end = first + total;
  let next = first + entries.length;
  const more = button(texts.more, () => {
    ask({ type: "list_actions", first: next, limit: Math.min(PAGE, end - next) }, ({ actions, words }) => {
      const place = more.parentElement;
      actions.forEach((action, index) => place.before(make("li", {}, button(words[index], () => play(action)))));
      next += actions.length;
      if (next >= end) place.remove();
    });
  });
  return more;
}

/** Tickets to keep: those that are ticked; the rules say how many must be. */
function showTickets(kind) {
  const boxes = kind.tickets.map(({ id, label }) => {
    const box = make("input", { type: "checkbox", value: id });
    return [box, make("label", { class: "tick" }, box, ` ${label}`)];
  });
  const keep = button(texts.keep, () => {
    play({ type: kind.type, seat: data.viewer, tickets: boxes.filter(([box]) => box.checked).map(([box]) => box.value) });
  });
  return make("fieldset", {}, make("legend", {}, kind.label), ...boxes.map(([, label]) => label), keep);
}

/** The ways to pay for something, a page at a time. */
function showPayments(entry) {
  $("question").textContent = say("how_paid", { thing: entry.label });
  const items = list([]);
  const more = button(texts.more, next);
  function next() {
    ask({ type: "list_payments", action: entry.action, start: items.children.length, limit: PAGE }, ({ page: found, words }) => {
      found.actions.forEach((action, place) => items.append(make("li", {}, button(words[place], () => play(action)))));
      more.hidden = items.children.length >= found.total;
    });
  }
  more.hidden = true;
  next();
  answers.replaceChildren(items, make("p", { class: "hint" }, more, " ", button(texts.all_choices, () => turnTo(null))));
}

// -- the board ---------------------------------------------------------------------------------------------------

const placeOf = (element) => element?.dataset.name ?? element?.dataset.city;
const titleOf = (place) => titles.get(routes.get(place)) ?? cities.get(place).querySelector("title").textContent;

/** What can be done with a route or a city that was clicked. */
function showPlace(place) {
  const found = (menu?.kinds ?? []).flatMap((kind) => kind.entries.filter((each) => each.named.includes(place)).map((entry) => [kind, entry]));
  $("question").textContent = say(found.length ? "for_place" : "not_now", { place: titleOf(place) });
  const items = found.map(([kind, entry]) => showEntry(entry, kind.label));
  answers.replaceChildren(list(items), button(texts[menu ? "all_choices" : "back"], () => turnTo(null)));
}

/** Mark what can be clicked, and what was. */
function showOpenPlaces() {
  const open = new Set((menu?.kinds ?? []).flatMap((kind) => kind.entries.flatMap((entry) => entry.named)));
  for (const [id, element] of [...routes, ...cities]) {
    element.classList.toggle("open", open.has(id));
    element.classList.toggle("lit", page?.place === id || (page?.entry?.named ?? []).includes(id));
  }
}

/** The route or city nearest to a point of the window, if there is one near. */
function placeAt(x, y) {
  let best = null;
  let nearest = REACH;
  for (const spot of board.querySelectorAll(".box, .dot")) {
    const box = spot.getBoundingClientRect();
    const away = Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y);
    if (away < nearest) [best, nearest] = [spot, away];
  }
  return placeOf(best?.closest("[data-name], [data-city]"));
}

board.addEventListener("click", (event) => {
  const place = placeOf(event.target.closest("[data-name], [data-city]")) ?? placeAt(event.clientX, event.clientY);
  if (place === undefined || data.viewer === null) return;
  page = { place };
  showChoices();
  $("choices").scrollIntoView({ block: "nearest" });
});

// A link with another token, put into this page's address: browsers do not load the page again for it.
addEventListener("hashchange", () => location.reload());

document.body.classList.add("ready");
connect();
