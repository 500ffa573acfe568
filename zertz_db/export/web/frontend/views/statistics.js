// Statistics: who wins, how games end, how long they last.
import { go } from "../parts/address.js";
import { ask } from "../parts/archive.js";
import { filterForm, readFilter } from "../parts/filter_form.js";
import { count, element, field, percent, select, table } from "../parts/html.js";

export const title = "Statistics";
const GROUPS = [["", "all together"], ["board", "by board"], ["year", "by year"], ["rules", "by rules"]];
const number = (name, text, cell = (row) => (row[name] === null ? "" : count(row[name]))) => ({ title: text, number: true, cell });
const mean = (name, text) => number(name, text, (row) => row[name]?.toFixed(1) ?? "");
const wide = (column) => ({ ...column, class: "wide" }); // not shown on a phone
const share = { title: "Share", cell: ({ share: part, low, high }) => shareBar(part, low, high) };
const TABLES = [
  ["firstMover", "Does it help to move first?", [number("games", "Games"), number("first", "First won"), number("second", "Second won"), number("ties", "Ties"), { ...share, title: "First mover's share" }]],
  ["winningSets", "Winning sets", [{ title: "Set", cell: (row) => row.set }, number("games", "Games"), number("jump", "By a jump"), number("claim", "By a claim"), wide(mean("plies", "Plies")), share]],
  ["endings", "Endings", [{ title: "Ending", cell: (row) => row.ending ?? "none" }, number("games", "Games"), number("first", "First won"), number("second", "Second won"), wide(mean("plies", "Plies")), share]],
  ["lengths", "Length in plies", [number("games", "Games"), mean("mean", "Mean"), number("shortest", "Shortest"), wide(number("q25", "Quarter")), number("q50", "Half"), wide(number("q75", "Three quarters")), number("longest", "Longest")]],
  ["histogram", "Games by length", [{ title: "Plies", cell: (row) => row.plies }, number("games", "Games"), share]],
];

export async function show(place, { query }, site) {
  const by = GROUPS.some(([name]) => name === query.by) ? query.by : "";
  const filter = readFilter(query);
  const answers = await Promise.all(TABLES.map(([name]) => ask("statistics", { table: name, by, filter })));
  const group = select("by", GROUPS.filter(([name]) => name !== "rules" || site.rules.length > 1), by);
  group.addEventListener("change", () => go("statistics", { ...filter, by: group.value }));
  const divided = by ? [{ title: by[0].toUpperCase() + by.slice(1), cell: (row) => row[by] ?? "unknown" }] : [];
  place.append(element("h1", {}, title),
    element("div", { class: "toolbar" }, field("Groups", group), filterForm(site, query, (changed) => go("statistics", { ...changed, by }))),
    element("div", { class: "panels" }, TABLES.map(([, heading, columns], number) =>
      element("section", {}, element("h2", {}, heading), table([...divided, ...columns], answers[number], { caption: heading })))),
    element("p", { class: "quiet" }, "A share has its 95 % interval (Wilson) as a lighter band. Below ten games no share is shown."));
}

function shareBar(part, low, high) {
  if (part === null || part === undefined) return "–";
  const words = `${percent(part)}, 95 % interval ${percent(low)} to ${percent(high)}`;
  return element("span", { class: "share-bar", role: "img", title: words, "aria-label": words },
    element("span", { class: "bar" }, element("i", { class: "won", style: `width:${100 * part}%` }), element("i", { class: "band", style: `left:${100 * low}%;width:${100 * (high - low)}%` })),
    element("span", { class: "share" }, percent(part)));
}
