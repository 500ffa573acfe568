// Finds positions and patterns in all rows, by ANDs of the rings' bitmaps (see replay.js).
import { canonicalise, decoder } from "../rules/keys.js";
import { writeMove } from "../rules/notation.js";
import { GONE } from "../rules/position.js";
import { lay, name, STAY, symmetriesOf, symmetriesOfBoard, TURNS, undo } from "./lattice.js";
import { COUNTS, CONTENTS } from "./replay.js";
import { share } from "./wilson.js";

const ANYTHING = 31;
const COLOURS = ["white", "grey", "black"];
const COMPARED = {
  "=": (one, other) => one === other, "<": (one, other) => one < other, "<=": (one, other) => one <= other,
  ">": (one, other) => one > other, ">=": (one, other) => one >= other,
};

// Finds a pattern (pattern.js). Returns what `collect` returns; hits also have the rings under the pattern's cells.
export function findPattern(archive, groups, pattern, options) {
  const isNamed = pattern.rings.length > 0;
  const parts = groups.filter(({ board }) => !pattern.board || board.name === pattern.board).flatMap((group) => {
    const { ways, cells } = embed(pattern, group.board);
    return ways.length ? [{ ...scan(group, ways, testLimits(pattern.limits, group)), cells }] : [];
  });
  return collect(archive, parts, ({ group: { board } }) => renamer(board, (way, cell) => nameCell(board, isNamed, lay(undo(way), cell))), options);
}

function nameCell(board, isNamed, cell) { return isNamed ? board.rings[board.ringOn(cell)] : `(${cell.join(",")})`; }

// Finds a position. mode: `exact` as it lies, `symmetry` in any orientation of its board, `shape` anywhere on any board.
// pool, captures, side: whether these must be the same too.
export function findPosition(archive, groups, position, { mode = "symmetry", pool = false, captures = false, side = false, ...options }) {
  const counts = [...position.pool, ...position.captured.flat()];
  const [from, to] = [pool ? 0 : 3, captures ? COUNTS : 3];
  const fits = (group, row) => (!side || group.side[row] === position.side) &&
    counts.every((count, number) => number < from || number >= to || group.counts[COUNTS * row + number] === count);
  if (mode === "shape") return findShape(archive, groups, position, fits, options);
  const { low, high } = canonicalise(position);
  const parts = groups.filter(({ board }) => board === position.board).map((group) => {
    const rows = [];
    for (let row = group.low.indexOf(low); row >= 0; row = group.low.indexOf(low, row + 1))
      if (group.high[row] === high && fits(group, row) && (mode !== "exact" || liesAlike(group, row, position))) rows.push(row);
    return { group, rows };
  });
  const decode = decoder(position);
  const write = cached((code) => writeMove(position.board, decode(code)));
  return collect(archive, parts, ({ group }) => (row) => write(group.next[row]), options);
}

function liesAlike(group, row, { held }) { return held.every((one, ring) => group.held(ring, row) === one); }

// A shape lies on a board as a pattern of all its rings, where every other ring is gone.
function findShape(archive, groups, position, fits, options) {
  const { board } = position;
  const cells = board.axial.flatMap((cell, ring) => (position.held[ring] === GONE ? [] : [{ cell, allowed: 1 << position.held[ring] }]));
  const parts = groups.map((group) => scan(group, placeShape(cells, group.board), (row) => fits(group, row)));
  const contents = new Map(cells.map(({ cell, allowed }) => [name(cell), allowed]));
  const own = symmetriesOf(contents, contents);
  // A move has as many names as the shape has symmetries of its own: the least one counts.
  return collect(archive, parts, ({ group }) => {
    const renamers = own.map((turn) => renamer(group.board, (way, cell) => board.rings[board.ringOn(lay(turn, lay(undo(way), cell)))]));
    return (...about) => renamers.map((rename) => rename(...about)).sort()[0];
  }, options);
}

function placeShape(cells, board) {
  return TURNS.flatMap((turn) => {
    const laid = cells.map(({ cell, allowed }) => ({ cell: lay(turn, cell), allowed }));
    return listMoves(laid, board).flatMap(([q, r]) => {
      const rings = layOnRings(laid, q, r, board);
      if (!rings) return [];
      const free = new Set(board.rings.keys());
      for (const [ring] of rings) free.delete(ring);
      return [{ asked: [...rarestFirst(rings), ...[...free].map((ring) => [ring, 1 << GONE])], way: { ...turn, q, r } }];
    });
  });
}

// Returns a function of a row, its way and the movetext: the next move with its rings named by `nameOf(way, cell)`.
function renamer(board, nameOf) {
  const ofWay = cached((way) => {
    const ringName = cached((ring) => nameOf(way, board.axial[board.ring(ring)]));
    return cached((move) => move.replace(/[a-q](?:1[0-2]|[1-9])/g, ringName));
  });
  return (row, way, move) => ofWay(way)(move);
}

