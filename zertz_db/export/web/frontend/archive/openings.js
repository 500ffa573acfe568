// The continuations of a position and their results, as zertz_db/queries/openings/tree.py returns them.
import { canonicalise, decoder, leastMoveCode, NO_MOVE } from "../rules/keys.js";
import { findMove, playAndWrite, splitMoves, writeMove } from "../rules/notation.js";
import { share } from "./wilson.js";
import { COUNTS } from "./replay.js";

// Plays moves from a start. Returns the positions, the moves in canonical notation, and the codes. Throws for an illegal move.
export function playLine(start, text) {
  const line = { positions: [start], moves: [], codes: [] };
  splitMoves(text).forEach((one, number) => {
    const before = line.positions[number];
    let move;
    try { move = findMove(before, one); } catch (error) { throw new Error(`move ${number + 1}: ${error.message}`); }
    const { keys, symmetry } = canonicalise(before);
    const { after, text: notation } = playAndWrite(before, move);
    line.positions.push(after);
    line.moves.push(notation);
    line.codes.push(leastMoveCode(keys, symmetry, move));
  });
  return line;
}

// The rows with a position, the first of each game, in the order of games.
// boardOnly: ignore side to move, pool, captures and rules; rings and marbles are the same.
export function findRows(archive, groups, position, { boardOnly = false, passes = () => true } = {}) {
  const rows = [];
  const { low, high } = canonicalise(position);
  const counts = [...position.pool, ...position.captured.flat()];
  for (const group of groups) {
    if (group.board !== position.board) continue;
    let last = -1;
    for (let row = group.low.indexOf(low); row >= 0; row = group.low.indexOf(low, row + 1)) {
      const game = group.game[row];
      if (group.high[row] !== high || game === last || !passes(game)) continue;
      if (!boardOnly && !hasSame(archive, group, row, position, counts)) continue;
      last = game;
      rows.push({ group, row, game });
    }
  }
  return rows;
}

// Whether side to move, pool, captures and rule set (without its options) are those of a position.
function hasSame(archive, group, row, position, counts) {
  if (group.side[row] !== position.side) return false;
  for (let number = 0; number < COUNTS; number++) if (group.counts[COUNTS * row + number] !== counts[number]) return false;
  return archive.rules(group.game[row]) === position.rules.name;
}

// Returns { games, wins, ties, losses, byLine, continuations }; each continuation has move, games, byLine, wins, ties, losses, unknown,
// share, low, high, meanPlies. The games that ended here come last, with the move null.
export function findOpenings(archive, groups, line, { boardOnly = false, passes } = {}) {
  const position = line.positions.at(-1);
  const found = new Map();
  for (const { group, row, game } of findRows(archive, groups, position, { boardOnly, passes })) {
    const code = group.next[row];
    if (!found.has(code)) found.set(code, { code, games: 0, byLine: 0, wins: 0, ties: 0, losses: 0, plies: 0 });
    const one = found.get(code);
    one.games += 1;
    one.plies += archive.columns.plies[game];
    if (line.codes.length && cameBy(group, row, line)) one.byLine += 1;
    const score = archive.score(game, group.side[row]);
    if (score === 1) one.wins += 1;
    else if (score === 0) one.ties += 1;
    else if (score === -1) one.losses += 1;
  }
  const write = writer(position);
  const sums = [...found.values()].sort((one, other) => (one.code === NO_MOVE) - (other.code === NO_MOVE) || other.games - one.games || one.code - other.code);
  const total = (name) => sums.reduce((sum, one) => sum + one[name], 0);
  return {
    games: total("games"), wins: total("wins"), ties: total("ties"), losses: total("losses"), byLine: line.codes.length ? total("byLine") : null,
    continuations: sums.map(({ code, plies, ...counts }) => describeContinuation(code === NO_MOVE ? null : write(code), counts, plies / counts.games)),
  };
}

// A row of the continuations. counts: games, byLine, wins, ties, losses.
export function describeContinuation(move, counts, meanPlies) {
  const known = counts.wins + counts.ties + counts.losses;
  return { move, ...counts, unknown: counts.games - known, ...share(counts.wins + counts.ties / 2, known), meanPlies };
}

// Returns a function that writes the move of a code with its claims. One that was played with another pool or rule set may be illegal
// here: it is written without claims.
function writer(position) {
  const decode = decoder(position);
  const legal = new Map(position.legalMoves().map((move) => [writeMove(position.board, move), move]));
  return (code) => {
    const plain = writeMove(position.board, decode(code));
    return legal.has(plain) ? playAndWrite(position, legal.get(plain)).text : plain;
  };
}

// Whether a game came to a row by a line: each position before it and each move, up to symmetry.
function cameBy(group, row, { positions, codes }) {
  const first = row - codes.length;
  if (first < 0 || group.game[first] !== group.game[row]) return false;
  return codes.every((code, number) => {
    const { low, high } = positions[number].key ??= canonicalise(positions[number]);
    return group.next[first + number] === code && group.low[first + number] === low && group.high[first + number] === high;
  });
}
