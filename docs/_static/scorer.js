// Search results: pages that people wrote come before the reference, unless somebody searches for a name of the library:
// `legal_actions`, `Game.play` and `Counts` are names, `shares` and `ferry` are words.
var Scorer = {
  score: ([page, title, anchor, description, score, file, kind]) => {
    const query = new URLSearchParams(window.location.search).get("q") || "";
    const words = /^[a-z0-9 '-]*$/.test(query);
    return page.startsWith("reference/") && (words || kind !== "object") ? score - 70 : score;
  },
  objNameMatch: 60,
  objPartialMatch: 1,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