// The ways to lay a pattern on a board, each as the rings that it asks about with what they may hold; and the pattern's cells.
function embed(pattern, board) {
  if (pattern.rings.some(({ ring }) => board.ring(ring) < 0)) return { ways: [] };
  const isNamed = pattern.rings.length > 0;
  const cells = isNamed ? pattern.rings.map(({ ring, allowed }) => ({ cell: board.axial[board.ring(ring)], allowed })) : pattern.cells;
  const asked = cells.filter(({ allowed }) => allowed !== ANYTHING);
  if (!asked.length) return { ways: [{ asked: [], way: STAY }], cells };
  const turns = !isNamed ? TURNS : pattern.turned ? symmetriesOfBoard(board) : [STAY];
  const seen = new Set();
  const ways = turns.flatMap((turn) => {
    const laid = asked.map(({ cell, allowed }) => ({ cell: lay(turn, cell), allowed }));
    const shape = describeShape(laid, isNamed);
    if (seen.has(shape)) return []; // a symmetry of the pattern itself
    seen.add(shape);
    return (isNamed ? [[0, 0]] : listMoves(laid, board)).flatMap(([q, r]) => {
      const rings = layOnRings(laid, q, r, board);
      return rings ? [{ asked: rarestFirst(rings), way: { ...turn, q: turn.q + q, r: turn.r + r } }] : [];
    });
  });
  return { ways, cells };
}

// A text that is equal for cells that differ by a move only; of named rings, for the same rings.
function describeShape(laid, isNamed) {
  const [q0, r0] = isNamed ? [0, 0] : [0, 1].map((axis) => Math.min(...laid.map(({ cell }) => cell[axis])));
  return laid.map(({ cell: [q, r], allowed }) => `${q - q0},${r - r0}:${allowed}`).sort().join(" ");
}

// The moves that bring a cell that must be a ring onto each ring; where none must be, any of the cells.
function listMoves(laid, board) {
  const solid = laid.find(({ allowed }) => !(allowed & (1 << GONE)));
  if (solid) return board.axial.map(([q, r]) => [q - solid.cell[0], r - solid.cell[1]]);
  const moves = laid.flatMap(({ cell: [q0, r0] }) => board.axial.map(([q, r]) => [q - q0, r - r0]));
  return [...new Map(moves.map((move) => [name(move), move])).values()];
}

// The rings of moved cells with what they may hold; null where one that must be a ring lies beyond the edge.
function layOnRings(laid, q, r, board) {
  const rings = [];
  for (const { cell: [q0, r0], allowed } of laid) {
    const ring = board.ringOn([q0 + q, r0 + r]);
    if (ring >= 0) rings.push([ring, allowed]);
    else if (!(allowed & (1 << GONE))) return null;
  }
  return rings;
}

// Marbles are rarer than vacant or removed rings: with these first, most words of a bitmap are soon zero.
function rarestFirst(asked) {
  const weight = (bits) => [8, 1, 1, 1, 6].reduce((sum, one, state) => sum + (bits & (1 << state) ? one : 0), 0);
  return asked.sort(([, one], [, other]) => weight(one) - weight(other));
}

// Returns { group, rows, wayOf, ways }: the rows that match and pass a test, in order, and by row the number of the first way that matches.
function scan(group, ways, test) {
  const bitmapOf = cached((key) => unite(group, key >>> 5, key & ANYTHING));
  const seen = new Int32Array(group.words);
  const wayOf = new Uint16Array(group.rows);
  const whole = new Int32Array(group.words).fill(-1);
  if (group.rows % 32) whole[group.words - 1] = 2 ** (group.rows % 32) - 1;
  ways.forEach(({ asked }, number) => mark([whole, ...asked.map(([ring, allowed]) => bitmapOf((ring << 5) | allowed))], seen, wayOf, number));
  const rows = [];
  for (let word = 0; word < seen.length; word++)
    for (let rest = seen[word]; rest; rest &= rest - 1) {
      const row = 32 * word + 31 - Math.clz32(rest & -rest);
      if (test(row)) rows.push(row);
    }
  return { group, rows, wayOf, ways };
}

// Marks the rows that are in all of some bitmaps. Most words are zero after the first marbles: the others are not looked at then.
function mark([whole, first = whole, second = whole, ...others], seen, wayOf, number) {
  for (let word = 0; word < seen.length; word++) {
    let fresh = first[word] & second[word] & ~seen[word];
    if (fresh === 0) continue;
    fresh &= whole[word];
    for (let at = 0; fresh !== 0 && at < others.length; at++) fresh &= others[at][word];
    if (fresh === 0) continue;
    seen[word] |= fresh;
    if (number) for (let rest = fresh; rest; rest &= rest - 1) wayOf[32 * word + 31 - Math.clz32(rest & -rest)] = number;
  }
}

