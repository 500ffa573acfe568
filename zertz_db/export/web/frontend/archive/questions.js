// Questions about the archive, by name. Each takes what it is about, and the site: what is loaded of it (see `ask`).
import { parsePosition } from "../rules/notation.js";
import { Position } from "../rules/position.js";
import { parseRules } from "../rules/rule_sets.js";
import { findPlayers, makeFilter } from "./filters.js";
import { describeContinuation, findOpenings, findRows, playLine } from "./openings.js";
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

// The answer about the start of a game that was written with the site; undefined for other questions.
function findKnown({ filter = {}, moves, position, boardOnly, board = "37", rules = "standard" }, { openings }) {
  if (moves || position || boardOnly || Object.values(filter).some(Boolean)) return undefined;
  return openings.find((one) => one.board === board && one.rules === rules);
}

function describeKnown({ games, wins, ties, losses, continuations }) {
  const rows = continuations.map(([move, number, won, tied, lost, meanPlies]) => describeContinuation(move, { games: number, byLine: 0, wins: won, ties: tied, losses: lost }, meanPlies));
  return { moves: [], games, wins, ties, losses, byLine: null, continuations: rows };
}

const QUESTIONS = {
  archive: async (_, { start }) => {
    const { facts, described, players } = await start;
    return { ...facts, described, players: players.length, names: players.map(([name]) => name) };
  },
  games: async ({ filter, ...about }, site) => {
    const archive = await site.archive;
    const games = Array.from(archive.newest).filter(makeFilter(archive, filter));
    return { total: games.length, games: list(archive, games, about) };
  },
  game: async ({ id }, site) => {
    const archive = await site.archive;
    const game = archive.number(id);
    if (game === undefined) throw new Error(`there is no game ${id} here`);
    return { ...describeGame(archive, game), movetext: archive.movetext(game), boardId: startOf(archive, game).board.id };
  },
  openings: async (about, site) => {
    const known = findKnown(about, await site.start);
    if (known) return describeKnown(known);
    const [archive, { filter, moves = "", boardOnly }] = [await site.archive, about];
    const line = playLine(readStart(about, archive.boards), moves);
    const found = findOpenings(archive, await site.groups, line, { boardOnly, passes: makeFilter(archive, filter) });
    return { moves: line.moves, ...found };
  },
  reached: async ({ limit = 10, ...about }, site) => {
    const known = findKnown(about, await site.start);
    if (known && limit <= known.latest.length) return { total: known.games, games: known.latest.slice(0, limit) };
    const [archive, { filter, moves = "", boardOnly }] = [await site.archive, about];
    const position = playLine(readStart(about, archive.boards), moves).positions.at(-1);
    const rows = findRows(archive, await site.groups, position, { boardOnly, passes: makeFilter(archive, filter) });
    rows.sort((one, other) => archive.rank[one.game] - archive.rank[other.game]);
    return { total: rows.length, games: rows.slice(0, limit).map(({ group, row, game }) => ({ ...describeGame(archive, game), ply: group.ply(row) })) };
  },
  position: async ({ text, filter, ...about }, site) => {
    const archive = await site.archive;
    const position = parsePosition(text, archive.boards);
    return withGames(archive, findPosition(archive, await site.groups, position, { ...about, passes: makeFilter(archive, filter) }));
  },
  pattern: async ({ text, filter, ...about }, site) => {
    const archive = await site.archive;
    const pattern = parsePattern(text, archive.boards.names);
    return withGames(archive, findPattern(archive, await site.groups, pattern, { ...about, passes: makeFilter(archive, filter) }));
  },
  statistics: async ({ table, by = "", filter }, site) => {
    const archive = await site.archive;
    return summarise(archive, table, by, makeFilter(archive, filter));
  },
  players: async ({ filter }, site) => {
    const archive = await site.archive;
    return listPlayers(archive, makeFilter(archive, filter));
  },
  player: async ({ name, by, filter }, site) => {
    const archive = await site.archive;
    const [player] = findPlayers(archive, name);
    if (player === undefined) throw new Error(`no player is called ${name}`);
    return dividePlayer(archive, player, by, makeFilter(archive, filter));
  },
};

function withGames(archive, found) {
  return { ...found, hits: found.hits.map((hit) => ({ ...describeGame(archive, hit.game), ...hit })) };
}

// site: promises by the names `start`, `archive` (load.js) and `groups` (replay.js).
export async function ask(name, about, site) {
  if (!QUESTIONS[name]) throw new Error(`there is no question ${name}`);
  return QUESTIONS[name](about ?? {}, site);
}
