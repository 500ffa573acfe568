// The table of a position's continuations, which shows each move on the board while the pointer or the focus is on its row.
import { drawPreview } from "./frames.js";
import { count, element, resultBar, table } from "./html.js";

const PREVIEW = "zertz-preview"; // the event that the board listens to (board_preview.js)
const preview = (detail) => document.dispatchEvent(new CustomEvent(PREVIEW, { detail }));

// position: the one before the moves. total: number of games, of which each row has a part. play: takes a move, or is null where moves can't be played.
export function continuationTable(position, total, found, play) {
  const columns = [
    { title: "Move", cell: ({ move }) => (move === null ? element("i", {}, "the game ended") : play ? element("button", { class: "move", onclick: () => play(move) }, move) : element("code", {}, move)) },
    { title: "Games", number: true, cell: ({ games }) => [count(games), element("small", { class: "quiet wide" }, ` ${(100 * games / total).toFixed(1)}%`)] },
    { title: `Score of player ${position.side + 1}`, cell: resultBar },
    { title: "Plies", number: true, class: "wide", cell: ({ meanPlies }) => meanPlies.toFixed(1) },
  ];
  const row = ({ move }) => (move === null ? {} : {
    onpointerenter: () => preview(drawPreview(position, move)), onpointerleave: () => preview(null),
    onfocusin: () => preview(drawPreview(position, move)), onfocusout: () => preview(null),
  });
  return table(columns, found, { caption: "Continuations", row });
}

// Shows the first rows, and a button for all. total: their number; all: a function that returns all of them, which may be a promise.
export function shortTable(rows, first, make, { total = rows.length, all = () => rows } = {}) {
  if (total <= first + 3 && rows.length === total) return make(rows);
  const box = element("div", {});
  const show = (some) => box.replaceChildren(make(some), some.length < total
    ? element("button", { class: "plain", onclick: async () => show(await all()) }, `Show all ${count(total)}`) : "");
  show(rows.slice(0, first));
  return box;
}
