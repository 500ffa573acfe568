// Openings: a position after some moves, its continuations, and the games that reached it.
import { go, link, note } from "../parts/address.js";
import { ask, state } from "../parts/archive.js";
import { BoardView, lineData, makeClickTree } from "../parts/board_view.js";
import { continuationTable, shortTable } from "../parts/continuations.js";
import { filterForm, readFilter } from "../parts/filter_form.js";
import { gameTable } from "../parts/game_table.js";
import { count, element, field, plural, resultBar, select } from "../parts/html.js";
import { findMove, playAndWrite, splitMoves, writePosition } from "../rules/notation.js";
import { readStart } from "../parts/start.js";

export const title = "Openings";
const FIXED = ["board", "rules"]; // the position decides these

export async function show(place, { query }, site) {
  const boardName = query.board || site.boards.find((name) => name !== "custom") || "37";
  const start = readStart({ ...query, board: boardName }, site);
  const line = play(start, query.moves ?? "");
  const tables = element("div", { class: "tables" });
  const crumbs = element("nav", { class: "line", "aria-label": "Moves so far" });
  let ply = Math.min(Number(query.ply ?? line.moves.length), line.moves.length);
  const base = { ...query, board: query.position ? undefined : boardName, ply: undefined };
  const addressOf = (at) => ({ ...base, moves: line.moves.join(" "), ply: at === line.moves.length ? undefined : at });
  const playNext = (move) => go("openings", { ...base, moves: [...line.moves.slice(0, ply), move].join(" ") });
  const view = new BoardView({
    move: playNext,
    ply: (report) => { ply = report.ply; note("openings", addressOf(ply)); draw(); ask_(); },
  });
  const legal = (position) => makeClickTree(position.legalMoves().map((move) => playAndWrite(position, move).text));
  const draw = () => {
    view.show({ ...lineData(line.positions, line.moves, ["Player 1", "Player 2"], "openings"), ply, choicesPly: ply, choices: legal(line.positions[ply]), follow: true, previews: true, compact: innerWidth > 700, height: 520 });
    crumbs.replaceChildren(...lineCrumbs(line, ply, (at) => link("openings", { ...base, moves: line.moves.slice(0, at).join(" ") })));
  };
  let asked = 0;
  const ask_ = async () => {
    const turn = ++asked;
    const about = { position: query.position, board: boardName, rules: query.rules, moves: line.moves.slice(0, ply).join(" "), boardOnly: Boolean(query.any), filter: readFilter(query, FIXED) };
    if (state.replayed === null) tables.replaceChildren(element("p", { class: "quiet" }, "The continuations come as soon as all games are replayed …"));
    try {
      const [found, reached] = await Promise.all([ask("openings", about), ask("reached", about)]);
      if (turn === asked) tables.replaceChildren(...describe(found, reached, line.positions[ply], playNext));
    } catch (error) {
      if (turn === asked) tables.replaceChildren(element("p", { class: "error" }, error.message));
    }
  };
  const boards = site.all.names.map((name) => [name, `${name} rings`]);
  const change = (filter) => go("openings", { ...Object.fromEntries(["position", "board", "rules", "moves", "any"].map((name) => [name, query[name]])), ...filter });
  place.append(
    element("h1", {}, title),
    element("div", { class: "toolbar" },
      query.position ? element("a", { href: link("openings", {}) }, "From an empty board") : field("Board", onChange(select("board", boards, boardName), (value) => go("openings", { ...readFilter(query, FIXED), rules: query.rules, board: value }))),
      site.rules.length > 1 || query.rules ? field("Rules", onChange(select("rules", site.rules.map((one) => [one, one]), query.rules), (value) => go("openings", { ...base, rules: value, moves: "" }))) : null,
      element("label", { class: "check" }, onChange(element("input", { type: "checkbox", checked: Boolean(query.any) }), (_, input) => go("openings", { ...base, moves: query.moves, any: input.checked ? 1 : "" })), "ignore captures, pool and side"),
      filterForm(site, query, change, { fixed: FIXED })),
    element("div", { class: "split" }, element("div", {}, crumbs, view.host), tables));
  draw();
  ask_();
  return () => view.leave?.();
}

function onChange(control, act) { control.addEventListener("change", () => act(control.value, control)); return control; }

function play(start, text) {
  const line = { positions: [start], moves: [] };
  for (const move of splitMoves(text)) {
    const before = line.positions.at(-1);
    const { after, text: written } = playAndWrite(before, findMove(before, move));
    line.positions.push(after);
    line.moves.push(written);
  }
  return line;
}

function lineCrumbs({ moves }, ply, address) {
  const step = (text, at) => element("a", { href: address(at), "aria-current": at === ply ? "step" : null }, text);
  return [step("Start", 0), ...moves.map((move, number) => step(move, number + 1))];
}

function describe(found, reached, position, playNext) {
  const known = found.wins + found.ties + found.losses;
  const places = { position: writePosition(position) };
  const score = known ? element("p", { class: "score" }, element("b", {}, plural(found.games, "game")), ` reached this position. Player ${position.side + 1}: `,
    resultBar({ ...found, share: known >= 10 ? (found.wins + found.ties / 2) / known : null, low: null, high: null })) : null;
  const more = element("p", { class: "links" }, element("a", { href: link("search", { ...places, kind: "position" }) }, "Search for this position"));
  if (!found.games) return [element("p", {}, "No game reached this position. Play on, or step back."), more];
  const came = found.byLine !== null && found.byLine < found.games ? element("p", { class: "quiet" }, `${plural(found.byLine, "game")} came by these moves; ${count(found.games - found.byLine)} by others.`) : null;
  return [score, came, shortTable(found.continuations, 14, (rows) => continuationTable(position, found.games, rows, position.isOver ? null : playNext)),
    element("h2", {}, "Latest games"), gameTable(reached.games, { caption: "Latest games" }), more].filter(Boolean);
}
