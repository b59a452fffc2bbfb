// Checks of a page for everybody, as accessibility checkers have them: returns the problems found, as JSON.
() => {
  const problems = [];
  const called = (element) => element.id || element.tagName.toLowerCase();
  const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;

  // Names of what can be used, and of what is looked at.
  const nameOf = (element) => {
    const byId = (element.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "");
    const hidden = (node) => [...node.childNodes].map((each) =>
      each.nodeType === 3 ? each.data : each.nodeType === 1 && each.getAttribute("aria-hidden") !== "true" ? hidden(each) : "").join("");
    return element.getAttribute("aria-label") || byId.join("") || [...(element.labels ?? [])].map((label) => label.textContent).join("")
      || element.getAttribute("alt") || (element.tagName === "INPUT" ? "" : hidden(element)).trim();
  };
  for (const element of document.querySelectorAll("button, input, select, a[href], summary, img, [role=img], [role=group], section")) {
    if (shown(element) && !nameOf(element)) problems.push(`${called(element)}: no name`);
  }
  for (const button of document.querySelectorAll("button, input")) {
    const box = button.getBoundingClientRect();
    if (shown(button) && (box.height < 24 || box.width < 24)) problems.push(`${called(button)} ${button.textContent}: smaller than 24 pixels`);
  }
  if (!document.documentElement.lang) problems.push("html: no lang");
  if (!document.title) problems.push("html: no title");

  // Ids, references, tab order.
  const ids = [...document.querySelectorAll("[id]")].map((each) => each.id);
  for (const id of new Set(ids.filter((each, index) => ids.indexOf(each) !== index))) problems.push(`${id}: id twice`);
  for (const name of ["aria-labelledby", "aria-describedby", "for"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      for (const id of element.getAttribute(name).split(" ")) if (!ids.includes(id)) problems.push(`${called(element)}: ${name} leads nowhere`);
    }
  }
  for (const element of document.querySelectorAll("[tabindex]")) if (element.tabIndex > 0) problems.push(`${called(element)}: tabindex above 0`);
  for (const hidden of document.querySelectorAll("[aria-hidden=true]")) {
    if (hidden.matches("button, a, input") || hidden.querySelector("button, a, input")) problems.push(`${called(hidden)}: hidden and usable`);
  }

  // Headings go down one level at a time, tables have heads.
  let level = 0;
  for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    if (!shown(heading)) continue;
    const next = Number(heading.tagName[1]);
    if (next > level + 1) problems.push(`${heading.tagName.toLowerCase()} after h${level}`);
    level = next;
  }
  if (document.querySelectorAll("h1").length !== 1) problems.push("not one h1");
  if (document.querySelectorAll("main").length !== 1) problems.push("not one main");
  for (const table of document.querySelectorAll("table")) {
    if (shown(table) && !table.querySelector("th[scope]")) problems.push(`${called(table)}: no headers`);
  }

  // Contrast of text, 4.5 to 1 (3 to 1 if it is large), over the nearest background; pictures are not text.
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (color) => {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = color;
    paint.fillRect(0, 0, 1, 1);
    return [...paint.getImageData(0, 0, 1, 1).data];
  };
  const light = (color) => {
    const [r, g, b] = color.slice(0, 3).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  for (const element of document.querySelectorAll("body *:not(svg *, script, style, noscript *)")) {
    if (!shown(element) || ![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    let behind = element;
    while (behind && rgb(getComputedStyle(behind).backgroundColor)[3] < 255 && getComputedStyle(behind).backgroundImage === "none") behind = behind.parentElement;
    if (behind && getComputedStyle(behind).backgroundImage !== "none") continue;
    const style = getComputedStyle(element);
    const [one, two] = [rgb(style.color), behind ? rgb(getComputedStyle(behind).backgroundColor) : [255, 255, 255]].map(light);
    const contrast = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (contrast < (large ? 3 : 4.5)) problems.push(`${called(element)}: contrast ${contrast.toFixed(1)} of ${JSON.stringify(element.textContent.trim().slice(0, 30))}`);
  }
  return JSON.stringify([...new Set(problems)]);
}
