// Games: a list, filtered and sorted, in parts.
import { go, link } from "../parts/address.js";
import { ask } from "../parts/archive.js";
import { filterForm, readFilter } from "../parts/filter_form.js";
import { gameTable } from "../parts/game_table.js";
import { element, field, plural, select } from "../parts/html.js";

export const title = "Games";
const PAGE = 50;
const SORTS = [["", "latest first"], ["date:up", "earliest first"], ["plies:down", "longest first"], ["plies", "shortest first"], ["player1", "player 1"], ["player2", "player 2"]];

export async function show(place, { query }, site) {
  const offset = Math.max(0, Number(query.offset ?? 0) || 0);
  const filter = readFilter(query);
  const [sort, direction] = (query.sort || "date").split(":");
  const { total, games } = await ask("games", { filter, sort, descending: Boolean(direction), offset, limit: PAGE });
  const order = select("sort", SORTS, query.sort);
  order.addEventListener("change", () => go("games", { ...filter, sort: order.value }));
  place.append(
    element("h1", {}, title),
    element("div", { class: "toolbar" }, filterForm(site, query, (changed) => go("games", { ...changed, sort: query.sort }), { open: innerWidth > 700 }), field("Order", order)),
    element("p", { class: "quiet" }, total ? `${plural(total, "game")}${total > PAGE ? `, ${offset + 1} to ${Math.min(total, offset + PAGE)}` : ""}` : "No games match."),
    games.length ? gameTable(games) : "",
    pager(query, offset, total));
}

function pager(query, offset, total) {
  const step = (text, to) => (to < 0 || to >= total ? "" : element("a", { class: "button", href: link("games", { ...query, offset: to || "" }) }, text));
  return element("nav", { class: "pager", "aria-label": "Parts of the list" }, step("← Previous", offset - PAGE), step("Next →", offset + PAGE));
}
