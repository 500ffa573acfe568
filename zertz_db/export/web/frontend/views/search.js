// Search: positions in any orientation, and patterns. Both can be painted or written.
import { go, link } from "../parts/address.js";
import { ask } from "../parts/archive.js";
import { BoardView, boardData } from "../parts/board_view.js";
import { shortTable } from "../parts/continuations.js";
import { filterForm, readFilter } from "../parts/filter_form.js";
import { gameTable } from "../parts/game_table.js";
import { count, element, field, plural, resultBar, select, table } from "../parts/html.js";
import { readStart } from "../parts/start.js";
import { layoutOf, writePosition } from "../rules/notation.js";

export const title = "Search";
const MODES = [["symmetry", "in any orientation"], ["exact", "just as it lies"], ["shape", "as a shape anywhere, on any board"]];
const MOST = 8; // continuations that are shown at first
const KINDS = [["pattern", "Pattern"], ["position", "Position"]];
const BRUSHES = { pattern: ["W", "G", "B", "o", ".", "*", "#", "?"], position: ["W", "G", "B", "o", "."] };
const KEYS = { pattern: "Keys: arrows move, W G B marbles, E vacant, X removed, M any marble, R any ring, Delete anything.", position: "Keys: arrows move, W G B marbles, E vacant, X removed, Delete vacant." };
const LEGEND = "A cell is (column, row) of the drawing: (0,0) is its first sign, (1,0) the cell to the right, (0,1) the cell below to the right. Turned and mirrored games are written as drawn.";
const EXAMPLES = [["W * o", "a white marble that can be jumped"], ["W W / W", "three white marbles together"], ["d4:B rings<20", "black on d4 on a small board"], ["o o o / . o", "an edge"], ["mover.white>=3 rings<=15", "limits only"]];

export async function show(place, { query }, site) {
  const kind = query.kind === "position" ? "position" : "pattern";
  const boardName = query.board || site.boards.find((name) => name !== "custom") || "37";
  const tabs = element("div", { class: "tabs", role: "group", "aria-label": "Kind of search" }, KINDS.map(([value, text]) =>
    element("a", { href: link("search", { kind: value, board: query.board }), "aria-current": value === kind ? "true" : null }, text)));
  const results = element("div", { class: "tables", "aria-live": "polite" });
  const { host, form, leave } = kind === "position" ? positionForm(query, boardName, site) : patternForm(query, boardName, site);
  const change = (filter) => go("search", { ...Object.fromEntries(Object.entries(query).filter(([name]) => !(name in readFilter(query, ["board"])))), ...filter });
  place.append(element("h1", {}, title), element("div", { class: "toolbar" }, tabs, filterForm(site, query, change, { fixed: ["board"] })),
    element("div", { class: "split" }, element("div", {}, form, host), results));
  if (kind === "position" ? query.position : query.text) search(kind, query, results);
  else results.replaceChildren(...help(kind));
  return leave;
}

async function search(kind, query, results) {
  results.replaceChildren(element("p", { class: "quiet" }, "Searching …"));
  const filter = readFilter(query, ["board"]);
  const options = { filter, limit: 50, most: MOST, mode: query.mode || "symmetry", side: Boolean(query.side), pool: Boolean(query.hands), captures: Boolean(query.hands) };
  try {
    const found = kind === "position" ? await ask("position", { text: query.position, ...options }) : await ask("pattern", { text: query.text, ...options });
    const all = async () => (await ask(kind, { text: kind === "position" ? query.position : query.text, ...options, limit: 0, most: undefined })).continuations;
    results.replaceChildren(...describe(found, all));
  } catch (error) {
    results.replaceChildren(element("p", { class: "error", role: "alert" }, error.message));
  }
}

function help(kind) {
  if (kind === "position") return [element("p", {}, "Paint a position, or write its position string, and search for games that reached it.")];
  return [
    element("p", {}, "Paint rings, or write a pattern. Painted patterns match just there, and turned and mirrored on their board."),
    element("p", {}, "A drawing matches anywhere on any board. Its rows are divided by /, each half a ring further to the right. Examples:"),
    element("ul", { class: "examples" }, EXAMPLES.map(([text, words]) => element("li", {}, element("a", { href: link("search", { text }) }, element("code", {}, text)), ` ${words}`))),
    element("p", { class: "quiet" }, "Signs: W G B marbles, o vacant, . no ring, * any marble, # any ring, ? anything, [Wo] one of several, !W all but. Limits: rings, marbles, pool, mover, opponent, player1, player2, side, as in pool.white=0."),
  ];
}

