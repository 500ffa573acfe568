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
  const matches = [];
  for (const group of groups) {
    if (pattern.board && group.board.name !== pattern.board) continue;
    const ways = embed(pattern, group.board);
    if (!ways.length) continue;
    const test = testLimits(pattern.limits, group);
    scan(group, ways, (row, way) => { if (test(row)) matches.push({ group, row, way }); });
  }
  return collect(archive, matches, (match) => turnMove(archive, match, pattern.rings.length > 0), options);
}

// Finds a position. mode: `exact` as it lies, `symmetry` in any orientation of its board, `shape` anywhere on any board.
// pool, captures, side: whether these must be the same too.
export function findPosition(archive, groups, position, { mode = "symmetry", pool = false, captures = false, side = false, ...options }) {
  const counts = [...position.pool, ...position.captured.flat()];
  const [from, to] = [pool ? 0 : 3, captures ? COUNTS : 3];
  const fits = (group, row) => (!side || group.side[row] === position.side) &&
    counts.every((count, number) => number < from || number >= to || group.counts[COUNTS * row + number] === count);
  if (mode === "shape") return findShape(archive, groups, position, fits, options);
  const matches = [];
  const { low, high } = canonicalise(position);
  for (const group of groups) {
    if (group.board !== position.board) continue;
    for (let row = group.low.indexOf(low); row >= 0; row = group.low.indexOf(low, row + 1))
      if (group.high[row] === high && fits(group, row) && (mode !== "exact" || liesAlike(group, row, position))) matches.push({ group, row });
  }
  const decode = decoder(position);
  const write = cached((code) => writeMove(position.board, decode(code)));
  return collect(archive, matches, ({ group, row }) => write(group.next[row]), options);
}

function liesAlike(group, row, { held }) { return held.every((one, ring) => group.held(ring, row) === one); }

// A shape lies on a board as a pattern of all its rings, where every other ring is gone.
function findShape(archive, groups, position, fits, options) {
  const cells = new Map();
  position.held.forEach((held, ring) => { if (held !== GONE) cells.set(name(position.board.axial[ring]), held); });
  const matches = [];
  for (const group of groups) {
    const at = new Map(group.board.axial.map((cell, ring) => [name(cell), ring]));
    scan(group, placeShape(cells, group.board, at), (row, way) => { if (fits(group, row)) matches.push({ group, row, way }); });
  }
  const own = symmetriesOf(cells, cells);
  const names = new Map(position.board.axial.map((cell, ring) => [name(cell), position.board.rings[ring]]));
  return collect(archive, matches, (match) => writeLeast(archive, match, own, names), options);
}

function placeShape(cells, board, at) {
  const places = [...cells.keys()].map((key) => key.split(",").map(Number));
  const ways = [];
  for (const turn of TURNS) {
    const [q0, r0] = lay(turn, places[0]);
    for (const [q1, r1] of board.axial) {
      const way = { ...turn, q: q1 - q0, r: r1 - r0 };
      const laid = places.map((cell) => at.get(name(lay(way, cell))));
      if (laid.includes(undefined)) continue;
      const asked = Array.from(board.rings, () => 1 << GONE);
      laid.forEach((ring, number) => { asked[ring] = 1 << cells.get(name(places[number])); });
      ways.push({ asked: rarestFirst([...asked.entries()]), way });
    }
  }
  return ways;
}

// The least of the names that the shape's own symmetries give to a move, as the asker's position lies.
function writeLeast(archive, { group, row, way }, own, names) {
  const text = group.moveText(row, archive.moves);
  const back = undo(way.way);
  return own.map((turn) => renameMove(group.board, text, (cell) => names.get(name(lay(turn, lay(back, cell)))))).sort()[0];
}

function renameMove(board, text, rename) {
  return text.replace(/[a-q](?:1[0-2]|[1-9])/g, (ring) => rename(board.axial[board.ring(ring)]));
}

// The ways to lay a pattern on a board, each set of rings once: { asked: [[ring, allowed bits]…], way, cells }.
function embed(pattern, board) {
  if (pattern.rings.some(({ ring }) => board.ring(ring) < 0)) return [];
  const isNamed = pattern.rings.length > 0;
  const cells = isNamed ? pattern.rings.map(({ ring, allowed }) => ({ cell: board.axial[board.ring(ring)], allowed })) : pattern.cells;
  const at = new Map(board.axial.map((cell, ring) => [name(cell), ring]));
  const asked = cells.filter(({ allowed }) => allowed !== ANYTHING);
  if (!asked.length) return [{ asked: [], way: STAY }];
  const found = new Map();
  const turns = !isNamed ? TURNS : pattern.turned ? symmetriesOfBoard(board) : [STAY];
  for (const turn of turns) {
    const laid = asked.map(({ cell, allowed }) => ({ cell: lay(turn, cell), allowed }));
    for (const [q, r] of isNamed ? [[0, 0]] : listMoves(laid, board)) {
      const rings = layOnRings(laid, q, r, at);
      const key = rings && rings.map(([ring, allowed]) => `${ring}:${allowed}`).sort().join();
      if (rings && !found.has(key)) found.set(key, { asked: rarestFirst(rings), way: { ...turn, q: turn.q + q, r: turn.r + r } });
    }
  }
  return [...found.values()].map((one) => ({ ...one, cells }));
}

