// Lists of games.
import { link } from "./address.js";
import { element, table } from "./html.js";

const RESULTS = { "1/2-1/2": "½–½", "1-0": "1–0", "0-1": "0–1", "0-0": "0–0" };

export function players(game) {
  const side = (name, won) => element("span", { class: won ? "name winner" : "name" }, name ?? "unknown");
  return element("span", { class: "pair" }, side(game.player1, game.result === "1-0"), element("span", { class: "quiet" }, " – "), side(game.player2, game.result === "0-1"));
}

export const endingOf = ({ ending, winning_sets: sets }) => (ending === "set" ? sets : ending) ?? "";
export const resultOf = ({ result }) => RESULTS[result] ?? "*";

// more: further columns. ply(game): the ply that the link leads to, or undefined.
export function gameTable(games, { caption = "Games", ply = (game) => game.ply, more = [] } = {}) {
  const address = (game) => link("game", { ply: ply(game) }, game.id);
  return table([
    { title: "Date", cell: (game) => element("span", { class: "date" }, game.date ?? "") },
    { title: "Players", cell: (game) => element("a", { href: address(game) }, players(game)) },
    { title: "Result", cell: resultOf },
    { title: "Ending", cell: endingOf, class: "wide" },
    { title: "Board", cell: (game) => game.board, class: "wide" },
    { title: "Plies", cell: (game) => game.plies, number: true, class: "wide" },
    ...more,
  ], games, { caption });
}
