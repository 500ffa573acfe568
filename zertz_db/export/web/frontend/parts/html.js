// Elements of pages. All texts are set as text, never as HTML: names and events come from records.
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

export const count = (number) => number.toLocaleString("en");
export const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;
export const percent = (share) => (share === null ? "" : `${(100 * share).toFixed(1)}%`);
export const day = (days) => (days === null ? "" : new Date(days * 86_400_000).toISOString().slice(0, 10));

// A table. columns: { title, cell(row), number, class } each. row(row): attributes of a row.
export function table(columns, rows, { caption, row = () => ({}) } = {}) {
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    element("table", {},
      element("thead", {}, element("tr", {}, columns.map(({ title, number, class: kind }) =>
        element("th", { scope: "col", class: [number && "number", kind].filter(Boolean).join(" ") }, title)))),
      element("tbody", {}, rows.map((one) => element("tr", row(one), columns.map(({ cell, number, class: kind }) =>
        element("td", { class: [number && "number", kind].filter(Boolean).join(" ") }, cell(one))))))));
}

// A bar of wins, ties and losses, with the share as a number.
export function resultBar({ wins, ties, losses, share, low, high }) {
  const known = wins + ties + losses;
  const words = known ? `${plural(wins, "win")}, ${plural(ties, "tie")}, ${plural(losses, "loss", "losses")}` : "no result known";
  const part = (kind, number) => element("i", { class: kind, style: `flex-grow:${number}` });
  const interval = share === null ? "" : `; 95 % interval ${percent(low)} to ${percent(high)}`;
  return element("span", { class: "result-bar", title: words + interval, role: "img", "aria-label": words + interval },
    element("span", { class: "bar" }, known ? [part("won", wins), part("tied", ties), part("lost", losses)] : []),
    element("span", { class: "share" }, share === null ? "–" : percent(share)));
}

// A labelled field of a form.
export function field(label, control) { return element("label", { class: "field" }, element("span", {}, label), control); }

export function select(name, options, chosen) {
  return element("select", { name }, options.map(([value, text]) => element("option", { value, selected: value === (chosen ?? "") }, text)));
}
