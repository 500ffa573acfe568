// Questions about the archive, by name. Each takes what it is about, the archive, and a function that returns the replayed groups.
import { parsePosition } from "../rules/notation.js";
import { Position } from "../rules/position.js";
import { parseRules } from "../rules/rule_sets.js";
import { findPlayers, makeFilter } from "./filters.js";
import { findOpenings, findRows, playLine } from "./openings.js";
import { parsePattern } from "./pattern.js";
import { dividePlayer, listPlayers } from "./players.js";
import { startOf } from "./replay.js";
import { findPattern, findPosition } from "./search.js";
import { summarise } from "./statistics.js";

const FACTS = ["event", "site", "round", "time", "result", "ending", "winning_sets", "won_by", "verdict", "start", "rules"];
const SORTS = {
  date: (archive) => (game) => archive.rank[game],
  plies: (archive) => (game) => archive.columns.plies[game],
  player1: (archive) => (game) => (archive.name(1, game) ?? "\uffff").toLowerCase(),
  player2: (archive) => (game) => (archive.name(2, game) ?? "\uffff").toLowerCase(),
};

// A game as a row of a list.
export function describeGame(archive, game) {
  return {
    id: archive.columns.id[game], date: archive.fact("date", game)[0], player1: archive.name(1, game), player2: archive.name(2, game),
    board: archive.board(game).name, plies: archive.columns.plies[game], ...Object.fromEntries(FACTS.map((name) => [name, archive.fact(name, game)])),
  };
}

// The start that a question is about: a position string, or an empty board.
export function readStart({ position, board, rules }, boards) {
  return position ? parsePosition(position, boards) : Position.start(boards.standard(board || "37"), parseRules(rules || "standard"));
}

function list(archive, games, { sort = "date", descending = false, offset = 0, limit = 50 }) {
  if (sort === "date" && !descending) return games.slice(offset, offset + limit).map((game) => describeGame(archive, game));
  const key = SORTS[sort](archive);
  const keyed = games.map((game) => [key(game), game]).sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  if (descending) keyed.reverse();
  return keyed.slice(offset, offset + limit).map(([, game]) => describeGame(archive, game));
}

const QUESTIONS = {
  archive: (_, archive) => ({
    title: archive.title, games: archive.games, described: archive.described, players: archive.players.length, names: archive.players.map(([name]) => name),
    boards: [...new Set(archive.columns.board)].map((number) => archive.boards.all[number].name).filter((name, at, all) => all.indexOf(name) === at),
    rules: [...new Set(archive.columns.rules.values.map((rules) => rules.split("+")[0]))],
    endings: archive.columns.ending.values.filter(Boolean), results: archive.columns.result.values.filter(Boolean),
    years: [Math.min, Math.max].map((pick) => archive.year.reduce((best, year) => (year === null ? best : best === null ? year : pick(best, year)), null)),
    verdicts: archive.columns.verdict.values.map((verdict, number) => [verdict, archive.columns.verdict.at.filter((at) => at === number).length]),
  }),
  games: ({ filter, ...about }, archive) => {
    const passes = makeFilter(archive, filter);
    const games = Array.from(archive.newest).filter(passes);
    return { total: games.length, games: list(archive, games, about) };
  },
  game: ({ id }, archive) => {
    const game = archive.number.get(id);
    if (game === undefined) throw new Error(`there is no game ${id} here`);
    const start = startOf(archive, game);
    return { ...describeGame(archive, game), movetext: archive.movetext(game), boardId: start.board.id };
  },
  openings: async ({ filter, moves = "", boardOnly, ...about }, archive, replayed) => {
    const line = playLine(readStart(about, archive.boards), moves);
    const found = findOpenings(archive, await replayed(), line, { boardOnly, passes: makeFilter(archive, filter) });
    return { moves: line.moves, ...found };
  },
  reached: async ({ filter, moves = "", boardOnly, limit = 10, ...about }, archive, replayed) => {
    const position = playLine(readStart(about, archive.boards), moves).positions.at(-1);
    const rows = findRows(archive, await replayed(), position, { boardOnly, passes: makeFilter(archive, filter) });
    rows.sort((one, other) => archive.rank[one.game] - archive.rank[other.game]);
    return { total: rows.length, games: rows.slice(0, limit).map(({ group, row, game }) => ({ ...describeGame(archive, game), ply: group.ply(row) })) };
  },
  position: async ({ text, filter, ...about }, archive, replayed) => {
    const found = findPosition(archive, await replayed(), parsePosition(text, archive.boards), { ...about, passes: makeFilter(archive, filter) });
    return withGames(archive, found);
  },
  pattern: async ({ text, filter, ...about }, archive, replayed) => {
    const pattern = parsePattern(text, archive.boards.names);
    return withGames(archive, findPattern(archive, await replayed(), pattern, { ...about, passes: makeFilter(archive, filter) }));
  },
  statistics: ({ table, by = "", filter }, archive) => summarise(archive, table, by, makeFilter(archive, filter)),
  players: ({ filter }, archive) => listPlayers(archive, makeFilter(archive, filter)),
  player: ({ name, by, filter }, archive) => {
    const [player] = findPlayers(archive, name);
    if (player === undefined) throw new Error(`no player is called ${name}`);
    return dividePlayer(archive, player, by, makeFilter(archive, filter));
  },
};

function withGames(archive, found) {
  return { ...found, hits: found.hits.map((hit) => ({ ...describeGame(archive, hit.game), ...hit })) };
}

export async function ask(name, about, archive, replayed) {
  if (!QUESTIONS[name]) throw new Error(`there is no question ${name}`);
  return QUESTIONS[name](about ?? {}, archive, replayed);
}
