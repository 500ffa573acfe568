// One player: results by opponents, sides, boards and years, and the latest games.
import { link } from "../parts/address.js";
import { ask } from "../parts/archive.js";
import { shortTable } from "../parts/continuations.js";
import { gameTable } from "../parts/game_table.js";
import { count, element, plural, resultBar, table } from "../parts/html.js";

export const title = "Player";
export const menu = "players";
const TABLES = [["opponent", "Opponents"], ["side", "Sides"], ["board", "Boards"], ["year", "Years"]];

export async function show(place, { rest: [name = ""] }, site) {
  const [games, ...tables] = await Promise.all([ask("games", { filter: { player: name }, limit: 15 }), ...TABLES.map(([by]) => ask("player", { name, by }))]);
  document.title = `${name} · ${site.title}`;
  const cell = (by) => ({ key }) => (by === "opponent" && key !== "unknown" ? element("a", { href: link("games", { player: name, versus: key }) }, key) : key ?? "unknown");
  const divided = (by, heading, rows) => element("section", {}, element("h2", {}, heading), shortTable(rows, 12, (some) => table([
    { title: heading.slice(0, -1), cell: cell(by) }, { title: "Games", number: true, cell: (row) => count(row.games) }, { title: "Score", cell: resultBar }], some, { caption: heading })));
  place.append(element("h1", {}, name), element("p", { class: "links" },
    element("a", { href: link("games", { player: name }) }, plural(games.total, "game")), element("a", { href: link("openings", { player: name }) }, "Openings in these games")),
    element("div", { class: "panels" }, TABLES.map(([by, heading], number) => divided(by, heading, tables[number]))),
    element("h2", {}, "Latest games"), gameTable(games.games));
}