// all: a function that returns all continuations.
function describe(found, all) {
  if (!found.games) return [element("p", {}, "No games match.")];
  const continuations = (rows) => table([
    { title: "Next move", cell: ({ key }) => (key === null ? element("i", {}, "the game ended") : element("code", {}, key)) },
    { title: "Games", number: true, cell: ({ matches }) => count(matches) },
    { title: "Score of the mover", cell: resultBar },
  ], rows, { caption: "Continuations" });
  const years = (rows) => table([
    { title: "Year", cell: ({ key }) => key ?? "unknown" }, { title: "Games", number: true, cell: ({ matches }) => count(matches) },
    { title: "Score of the mover", cell: resultBar }], rows, { caption: "Years" });
  return [
    element("p", {}, element("b", {}, plural(found.games, "game")), ` with ${plural(found.plies, "such position")}.`),
    found.continuations.some(({ key }) => key?.includes("(")) ? element("p", { class: "quiet" }, LEGEND) : "",
    gameTable(found.hits, { caption: "Games", more: [{ title: "Next", class: "wide", cell: ({ next }) => (next ? element("code", {}, next) : "") }] }),
    element("h2", {}, "Continuations"), shortTable(found.continuations, MOST, continuations, { total: found.moves, all }),
    element("details", {}, element("summary", {}, "Years"), years(found.years)),
  ];
}

function painter(board, kind, held, paint) {
  const view = new BoardView({ held: (report) => paint(report.held) });
  const frame = { held, marks: "", counts: {}, side: 0, summary: "", turn: "", words: "Rings to paint." };
  view.show({ ...boardData(board, kind), frames: [frame], held, brushes: BRUSHES[kind], keys: KEYS[kind] });
  return view;
}

function boardChoice(site, boardName, change) {
  const control = select("board", site.all.names.map((name) => [name, `${name} rings`]), boardName);
  control.addEventListener("change", () => change(control.value));
  return field("Board", control);
}

function positionForm(query, boardName, site) {
  const start = readStart({ position: query.position, board: boardName }, site);
  const input = element("textarea", { name: "position", rows: 3, spellcheck: "false" });
  input.value = query.position ?? writePosition(start);
  const paint = (held) => { input.value = writePosition(Object.assign(Object.create(start), { held: Uint8Array.from(held, (sign) => "oWGB.".indexOf(sign)) })); };
  const view = painter(start.board, "position", layoutOf(start), paint);
  const mode = select("mode", MODES, query.mode || "symmetry");
  const box = (name, text) => element("label", { class: "check" }, element("input", { type: "checkbox", name, checked: Boolean(query[name]) }), text);
  const form = element("form", { class: "fields" },
    query.position ? null : boardChoice(site, boardName, (board) => go("search", { kind: "position", board })),
    field("Find it", mode), box("side", "same side to move"), box("hands", "same pool and captures"),
    element("label", { class: "field whole" }, element("span", {}, "Position"), input), element("button", { type: "submit" }, "Search"));
  submit(form, (data) => go("search", { ...readFilter(query, ["board"]), kind: "position", ...data, board: undefined }));
  return { form, host: view.host, leave: () => view.leave?.() };
}

function patternForm(query, boardName, site) {
  const board = site.all.standard(boardName);
  const named = /^[\sa-q\d:WGBo.*#?!]*?(?=\sturned|\sboard|$)/.exec(query.text ?? "")?.[0] ?? "";
  const held = board.rings.map((ring) => new RegExp(`(?:^|\\s)${ring}:([WGBo.*#])(?:\\s|$)`).exec(named)?.[1] ?? "?").join("");
  const input = element("input", { name: "text", value: query.text ?? "", spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
  const paint = (signs) => {
    const cells = board.rings.flatMap((ring, number) => (signs[number] === "?" ? [] : [`${ring}:${signs[number]}`]));
    input.value = cells.length ? `${cells.join(" ")} turned board:${boardName}` : "";
  };
  const view = painter(board, "pattern", held, paint);
  const form = element("form", { class: "fields" }, boardChoice(site, boardName, (value) => go("search", { board: value })),
    element("label", { class: "field whole" }, element("span", {}, "Pattern"), input), element("button", { type: "submit" }, "Search"));
  submit(form, (data) => go("search", { ...readFilter(query, ["board"]), ...data, board: boardName }));
  return { form, host: view.host, leave: () => view.leave?.() };
}

function submit(form, act) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    act(Object.fromEntries(new FormData(form)));
  });
}
