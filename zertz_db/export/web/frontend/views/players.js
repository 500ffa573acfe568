// Players: a list with their results.
import { go, link } from "../parts/address.js";
import { ask } from "../parts/archive.js";
import { shortTable } from "../parts/continuations.js";
import { filterForm, readFilter } from "../parts/filter_form.js";
import { count, day, element, plural, resultBar, table } from "../parts/html.js";

export const title = "Players";
const FIRST = 100;
const FIXED = ["player", "versus", "result"];

export async function show(place, { query }, site) {
  const found = await ask("players", { filter: readFilter(query, FIXED) });
  const search = element("input", { type: "search", placeholder: "Find a name", "aria-label": "Find a name", autocomplete: "off" });
  const list = element("div", {});
  const columns = [
    { title: "Player", cell: ({ name }) => element("a", { href: link("player", {}, name) }, name) },
    { title: "Kind", class: "wide", cell: ({ kind }) => kind },
    { title: "Games", number: true, cell: ({ games }) => count(games) },
    { title: "Score", cell: resultBar },
    { title: "First", class: "wide", cell: ({ first }) => day(first) },
    { title: "Last", class: "wide", cell: ({ last }) => day(last) },
  ];
  const draw = () => {
    const wanted = search.value.trim().toLowerCase();
    const some = wanted ? found.filter(({ name }) => name.toLowerCase().includes(wanted)) : found;
    list.replaceChildren(some.length ? shortTable(some, FIRST, (rows) => table(columns, rows, { caption: "Players" })) : element("p", {}, "No player has such a name."));
  };
  search.addEventListener("input", draw);
  place.append(element("h1", {}, title), element("div", { class: "toolbar" }, search, filterForm(site, query, (filter) => go("players", filter), { fixed: FIXED })),
    element("p", { class: "quiet" }, plural(found.length, "player")), list);
  draw();
}
