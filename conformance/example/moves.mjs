// Answers the questions `moves` and `perft` of depth 1, on all boards: node moves.mjs [--forget-captures]
// With --forget-captures it has a bug, to see failures: it treats captures as voluntary.
import { createInterface } from "node:readline";

const FORGETS_CAPTURES = process.argv.includes("--forget-captures");
const SIDES = [[0, 2], [1, 1], [1, -1], [0, -2], [-1, -1], [-1, 1]]; // clockwise
const BOTTOMS = { 40: [-5, -6, -7, -6, -5, -4, -3], 43: [-5, -6, -7, -6, -5, -4, -3, -2] };

function readPosition(text) {
  const [board, , layout, pool, first, second, side, passes] = text.split(" ");
  const held = new Map(); // by place: the name of the ring and its content
  layout.split("/").forEach((column, x) => {
    let letter = "abcdefghi"[x], bottom = (BOTTOMS[board] ?? [])[x] ?? 1 - column.length, signs = column;
    if (board === "custom") {
      const parts = column.match(/^([a-q])(-?\d+):(.+)$/);
      [letter, bottom, signs] = [parts[1], Number(parts[2]), parts[3]];
    }
    [...signs].forEach((sign, k) => {
      if (sign !== ".") held.set(`${letter.charCodeAt(0)} ${bottom + 2 * k}`, { ring: `${letter}${k + 1}`, sign });
    });
  });
  const counts = (field) => field.split("/").map(Number);
  const mine = counts(side === "1" ? first : second);
  return { held, rack: counts(pool).some(Boolean) ? counts(pool) : mine, passes: Number(passes ?? 0) };
}

function beside(place, [dx, dy], times = 1) {
  const [x, y] = place.split(" ").map(Number);
  return `${x + times * dx} ${y + times * dy}`;
}

function chains(held, place) {
  const found = [];
  for (const side of SIDES) {
    const over = held.get(beside(place, side)), landing = beside(place, side, 2);
    if (!over || over.sign === "o" || held.get(landing)?.sign !== "o") continue;
    const after = new Map(held);
    after.set(place, { ...held.get(place), sign: "o" });
    after.set(beside(place, side), { ...over, sign: "o" });
    after.set(landing, { ...held.get(landing), sign: held.get(place).sign });
    const rests = chains(after, landing);
    for (const rest of rests.length ? rests : [""]) found.push(`${over.sign}${held.get(landing).ring}${rest}`);
  }
  return found;
}

function captures(held) {
  const marbles = [...held].filter(([, { sign }]) => sign !== "o");
  return marbles.flatMap(([place, { ring }]) => chains(held, place).map((chain) => `x ${ring}${chain}`));
}

function placements({ held, rack }) {
  const vacant = [...held.keys()].filter((place) => held.get(place).sign === "o");
  const isFree = (place) => SIDES.some((_, i) => !held.has(beside(place, SIDES[i])) && !held.has(beside(place, SIDES[(i + 1) % 6])));
  const free = vacant.filter(isFree);
  const colours = [..."WGB"].filter((_, i) => rack[i]);
  return colours.flatMap((colour) => vacant.flatMap((place) => {
    const removed = free.filter((other) => other !== place).map((other) => `,${held.get(other).ring}`);
    return (removed.length ? removed : [""]).map((end) => `${colour}${held.get(place).ring}${end}`);
  }));
}

function listMoves(text) {
  const position = readPosition(text);
  const jumps = FORGETS_CAPTURES ? [] : captures(position.held);
  const placed = jumps.length ? [] : placements(position);
  const moves = jumps.length ? jumps : placed.length ? placed : ["-"];
  return { turn: jumps.length ? "capture" : placed.length ? "placement" : "pass", count: moves.length, moves };
}

function answer(question) {
  if (question.kind === "moves") return listMoves(question.position);
  if (question.kind === "perft" && question.depth === 1) return { count: listMoves(question.position).count };
  return { unsupported: true };
}

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  console.log(JSON.stringify({ id: question.id, ...answer(question) }));
}
