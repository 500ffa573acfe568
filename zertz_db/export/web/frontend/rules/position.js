// Positions and the rules of the game: legal moves, and the position after a move. Sections are those of docs/rules.md.
// tests/export/web compares all of it with the kernel (zertz_db/rules/kernel.py).
import { missing, setNames } from "./rule_sets.js";

export const [VACANT, GONE] = [0, 4]; // 1 to 3 are white, grey and black marbles
export const COLOURS = "WGB";
const sum = (counts) => counts[0] + counts[1] + counts[2];
const isMarble = (held) => held > VACANT && held < GONE;

// A position never changes. held: the content of each ring. side: 0 or 1. ending: null during the game.
// claimed: the numbers of the rings that the last move claimed.
export class Position {
  constructor(board, rules, fields) {
    Object.assign(this, { board, rules, passes: 0, ending: null, winner: null, sets: [], claimed: [] }, fields);
  }

  static start(board, rules) {
    return new Position(board, rules, {
      held: new Uint8Array(board.count), pool: [...rules.supply], captured: [[0, 0, 0], [0, 0, 0]], side: 0,
    });
  }

  get isOver() { return this.ending !== null; }

  // The marbles that can be placed: the pool, or the mover's captures once the whole pool is empty (section 3.2).
  get rack() { return sum(this.pool) ? this.pool : this.captured[this.side]; }

  get captureIsDue() {
    if (this.isOver) return false;
    return this.held.some((held, ring) => isMarble(held) && jumpsFrom(this.board, this.held, ring).length > 0);
  }

  // Every legal move: captures if there is one, else placements, else the pass; none after the end.
  legalMoves() {
    if (this.isOver) return [];
    const captures = listCaptures(this);
    if (captures.length) return captures;
    const placements = listPlacements(this);
    return placements.length ? placements : [{ kind: "pass" }];
  }

  // The position after a legal move. A move with a list `claim` takes just these rings, as a record writes them;
  // without one the rule set decides.
  play(move) {
    const next = new Position(this.board, this.rules, {
      held: this.held.slice(), pool: [...this.pool], captured: this.captured.map((counts) => [...counts]), side: this.side,
    });
    if (move.kind === "pass") pass(next, this.passes + 1);
    else if (move.kind === "place") place(next, move);
    else capture(next, move);
    return next;
  }
}

// The jumps of the marble on a ring, as rings jumped over and landed on.
function jumpsFrom(board, held, ring) {
  const jumps = [];
  for (let at = 6 * ring; at < 6 * ring + 6; at++) {
    const to = board.landing[at];
    if (to >= 0 && held[to] === VACANT && isMarble(held[board.neighbour[at]])) jumps.push({ over: board.neighbour[at], to });
  }
  return jumps;
}

function listCaptures({ board, held }) {
  const moves = [];
  const rings = held.slice();
  const follow = (ring, start, chain) => {
    const jumps = jumpsFrom(board, rings, ring);
    if (!jumps.length && chain.length) moves.push({ kind: "capture", ring: start, jumps: [...chain] });
    for (const { over, to } of jumps) {
      const [colour, jumped] = [rings[ring], rings[over]];
      rings[ring] = rings[over] = VACANT;
      rings[to] = colour;
      chain.push({ over, to, colour: jumped });
      follow(to, start, chain);
      chain.pop();
      rings[ring] = colour;
      rings[over] = jumped;
      rings[to] = VACANT;
    }
  };
  held.forEach((one, ring) => { if (isMarble(one)) follow(ring, ring, []); });
  return moves;
}

function listPlacements(position) {
  const moves = [];
  const vacant = [];
  position.held.forEach((held, ring) => { if (held === VACANT) vacant.push(ring); });
  const free = freeRings(position.board, position.held);
  position.rack.forEach((count, colour) => {
    if (!count) return;
    for (const ring of vacant) {
      const removable = free.filter((other) => other !== ring);
      for (const removed of removable.length ? removable : [-1]) moves.push({ kind: "place", colour: colour + 1, ring, removed });
    }
  });
  return moves;
}

// The vacant rings that can be slid out: two consecutive sides have no ring (section 3.3).
export function freeRings(board, held) {
  const free = [];
  const isGap = (at) => board.neighbour[at] < 0 || held[board.neighbour[at]] === GONE;
  for (let ring = 0; ring < board.count; ring++) {
    if (held[ring] !== VACANT) continue;
    for (let side = 0, before = isGap(6 * ring + 5); side < 6; side++) {
      const gap = isGap(6 * ring + side);
      if (gap && before) { free.push(ring); break; }
      before = gap;
    }
  }
  return free;
}

// The rings of full groups, which no vacant ring can reach (section 4).
export function fullGroups(board, held) {
  const reached = new Uint8Array(board.count);
  const waiting = [];
  held.forEach((one, ring) => { if (one === VACANT) { reached[ring] = 1; waiting.push(ring); } });
  while (waiting.length) {
    const ring = waiting.pop();
    for (let at = 6 * ring; at < 6 * ring + 6; at++) {
      const other = board.neighbour[at];
      if (other >= 0 && held[other] !== GONE && !reached[other]) { reached[other] = 1; waiting.push(other); }
    }
  }
  const full = [];
  held.forEach((one, ring) => { if (isMarble(one) && !reached[ring]) full.push(ring); });
  return full;
}

function pass(position, passes) {
  position.passes = passes;
  position.side = 1 - position.side;
  if (passes === 2) Object.assign(position, { ending: "no-move", winner: 0 });
}

function place(position, { colour, ring, removed, claim }) {
  position.rack[colour - 1] -= 1;
  position.held[ring] = colour;
  if (removed >= 0) position.held[removed] = GONE;
  // A filled board goes to the mover as a whole, below; under written claims a group is taken only if the move says so.
  const filled = !position.held.includes(VACANT);
  take(position, filled ? [] : claim ?? (position.rules.written ? [] : fullGroups(position.board, position.held)));
  endTurn(position);
}

function capture(position, { ring, jumps }) {
  let at = ring;
  for (const { over, to } of jumps) {
    position.captured[position.side][position.held[over] - 1] += 1;
    position.held[to] = position.held[at];
    position.held[at] = position.held[over] = VACANT;
    at = to;
  }
  endTurn(position);
}

// Gives these rings and the marbles on them to the mover.
function take(position, rings) {
  for (const ring of rings) {
    if (position.held[ring] === GONE) continue;
    if (position.held[ring] !== VACANT) position.captured[position.side][position.held[ring] - 1] += 1;
    position.held[ring] = GONE;
    position.claimed.push(ring);
  }
}

// Winning sets, the filled board, both lose, the other player's turn (section 5).
function endTurn(position) {
  const { rules, side, captured } = position;
  const filled = !position.held.includes(VACANT);
  if (rules.tournament && !sum(position.pool) && !sum(captured[0]) && !sum(captured[1])) {
    Object.assign(position, { ending: "both-lose", winner: 0 });
  } else {
    if (filled) take(position, [...position.held.keys()]);
    const names = setNames(rules);
    position.sets = missing(rules, captured[side]).flatMap((count, number) => (count ? [] : [names[number]]));
    if (position.sets.length || filled)
      Object.assign(position, { ending: position.sets.length ? "set" : "board-filled", winner: side + 1 });
  }
  position.claimed.sort((one, other) => one - other);
  position.side = 1 - side;
}
