// Going through the moves: buttons, keys, the slider, the story, touch, and the address. Follows shown.js.

const PACE = 1200; // milliseconds a move, when it plays by itself
const SWIPE = 50; // how far a finger moves for a move, in pixels

const slider = $("move");
let timer = null;

function show(number) {
  here = Math.min(Math.max(number, 0), last);
  const moment = moments[here];
  slider.value = here;
  const place = say("move_of", { number: here, count: last });
  slider.setAttribute("aria-valuetext", place);
  $("place").textContent = place;
  $("heading").textContent = headingOf(here);
  const text = told(here);
  if ($("now").textContent !== text) $("now").textContent = text;
  $("acting").textContent = moment.acting.length ? say("to_act", { names: listed(moment.acting.map(nameOf)) }) : [texts.over, data.sheet?.victory ?? ""].join(" ");
  for (const id of ["first", "previous"]) $(id).setAttribute("aria-disabled", String(here === 0));
  for (const id of ["next", "last"]) $(id).setAttribute("aria-disabled", String(here === last));
  showBoard(moment, moments[here - 1] ?? moment);
  showPlayers(moment);
  showTable(moment);
  showHands(moment);
  showRoutes(moment);
  showStory();
  $("sheet").hidden = !(data.sheet && here === last);
  document.body.dataset.move = here;
  remember();
}

function redraw() {
  show(here);
}

let waiting = null;

/** Keep the move in the address, so that it can be linked; not at every step, which browsers do not allow. */
function remember() {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    try {
      history.replaceState(null, "", `#move-${here}`);
    } catch {
      // a page inside another one may have no address of its own
    }
  }, 300);
}

function stop() {
  clearInterval(timer);
  timer = null;
  $("play").textContent = texts.play;
}

function go(number) {
  stop();
  show(number);
}

function playOrPause() {
  if (timer !== null) return stop();
  if (here === last) show(0);
  $("play").textContent = texts.pause;
  timer = setInterval(() => {
    show(here + 1);
    if (here === last) stop();
  }, PACE);
}

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

// Left and right anywhere, but where they scroll; up and down in the story. The slider has its own keys besides.
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const inStory = story.contains(event.target);
  const along = inStory ? { ArrowUp: -1, ArrowDown: 1 } : {};
  if (event.key in along) goInStory(along[event.key]);
  else if (event.key in STEPS && !event.target.closest?.(".large, .wide")) go(here + STEPS[event.key]);
  else return;
  event.preventDefault();
  if (inStory) entryOf(here)?.focus({ preventScroll: true });
});

/** The next or previous entry of the story. */
function goInStory(step) {
  const numbers = [...entries.keys()];
  const at = numbers.indexOf(Number(entryOf(here).dataset.move)) + step;
  if (at >= 0 && at < numbers.length) go(numbers[at]);
}

$("first").addEventListener("click", () => go(0));
$("previous").addEventListener("click", () => go(here - 1));
$("play").addEventListener("click", playOrPause);
$("next").addEventListener("click", () => go(here + 1));
$("last").addEventListener("click", () => go(last));
slider.addEventListener("input", () => go(Number(slider.value)));
story.addEventListener("click", (event) => {
  const button = event.target.closest("[data-move]");
  if (button) go(Number(button.dataset.move));
});

$("enlarge").addEventListener("click", () => {
  const large = board.classList.toggle("large");
  $("enlarge").setAttribute("aria-pressed", String(large));
  if (large) board.tabIndex = 0; // what scrolls must be reachable by keyboard
  else board.removeAttribute("tabindex");
});

// A finger across the board: to the left for the next move. An enlarged board is scrolled instead.
let start = null;
board.addEventListener("pointerdown", (event) => {
  start = event.pointerType === "mouse" || board.classList.contains("large") ? null : event.clientX;
});
board.addEventListener("pointerup", (event) => {
  if (start !== null && Math.abs(event.clientX - start) > SWIPE) go(here + (event.clientX < start ? 1 : -1));
  start = null;
});
board.addEventListener("pointercancel", () => {
  start = null;
});

function addressed() {
  const found = /^#move-(\d+)$/.exec(location.hash);
  return found ? Number(found[1]) : 0;
}

window.addEventListener("hashchange", () => {
  if (addressed() !== here) go(addressed());
});

slider.max = last;
document.body.classList.add("ready");
show(addressed());
