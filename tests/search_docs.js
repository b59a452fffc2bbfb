// The results of Sphinx's search in a built site: `node search_docs.js SITE QUERY...` prints, for each query, its pages as JSON.
const fs = require("fs");
const vm = require("vm");
const [site, ...queries] = process.argv.slice(2);
const read = (name) => fs.readFileSync(`${site}/${name}`, "utf8");
const nothing = () => null;
const document = { documentElement: { dataset: {} }, getElementById: () => ({}), addEventListener: nothing };
const window = { location: { search: "" }, addEventListener: nothing };
const context = vm.createContext({
  document, window, console, URLSearchParams, SPHINX_HIGHLIGHT_ENABLED: false, _ready: nothing, DOCUMENTATION_OPTIONS: {}, _: (text) => text,
});
const scripts = ["base-stemmer.js", "english-stemmer.js", "language_data.js", "searchtools.js"].map((name) => read(`_static/${name}`));
vm.runInContext(`${scripts.join("\n")}\nvar Stemmer = window.Stemmer;`, context);
vm.runInContext(read("searchindex.js"), context);
for (const query of queries) {
  window.location.search = `?q=${encodeURIComponent(query)}`;
  const found = vm.runInContext(`Search._performSearch(...Search._parseQuery(${JSON.stringify(query)}))`, context);
  console.log(JSON.stringify(found.reverse().map(([page]) => page)));
}