// The rows in which a ring holds one of some contents.
function unite(group, ring, allowed) {
  const some = [];
  for (let held = 0; held < CONTENTS; held++) if (allowed & (1 << held)) some.push(group.bitmap(ring, held));
  if (some.length === 1) return some[0];
  const all = some[0].slice();
  for (const other of some.slice(1)) for (let word = 0; word < all.length; word++) all[word] |= other[word];
  return all;
}

function testLimits(limits, group) {
  if (!limits.length) return () => true;
  const tests = limits.map(({ quantity, sign, number }) => {
    const value = measure(quantity, group);
    return (row) => COMPARED[sign](value(row), number);
  });
  return (row) => tests.every((test) => test(row));
}

// A function that returns a quantity of a row.
function measure(quantity, group) {
  const [holder, colour] = quantity.split(".");
  const { counts, onBoard, side } = group;
  if (holder === "rings") return (row) => group.board.count - onBoard[CONTENTS * row + GONE];
  if (holder === "side") return (row) => side[row] + 1;
  const colours = colour ? [COLOURS.indexOf(colour)] : [0, 1, 2];
  const add = (of, begin) => colours.reduce((sum, one) => sum + of[begin + one], 0);
  if (holder === "marbles") return (row) => add(onBoard, CONTENTS * row + 1);
  const player = { pool: () => 0, player1: () => 3, player2: () => 6, mover: (row) => 3 + 3 * side[row], opponent: (row) => 6 - 3 * side[row] }[holder];
  return (row) => add(counts, COUNTS * row + player(row));
}

function cached(make) {
  const known = new Map();
  return (key) => {
    if (!known.has(key)) known.set(key, make(key));
    return known.get(key);
  };
}

// Sums the rows of parts { group, rows, wayOf, ways, cells }: games, plies (all matches), hits (the latest game first), continuations, years.
// write(part): a function of a row, its way and its next move, that returns the move as the asker would write it.
// every: all matches of a game count in the tables, not only its first. limit: number of hits.
function collect(archive, parts, write, { passes = () => true, every = false, limit = 100 } = {}) {
  let [games, plies] = [0, 0];
  const [counted, moves, years] = [[], new Sums(), new Sums()];
  parts.forEach((part, number) => {
    const { group, rows } = part;
    const next = write(part);
    let [last, isCounted] = [-1, false];
    for (const row of rows) {
      const game = group.game[row];
      const isFirst = game !== last;
      if (isFirst) [last, isCounted] = [game, passes(game)];
      if (!isCounted) continue;
      plies += 1;
      if (isFirst) games += 1;
      else if (!every) continue;
      const score = archive.score(game, group.side[row]);
      const move = group.next[row] < 0 ? null : next(row, part.ways?.[part.wayOf[row]].way, group.moveText(row, archive));
      moves.add(move, score);
      years.add(archive.certainYear[game], score);
      counted.push({ number, row, game, move });
    }
  });
  const rank = (one) => archive.rank[one.game];
  const latest = counted.length > limit ? pickLatest(counted, rank, limit) : counted;
  latest.sort((one, other) => rank(one) - rank(other) || one.row - other.row);
  const compareText = (one, other) => other.matches - one.matches || (one.key < other.key ? -1 : 1);
  return {
    games, plies, hits: latest.map(({ number, ...hit }) => describeHit(parts[number], hit)),
    continuations: moves.sort(compareText), years: years.sort((one, other) => one.key - other.key),
  };
}

// Those that come before the one at the limit, or with it.
function pickLatest(counted, rank, limit) {
  const last = Int32Array.from(counted, rank).sort()[limit - 1];
  return counted.filter((one) => rank(one) <= last).sort((one, other) => rank(one) - rank(other) || one.row - other.row).slice(0, limit);
}

// Matches, wins, ties and losses by a key.
class Sums {
  constructor() { this.byKey = new Map(); }

  add(key, score) {
    let sum = this.byKey.get(key);
    if (!sum) this.byKey.set(key, sum = { key, matches: 0, wins: 0, ties: 0, losses: 0 });
    sum.matches += 1;
    if (score === 1) sum.wins += 1;
    else if (score === 0) sum.ties += 1;
    else if (score === -1) sum.losses += 1;
  }

  // The sums in an order, the one without a key last, each with its share.
  sort(compare) {
    const sums = [...this.byKey.values()].sort((one, other) => (one.key === null) - (other.key === null) || compare(one, other));
    return sums.map((sum) => ({ ...sum, ...share(sum.wins + sum.ties / 2, sum.wins + sum.ties + sum.losses) }));
  }
}

// A hit: game, ply, side, next move, and the rings under the pattern's cells, `-` beyond the edge.
function describeHit({ group, wayOf, ways, cells = [] }, { row, game, move }) {
  const shown = cells.map(({ cell }) => group.board.rings[group.board.ringOn(lay(ways[wayOf[row]].way, cell))] ?? "-");
  return { game, ply: group.ply(row), side: group.side[row] + 1, next: move, cells: shown };
}
