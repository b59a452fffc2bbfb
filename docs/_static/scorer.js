// Search results: pages that people wrote come before the reference, unless somebody searches for a name of the library.
var Scorer = {
  score: ([page, title, anchor, description, score, file, kind]) =>
    page.startsWith("reference/") && kind !== "object" ? score - 40 : score,
  objNameMatch: 60,
  objPartialMatch: 1,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
