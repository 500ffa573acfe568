// One game, to step through.
import { link, note } from "../parts/address.js";
import { ask } from "../parts/archive.js";
import { BoardView, lineData } from "../parts/board_view.js";
import { endingOf, resultOf } from "../parts/game_table.js";
import { element, plural } from "../parts/html.js";
import { parseMove, parsePosition, splitMoves, writePosition } from "../rules/notation.js";
import { Position } from "../rules/position.js";
import { parseRules } from "../rules/rule_sets.js";

export const title = "Game";
export const menu = "games";
const ENDINGS = {
  resign: "Player {loser} resigns.", time: "Player {loser} is out of time.", agreed: "Both players agree on a tie.", repetition: "The position repeats: a tie.",
  abandoned: "The game was abandoned.", "board-filled": "Player {winner} has filled the board.", "both-lose": "Both players lose.", "no-move": "Neither player can move.",
};

export async function show(place, { rest: [id = ""], query }, site) {
  const game = await ask("game", { id });
  document.title = `${game.player1 ?? "unknown"} – ${game.player2 ?? "unknown"} · ${site.title}`;
  const moves = splitMoves(game.movetext);
  const positions = replay(game, moves, site);
  const names = [game.player1 ?? "Player 1", game.player2 ?? "Player 2"];
  let ply = Math.min(Number(query.ply ?? 0) || 0, moves.length);
  const links = element("p", { class: "links" });
  const follow = () => links.replaceChildren(...linksAt(positions[ply], moves, ply, game));
  const view = new BoardView({ ply: (report) => { ply = report.ply; note("game", { ply: ply || undefined }, id); follow(); } });
  const end = describeEnd(game);
  const data = lineData(positions, moves, names, id);
  if (end) data.frames.at(-1).turn = end;
  data.frames.at(-1).side = 0;
  place.append(
    element("h1", { class: "game-title" }, player(game.player1), element("span", { class: "quiet" }, ` ${resultOf(game)} `), player(game.player2)),
    element("p", { class: "facts quiet" }, facts(game).join(" · ")),
    view.host, links, copyBox(game, moves));
  view.show({ ...data, ply, moves: moves.map((text, number) => ({ mover: positions[number].side + 1, text, notes: [], badges: [] })), end, plays: true, follow: true });
  follow();
  return () => view.leave?.();
}

function player(name) { return name ? element("a", { href: link("player", {}, name) }, name) : "unknown"; }

function replay(game, moves, site) {
  const start = game.start ? parsePosition(game.start, site.all) : Position.start(site.all.standard(game.board), parseRules(game.rules));
  const positions = [start];
  for (const move of moves) positions.push(positions.at(-1).play(parseMove(start.board, move)));
  return positions;
}

function facts(game) {
  const words = game.board === "custom" ? "custom board" : `board ${game.board}`;
  return [game.date, game.event, game.round && `round ${game.round}`, game.site, words, game.rules !== "standard" && game.rules, plural(game.plies, "ply", "plies"),
    game.ending === "set" ? `won with ${endingOf(game)}` : game.ending, game.verdict !== "verified" && game.verdict].filter(Boolean);
}

function describeEnd({ ending, result, winning_sets: sets }) {
  const winner = { "1-0": 1, "0-1": 2 }[result];
  if (ending === "set") return winner ? `Player ${winner} has ${sets.replaceAll("+", " and ")}.` : null;
  const said = ENDINGS[ending];
  if (!said || (said.includes("{") && !winner)) return null;
  return said.replace("{winner}", winner).replace("{loser}", 3 - winner);
}

function linksAt(position, moves, ply, game) {
  const text = writePosition(position);
  const line = game.start ? { position: text } : { board: game.board, rules: game.rules === "standard" ? "" : game.rules, moves: moves.slice(0, ply).join(" ") };
  return [
    element("a", { href: link("openings", position.isOver ? { position: text } : line) }, "Other games with this position"),
    element("a", { href: link("search", { kind: "position", position: text }) }, "Search for it in any orientation"),
  ].filter((_, number) => number || !position.isOver);
}

// The moves as text, to select and copy.
function copyBox(game, moves) {
  const turns = moves.map((move, number) => (number % 2 ? move : `${number / 2 + 1}. ${move}`)).join(" ");
  const tags = [["Player1", game.player1], ["Player2", game.player2], ["Date", game.date], ["Board", game.board], ["RuleSet", game.rules]];
  const head = tags.filter(([, value]) => value).map(([tag, value]) => `[${tag} "${value.replace(/["\\]/g, "\\$&")}"]`).join("\n");
  return element("details", {}, element("summary", {}, "Notation"), element("pre", { tabindex: "0" }, `${head}\n\n${turns} ${game.result ?? "*"}`),
    element("p", { class: "quiet" }, `Game ${game.id}`));
}