// The moves that bring a cell that must be a ring onto each ring; where none must be, any of the cells.
function listMoves(laid, board) {
  const solid = laid.filter(({ allowed }) => !(allowed & (1 << GONE))).slice(0, 1);
  const moves = (solid.length ? solid : laid).flatMap(({ cell: [q0, r0] }) => board.axial.map(([q1, r1]) => [q1 - q0, r1 - r0]));
  return [...new Map(moves.map((move) => [name(move), move])).values()];
}

// The rings of moved cells with what they may hold; null where one that must be a ring lies beyond the edge.
function layOnRings(laid, q, r, at) {
  const rings = [];
  for (const { cell: [q0, r0], allowed } of laid) {
    const ring = at.get(name([q0 + q, r0 + r]));
    if (ring !== undefined) rings.push([ring, allowed]);
    else if (!(allowed & (1 << GONE))) return null;
  }
  return rings;
}

// Marbles are rarer than vacant or removed rings: with these first, most words of a bitmap are soon zero.
function rarestFirst(asked) {
  const weight = (bits) => [8, 1, 1, 1, 6].reduce((sum, one, state) => sum + (bits & (1 << state) ? one : 0), 0);
  return asked.sort(([, one], [, other]) => weight(one) - weight(other));
}

// Calls found(row, way) for each row that matches, with the first way that does.
function scan(group, ways, found) {
  const bitmapOf = cached((key) => unite(group, key >>> 5, key & ANYTHING));
  const seen = new Uint32Array(group.words);
  const bits = new Uint32Array(group.words);
  const rest = group.rows % 32;
  for (const way of ways) {
    if (!way.asked.length) bits.fill(-1);
    way.asked.forEach(([ring, allowed], number) => {
      const other = bitmapOf((ring << 5) | allowed);
      if (number === 0) bits.set(other);
      else for (let word = 0; word < bits.length; word++) bits[word] &= other[word];
    });
    if (rest) bits[bits.length - 1] &= (1 << rest) - 1;
    for (let word = 0; word < bits.length; word++) {
      let fresh = bits[word] & ~seen[word];
      if (!fresh) continue;
      seen[word] |= fresh;
      while (fresh) {
        found(32 * word + 31 - Math.clz32(fresh & -fresh), way);
        fresh &= fresh - 1;
      }
    }
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

// A played move turned back as the pattern lies: rings by name, or by the coordinates of a drawing.
function turnMove(archive, { group: { board }, group, row, way }, isNamed) {
  const back = undo(way.way);
  const at = (cell) => board.axial.findIndex(([q, r]) => q === cell[0] && r === cell[1]);
  return renameMove(board, group.moveText(row, archive.moves), (cell) => {
    const laid = lay(back, cell);
    return isNamed ? board.rings[at(laid)] : `(${laid.join(",")})`;
  });
}

function cached(make) {
  const known = new Map();
  return (key) => {
    if (!known.has(key)) known.set(key, make(key));
    return known.get(key);
  };
}

// Sums matches { group, row, way }: games, plies (all matches), hits (the latest game first), continuations, years.
// every: all matches of a game count in the tables, not only its first. limit: number of hits.
function collect(archive, matches, next, { passes = () => true, every = false, limit = 100 } = {}) {
  const all = matches.map((match) => ({ ...match, game: match.group.game[match.row], ply: match.group.ply(match.row) })).filter(({ game }) => passes(game));
  const first = new Map();
  for (const match of all) if (!(first.get(match.game)?.ply <= match.ply)) first.set(match.game, match);
  const counted = every ? all : [...first.values()];
  const [moves, years] = [new Map(), new Map()];
  for (const match of counted) {
    match.next = match.group.next[match.row] < 0 ? null : next(match);
    const score = archive.score(match.game, match.group.side[match.row]);
    for (const [sums, key] of [[moves, match.next], [years, archive.certainYear[match.game]]]) {
      const sum = sums.get(key) ?? sums.set(key, { key, matches: 0, wins: 0, ties: 0, losses: 0 }).get(key);
      sum.matches += 1;
      if (score !== null) sum[score === 1 ? "wins" : score === 0 ? "ties" : "losses"] += 1;
    }
  }
  const rate = ({ key, ...sum }) => ({ key, ...sum, ...share(sum.wins + sum.ties / 2, sum.wins + sum.ties + sum.losses) });
  counted.sort((one, other) => archive.rank[one.game] - archive.rank[other.game] || one.ply - other.ply);
  return {
    games: first.size, plies: all.length,
    hits: counted.slice(0, limit).map((match) => ({ ...summarise(match), cells: shownCells(match) })),
    continuations: [...moves.values()].sort((one, other) => (one.key === null) - (other.key === null) || other.matches - one.matches || (one.key < other.key ? -1 : 1)).map(rate),
    years: [...years.values()].sort((one, other) => (one.key === null) - (other.key === null) || one.key - other.key).map(rate),
  };
}

function summarise({ game, ply, next, group, row }) { return { game, ply, next, side: group.side[row] + 1 }; }

// The rings under the pattern's cells, `-` beyond the edge.
function shownCells({ group: { board }, way }) {
  if (!way?.cells) return [];
  return way.cells.map(({ cell }) => {
    const [q, r] = lay(way.way, cell);
    return board.rings[board.axial.findIndex(([q1, r1]) => q1 === q && r1 === r)] ?? "-";
  });
}

