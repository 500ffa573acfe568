// Keys of positions: rings and marbles as one number, equal for a position and all its images under the board's symmetries.
// A key has 64 bits, held as a signed high and an unsigned low half. Equal to the database's keys (zertz_db/rules/position_keys.py).
import { GONE } from "./position.js";

// Codes have the directions of the jumps as digits to base 7; with more jumps a JavaScript number is not exact.
const LONGEST_EXACT_CHAIN = 15;
const [PLACE, JUMP, PASS] = [0, 1, 2];
export const NO_MOVE = -1;

// The hashes of a position's images, which follow it from move to move.
export class Keys {
  constructor(board) {
    this.board = board;
    this.size = board.symmetries.length;
    this.low = new Int32Array(this.size);
    this.high = new Int32Array(this.size);
  }

  start(held) {
    this.low.fill(0);
    this.high.fill(0);
    held.forEach((one, ring) => this.toggle(ring, one));
    return this;
  }

  // Adds that a ring holds something, or removes it again. A ring that is gone is not hashed.
  toggle(ring, held) {
    if (held === GONE) return;
    const { low, high, size } = this;
    const hash = this.board.hash;
    for (let symmetry = 0, at = (4 * ring + held) * size; symmetry < size; symmetry++, at++) {
      low[symmetry] ^= hash.low[at];
      high[symmetry] ^= hash.high[at];
    }
  }

  // The number of the first symmetry whose image has the least hash.
  least() {
    const { low, high, size } = this;
    let best = 0;
    for (let symmetry = 1; symmetry < size; symmetry++)
      if (high[symmetry] < high[best] || (high[symmetry] === high[best] && (low[symmetry] >>> 0) < (low[best] >>> 0))) best = symmetry;
    return best;
  }

  isEqual(one, other) { return this.low[one] === this.low[other] && this.high[one] === this.high[other]; }
}

// The position's key as two halves, and the first symmetry that leads to the canonical orientation.
export function canonicalise(position) {
  const keys = new Keys(position.board).start(position.held);
  const symmetry = keys.least();
  return { low: keys.low[symmetry], high: keys.high[symmetry], symmetry, keys };
}

// A move as one number in a symmetry's orientation. Claims are left out, because they follow.
export function moveCode(board, image, move) {
  if (move.kind === "place") {
    const removed = move.removed >= 0 ? image[move.removed] + 1 : 0;
    return PLACE + 4 * (move.colour - 1 + 4 * (image[move.ring] + 256 * removed));
  }
  if (move.kind === "pass") return PASS;
  const start = image[move.ring];
  let ring = start;
  let [digits, power] = [0, 1];
  for (const { to } of move.jumps.slice(0, LONGEST_EXACT_CHAIN)) {
    const landing = image[to];
    digits += power * (board.landing.subarray(6 * ring, 6 * ring + 6).indexOf(landing) + 1);
    power *= 7;
    ring = landing;
  }
  return JUMP + 4 * (start + 256 * digits);
}

// The move's code in canonical orientation: the least under all symmetries that give the position's key.
export function leastMoveCode(keys, first, move) {
  const { board, size } = keys;
  let best = moveCode(board, board.symmetries[first], move);
  for (let symmetry = first + 1; symmetry < size; symmetry++)
    if (keys.isEqual(symmetry, first)) best = Math.min(best, moveCode(board, board.symmetries[symmetry], move));
  return best;
}

// Returns a function that turns codes into moves of a position, in the position's orientation.
export function decoder(position) {
  const { board } = position;
  const image = board.symmetries[canonicalise(position).symmetry];
  const back = new Int16Array(board.count);
  image.forEach((turned, ring) => { back[turned] = ring; });
  return (code) => {
    const [kind, rest] = [code % 4, Math.floor(code / 4)];
    if (kind === PASS) return { kind: "pass" };
    if (kind === JUMP) return decodeCapture(position, rest, back);
    const places = Math.floor(rest / 4);
    const removed = Math.floor(places / 256);
    return { kind: "place", colour: (rest % 4) + 1, ring: back[places % 256], removed: removed ? back[removed - 1] : -1 };
  };
}

function decodeCapture({ board, held }, rest, back) {
  let ring = rest % 256;
  const start = back[ring];
  const jumps = [];
  for (let digits = Math.floor(rest / 256); digits; digits = Math.floor(digits / 7)) {
    const at = 6 * ring + (digits % 7) - 1;
    const over = back[board.neighbour[at]];
    ring = board.landing[at];
    jumps.push({ over, to: back[ring], colour: held[over] });
  }
  return { kind: "capture", ring: start, jumps };
}
