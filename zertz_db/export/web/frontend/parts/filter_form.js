// The form that chooses games: the same fields on every page, kept in the address.
import { element, field, select } from "./html.js";

const FIELDS = ["player", "versus", "board", "rules", "result", "from", "to"];

// The filter in an address. fixed: fields that the page decides itself.
export function readFilter(query, fixed = []) {
  return Object.fromEntries(FIELDS.filter((name) => !fixed.includes(name) && query[name]).map((name) => [name, query[name]]));
}

// The form. change: takes all fields when the reader has changed one.
export function filterForm(site, query, change, { fixed = [], open = false } = {}) {
  const any = (word, values) => [["", word], ...values.map((value) => [value, value])];
  const years = { type: "number", inputmode: "numeric", min: 1900, max: 2200 };
  const controls = {
    player: () => element("input", { name: "player", list: "player-names", value: query.player ?? "", autocomplete: "off" }),
    versus: () => element("input", { name: "versus", list: "player-names", value: query.versus ?? "", autocomplete: "off" }),
    board: () => select("board", any("all boards", site.boards), query.board),
    rules: () => select("rules", any("all rules", site.rules), query.rules),
    result: () => select("result", any("all results", site.results), query.result),
    from: () => element("input", { name: "from", ...years, placeholder: site.years[0] ?? "", value: query.from ?? "" }),
    to: () => element("input", { name: "to", ...years, placeholder: site.years[1] ?? "", value: query.to ?? "" }),
  };
  const labels = { player: "Player", versus: "Against", board: "Board", rules: "Rules", result: "Result", from: "From year", to: "To year" };
  const shown = FIELDS.filter((name) => !fixed.includes(name) && !(name === "rules" && site.rules.length < 2));
  const form = element("form", { class: "fields" }, shown.map((name) => field(labels[name], controls[name]())),
    element("button", { type: "submit" }, "Choose"), element("button", { type: "button", class: "plain", onclick: () => change({}) }, "All games"));
  const read = () => Object.fromEntries([...new FormData(form)].filter(([, value]) => value));
  form.addEventListener("submit", (event) => { event.preventDefault(); change(read()); });
  form.addEventListener("change", (event) => { if (event.target.matches("select")) change(read()); });
  const given = Object.entries(readFilter(query, fixed));
  const summary = given.length ? `Only games with ${given.map(([name, value]) => `${labels[name].toLowerCase()} ${value}`).join(", ")}` : "All games";
  return element("details", { class: "filter", open: open || false }, element("summary", {}, summary), form, namesList(site));
}

// The names for completion; one list for the whole page.
function namesList(site) {
  return document.getElementById("player-names") ? null : element("datalist", { id: "player-names" }, site.names.map((name) => element("option", { value: name })));
}
