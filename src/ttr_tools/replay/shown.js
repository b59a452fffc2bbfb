// The moments of a recorded game. panels.js comes before in the same module; moves.js, which goes through the moments, follows.

/** A patch as RFC 7386 says: null takes a key away, objects are merged, anything else replaces. */
function merged(before, patch) {
  const result = { ...before };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else if (typeof value === "object" && !Array.isArray(value)) result[key] = merged(result[key] ?? {}, value);
    else result[key] = value;
  }
  return result;
}

// -- the moves ---------------------------------------------------------------------------------------------------

const moments = [];
for (const move of data.moves) moments.push(merged(moments.at(-1) ?? {}, move.patch));
const last = moments.length - 1;
let here = 0;

/** What happened in a move, in sentences. */
function told(number) {
  const { lines, now = [], seat } = data.moves[number];
  const sentences = [...lines.filter((line) => !line[2]), ...now].map((line) => line[0]);
  return sentences.join(" ") || (seat === undefined ? "" : say("decided", { name: nameOf(seat) }));
}

/** The heading under which a move stands, such as that of its round. */
function headingOf(number) {
  for (let at = number - 1; at >= 0; at--) {
    const found = data.moves[at].lines.findLast((line) => line[2]);
    if (found) return found[0];
  }
  return "";
}

if (data.sheet) showSheet(data.sheet);

// -- the story ---------------------------------------------------------------------------------------------------

const story = $("story");
const entries = new Map();
data.moves.forEach((move, number) => {
  const sentences = move.lines.filter((line) => !line[2]);
  if (sentences.length) {
    const seat = sentences[0][1];
    const color = seat === null ? "" : colorOf(seat);
    const button = make("button", { type: "button", tabindex: "-1", "data-move": number, class: `line ${color}` }, sentences.map((line) => line[0]).join(" "));
    entries.set(number, button);
    story.append(make("li", {}, button));
  }
  for (const line of move.lines.filter((each) => each[2])) story.append(make("li", { class: "heading" }, line[0]));
});

/** The entry of a move, or of the next one that completes its sentence. */
function entryOf(number) {
  for (let at = number; at <= last; at++) if (entries.has(at)) return entries.get(at);
  return [...entries.values()].at(-1);
}

function showStory() {
  const current = entryOf(here);
  for (const button of entries.values()) {
    button.tabIndex = button === current ? 0 : -1;
    if (button === current) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }
  if (!current) return;
  // Only the list scrolls, never the page.
  const middle = current.offsetTop - (story.clientHeight - current.offsetHeight) / 2;
  story.scrollTop = Math.max(0, middle);
}
