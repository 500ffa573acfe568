// Finds positions and patterns in all rows, by ANDs of the rings' bitmaps (see replay.js).
import { canonicalise, decoder } from "../rules/keys.js";
import { writeMove } from "../rules/notation.js";
import { GONE } from "../rules/position.js";
import { lay, name, STAY, symmetriesOf, symmetriesOfBoard, TURNS, undo } from "./lattice.js";
import { COUNTS, CONTENTS } from "./replay.js";
import { ANYTHING, keepRows, makeBitmap, Ways } from "./scan.js";
import { collect } from "./tally.js";

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
    if (!ways.length) return [];
    const found = new Ways(group, ways);
    const bits = keepRows(found.match(), testLimits(pattern.limits, group));
    return [{ group, bits, ways, found, cells, nameMove: moveNamer(archive, group, [(way, cell) => nameCell(group.board, isNamed, lay(undo(way), cell))]) }];
  });
  return collect(archive, parts, options);
}

function nameCell(board, isNamed, cell) { return isNamed ? board.rings[board.ringOn(cell)] : `(${cell.join(",")})`; }

// Finds a position. mode: `exact` as it lies, `symmetry` in any orientation of its board, `shape` anywhere on any board.
// pool, captures, side: whether these must be the same too.
export function findPosition(archive, groups, position, { mode = "symmetry", pool = false, captures = false, side = false, ...options }) {
  const { board } = position;
  const counts = [...position.pool, ...position.captured.flat()];
  const [from, to] = [pool ? 0 : 3, captures ? COUNTS : 3];
  const fits = (group, row) => (!side || group.side[row] === position.side) &&
    counts.every((count, number) => number < from || number >= to || group.counts[COUNTS * row + number] === count);
  if (mode === "shape") return findShape(archive, groups, position, fits, options);
  const { low, high } = canonicalise(position);
  const decode = decoder(position);
  const parts = groups.filter((group) => group.board === board).map((group) => {
    const bits = makeBitmap(group);
    for (let row = group.low.indexOf(low); row >= 0; row = group.low.indexOf(low, row + 1))
      if (group.high[row] === high && fits(group, row) && (mode !== "exact" || liesAlike(group, row, position))) bits[row >>> 5] |= 1 << (row & 31);
    return { group, bits, moveOf: (row) => group.next[row], nameMove: (code) => writeMove(board, decode(code)) };
  });
  return collect(archive, parts, options);
}

function liesAlike(group, row, { held }) { return held.every((one, ring) => group.held(ring, row) === one); }

// A shape lies on a board as a pattern of all its rings, where every other ring is gone.
function findShape(archive, groups, position, fits, options) {
  const { board } = position;
  const cells = board.axial.flatMap((cell, ring) => (position.held[ring] === GONE ? [] : [{ cell, allowed: 1 << position.held[ring] }]));
  const contents = new Map(cells.map(({ cell, allowed }) => [name(cell), allowed]));
  // A move has as many names as the shape has symmetries of its own: the least one counts.
  const namers = symmetriesOf(contents, contents).map((turn) => (way, cell) => board.rings[board.ringOn(lay(turn, lay(undo(way), cell)))]);
  const parts = groups.map((group) => {
    const ways = placeShape(cells, group.board);
    const found = new Ways(group, ways);
    return { group, bits: keepRows(found.match(), (row) => fits(group, row)), ways, found, nameMove: moveNamer(archive, group, namers) };
  });
  return collect(archive, parts, options);
}

function placeShape(cells, board) {
  return TURNS.flatMap((turn) => {
    const laid = rarestFirst([...cells]).map(({ cell, allowed }) => ({ cell: lay(turn, cell), allowed }));
    return listMoves(laid, board).flatMap(([q, r]) => {
      const rings = layOnRings(laid, q, r, board);
      if (!rings) return [];
      const free = new Set(board.rings.keys());
      for (const [ring] of rings) free.delete(ring);
      return [{ asked: [...rings, ...[...free].map((ring) => [ring, 1 << GONE])], way: { ...turn, q, r } }];
    });
  });
}

// Returns a function of a move (a number of `Group.moves`) and a way: the move with its rings named by each of `namers`, the least such text.
function moveNamer(archive, group, namers) {
  const { board } = group;
  const split = cached((move) => group.moveText(group.moves[move], archive).split(/([a-q](?:1[0-2]|[1-9]))/)
    .map((part, number) => (number % 2 ? board.ring(part) : part))); // every second part is a ring
  const ofWay = cached((way) => namers.map((nameOf) => board.axial.map((cell) => nameOf(way, cell))));
  return (move, way) => {
    const parts = split(move);
    const texts = ofWay(way).map((names) => {
      let text = parts[0];
      for (let at = 1; at < parts.length; at += 2) text += names[parts[at]] + parts[at + 1];
      return text;
    });
    return texts.length === 1 ? texts[0] : texts.sort()[0];
  };
}

// The ways to lay a pattern on a board, each as the rings that it asks about with what they may hold; and the pattern's cells.
function embed(pattern, board) {
  if (pattern.rings.some(({ ring }) => board.ring(ring) < 0)) return { ways: [] };
  const isNamed = pattern.rings.length > 0;
  const cells = isNamed ? pattern.rings.map(({ ring, allowed }) => ({ cell: board.axial[board.ring(ring)], allowed })) : pattern.cells;
  const asked = rarestFirst(cells.filter(({ allowed }) => allowed !== ANYTHING));
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
      return rings ? [{ asked: rings, way: { ...turn, q: turn.q + q, r: turn.r + r } }] : [];
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
    const ring = board.ringAtCell(q0 + q, r0 + r);
    if (ring >= 0) rings.push([ring, allowed]);
    else if (!(allowed & (1 << GONE))) return null;
  }
  return rings;
}

// Cells in the order of their checks. Marbles are rarer than vacant or removed rings: with these first, most words of a bitmap are soon zero.
function rarestFirst(asked) {
  const weight = ({ allowed }) => [8, 1, 1, 1, 6].reduce((sum, one, state) => sum + (allowed & (1 << state) ? one : 0), 0);
  return asked.sort((one, other) => weight(one) - weight(other));
}

// A function that tells whether a row keeps all limits; null without any.
function testLimits(limits, group) {
  if (!limits.length) return null;
  const tests = limits.map(({ quantity, sign, number }) => {
    const [value, compared] = [measure(quantity, group), COMPARED[sign]];
    return (row) => compared(value(row), number);
  });
  return tests.length === 1 ? tests[0] : (row) => tests.every((test) => test(row));
}

// A function that returns a quantity of a row.
function measure(quantity, group) {
  const [holder, colour] = quantity.split(".");
  const { board, counts, onBoard, side } = group;
  if (holder === "rings") return (row) => board.count - onBoard[CONTENTS * row + GONE];
  if (holder === "side") return (row) => side[row] + 1;
  const [first, last] = colour ? [COLOURS.indexOf(colour), COLOURS.indexOf(colour)] : [0, 2];
  const add = (of, begin) => { let sum = 0; for (let at = begin + first; at <= begin + last; at++) sum += of[at]; return sum; };
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
