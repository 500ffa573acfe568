// Replays all games once, into a position for each ply: its key, the code of the next move, what each side holds.
//
// The rings are in bitmaps of positions: for a ring and a content (removed, vacant, white, grey, black), a bit for each position. So a
// pattern is a few ANDs of whole bitmaps (search.js), instead of a look at each position. Records were checked when they were imported:
// nothing is checked here.
import { canonicalise, Keys, leastMoveCode, moveCode, NO_MOVE } from "../rules/keys.js";
import { parsePosition } from "../rules/notation.js";
import { GONE, Position, VACANT } from "../rules/position.js";
import { parseRules } from "../rules/rule_sets.js";

const [SPACE, COMMA, MINUS, LOWER_X] = [..." ,-x"].map((letter) => letter.charCodeAt(0));
const COLOUR_OF = { 87: 1, 71: 2, 66: 3 }; // W G B
export const COUNTS = 9; // pool, captures of player 1, of player 2; each white, grey, black
export const CONTENTS = 5; // vacant, white, grey, black, removed
const CHUNK = 1024; // games between two pauses, some 30 ms
const LONGEST_CHAIN = 9; // jumps whose directions and colours one number holds exactly, on any board

// The positions of all games on one board; game g has the rows firsts[g - from] … .
class Group {
  constructor(board, from, to, plies) {
    this.board = board;
    this.from = from;
    this.to = to;
    let rows = 0;
    this.firsts = new Uint32Array(to - from + 1);
    for (let game = from; game < to; game++) this.firsts[game - from + 1] = rows += plies[game] + 1;
    this.rows = rows;
    this.words = Math.ceil(rows / 32);
    this.low = new Int32Array(rows);
    this.high = new Int32Array(rows);
    this.next = new Float64Array(rows); // codes of captures have more than 32 bits
    this.game = new Int32Array(rows);
    this.side = new Uint8Array(rows);
    this.counts = new Uint8Array(COUNTS * rows);
    this.onBoard = new Uint8Array(CONTENTS * rows); // numbers of rings by what they hold
    this.move = new Int32Array(rows); // the number of the next move as it lies in the game
    this.moves = []; // for each such number a row with this move
    this.text = new Uint32Array(rows); // where the next move is in the movetext
    this.bitmaps = Array.from({ length: board.count * CONTENTS }, () => new Int32Array(this.words)); // signed: faster than unsigned, whose values may need 64 bits
    this.summaries = []; // of bitmaps, made when a search needs them (scan.js)
  }

  ply(row) { return row - this.firsts[this.game[row] - this.from]; }

  bitmap(ring, held) { return this.bitmaps[CONTENTS * ring + held]; }

  // The next move of a row, as it was played, without its claim; null where the game ended.
  moveText(row, { text }) {
    if (this.next[row] === NO_MOVE) return null;
    const move = text.slice(this.text[row], this.text[row + 1] - 1);
    const claim = move.indexOf(" x ");
    return claim < 0 ? move : move.slice(0, claim);
  }

  // What a ring holds in a row.
  held(ring, row) {
    const [word, bit] = [row >>> 5, 1 << (row & 31)];
    for (let held = 0; held < CONTENTS; held++) if (this.bitmap(ring, held)[word] & bit) return held;
    return GONE;
  }
}

// Replays all games of an archive. The games of one board are neighbours. pause: an asynchronous function that is called now and then with
// the number of games that are replayed.
export async function replayAll(archive, pause = () => {}) {
  const groups = [];
  for (let from = 0; from < archive.games;) {
    let to = from;
    while (to < archive.games && archive.columns.board[to] === archive.columns.board[from]) to += 1;
    groups.push(await replayGroup(archive, new Group(archive.board(from), from, to, archive.columns.plies), pause));
    from = to;
  }
  return groups;
}

async function replayGroup(archive, group, pause) {
  const starts = new Map();
  const player = new Player(group, archive.moves);
  for (let game = group.from; game < group.to; game++) {
    const key = `${archive.columns.rules.at[game]} ${archive.columns.start.at[game]}`;
    if (!starts.has(key)) starts.set(key, makeStart(archive, game));
    player.play(game, starts.get(key), archive.begins[game], archive.begins[game + 1] - 1);
    if (game % CHUNK === 0) await pause(game);
  }
  player.finish();
  return group;
}

function makeStart(archive, game) {
  const position = startOf(archive, game);
  return { position, keys: canonicalise(position).keys };
}

// The position before a game's first ply.
export function startOf(archive, game) {
  const [start, rules] = [archive.fact("start", game), parseRules(archive.fact("rules", game))];
  if (!start) return Position.start(archive.board(game), rules);
  const parsed = parsePosition(start, archive.boards);
  parsed.rules = rules;
  return parsed;
}

// Plays the games of a group, byte by byte of their movetext, and writes the rows.
class Player {
  constructor(group, bytes) {
    Object.assign(this, { group, bytes, row: 0 });
    this.keys = new Keys(group.board);
    this.held = new Uint8Array(group.board.count);
    this.since = new Uint32Array(group.board.count); // the row from which a ring has held what it holds
    this.counts = new Uint8Array(COUNTS);
    this.onBoard = new Uint8Array(CONTENTS);
    this.onBoard[VACANT] = group.board.count;
    this.placements = new Int32Array(3 * group.board.count * (group.board.count + 1)).fill(-1); // numbers of moves, like those of others
    this.others = new Map();
  }

  play(game, { position, keys }, begin, end) {
    Object.assign(this, { game, at: begin, end, side: position.side });
    this.keys.low.set(keys.low);
    this.keys.high.set(keys.high);
    position.held.forEach((held, ring) => { if (this.held[ring] !== held) this.note(ring, held); });
    this.counts.set([...position.pool, ...position.captured.flat()]);
    while (this.at < end) this.turn();
    this.begin = end + 1;
    this.write(NO_MOVE);
  }

  // One ply: reads the move, writes the row before it, and makes it.
  turn() {
    const { bytes } = this;
    this.begin = this.at;
    const first = bytes[this.at];
    if (first === MINUS) {
      this.write(moveCode(this.group.board, null, { kind: "pass" }), this.keys.least(), this.numberOther("-"));
      this.at += 2;
    } else if (first === LOWER_X) this.capture();
    else this.place(COLOUR_OF[first]);
    this.side = 1 - this.side;
  }

  place(colour) {
    this.at += 1;
    const ring = this.ring();
    let removed = -1;
    if (this.bytes[this.at] === COMMA) { this.at += 1; removed = this.ring(); }
    this.writeBefore({ kind: "place", colour, ring, removed }, this.numberPlacement(colour, ring, removed));
    const pool = this.counts[0] + this.counts[1] + this.counts[2];
    this.counts[(pool ? 0 : 3 + 3 * this.side) + colour - 1] -= 1;
    this.change(ring, colour);
    if (removed >= 0) this.change(removed, GONE);
    this.at += 1;
    // A claim: x and marbles, where a capture has x and a ring.
    if (this.bytes[this.at] === LOWER_X && COLOUR_OF[this.bytes[this.at + 2]] && this.at < this.end) this.claim();
  }

  claim() {
    this.at += 2;
    while (this.at < this.end && this.bytes[this.at] !== SPACE) {
      const colour = COLOUR_OF[this.bytes[this.at]];
      this.at += 1;
      this.change(this.ring(), GONE);
      this.counts[3 + 3 * this.side + colour - 1] += 1;
    }
    this.at += 1;
  }

  capture() {
    const { board } = this.group;
    this.at += 2;
    const start = this.ring();
    const jumps = [];
    // From this number on, longer chains have greater keys than shorter ones: no two captures have the same.
    let [ring, key] = [start, board.count + start];
    while (this.at < this.end && this.bytes[this.at] !== SPACE) {
      const colour = COLOUR_OF[this.bytes[this.at]];
      this.at += 1;
      const to = this.ring();
      let place = 6 * ring;
      while (board.landing[place] !== to) place += 1;
      jumps.push({ over: board.neighbour[place], to, colour });
      key = 24 * key + 4 * (place - 6 * ring) + colour;
      ring = to;
    }
    if (jumps.length > LONGEST_CHAIN) key = String.fromCharCode(...this.bytes.subarray(this.begin, this.at));
    this.at += 1;
    this.writeBefore({ kind: "capture", ring: start, jumps }, this.numberOther(key));
    ring = start;
    for (const { over, to, colour } of jumps) {
      this.change(to, this.held[ring]);
      this.change(ring, VACANT);
      this.change(over, VACANT);
      this.counts[3 + 3 * this.side + colour - 1] += 1;
      ring = to;
    }
  }

  // Reads a ring's name and returns its number.
  ring() {
    const letter = this.bytes[this.at];
    let number = this.bytes[this.at + 1] - 48;
    this.at += 2;
    const digit = this.bytes[this.at] - 48;
    if (digit >= 0 && digit < 10 && this.at < this.end) { number = 10 * number + digit; this.at += 1; }
    return this.group.board.ringAt(letter, number);
  }

  change(ring, held) {
    this.keys.toggle(ring, this.held[ring]);
    this.keys.toggle(ring, held);
    this.note(ring, held);
  }

  // From this row on a ring holds something else: the bits of what it held are filled in at once.
  note(ring, held) {
    fillBits(this.group.bitmap(ring, this.held[ring]), this.since[ring], this.row);
    this.onBoard[this.held[ring]] -= 1;
    this.onBoard[held] += 1;
    this.since[ring] = this.row;
    this.held[ring] = held;
  }

  // The number of a move in the order of the first rows with such a move.
  numberPlacement(colour, ring, removed) {
    const { count } = this.group.board;
    const at = ((colour - 1) * count + ring) * (count + 1) + removed + 1;
    if (this.placements[at] < 0) this.placements[at] = this.group.moves.push(this.row) - 1;
    return this.placements[at];
  }

  numberOther(key) {
    let number = this.others.get(key);
    if (number === undefined) this.others.set(key, number = this.group.moves.push(this.row) - 1);
    return number;
  }

  writeBefore(move, number) {
    const first = this.keys.least();
    this.write(leastMoveCode(this.keys, first, move), first, number);
  }

  write(code, first = this.keys.least(), number = NO_MOVE) {
    const { group, row, keys } = this;
    group.low[row] = keys.low[first];
    group.high[row] = keys.high[first];
    group.next[row] = code;
    group.move[row] = number;
    group.game[row] = this.game;
    group.side[row] = this.side;
    group.text[row] = this.begin;
    group.counts.set(this.counts, COUNTS * row);
    group.onBoard.set(this.onBoard, CONTENTS * row);
    this.row += 1;
  }

  finish() { this.held.forEach((held, ring) => this.note(ring, held)); }
}

function fillBits(words, from, to) {
  if (from >= to) return;
  const [first, last] = [from >>> 5, (to - 1) >>> 5];
  const [head, tail] = [-1 << (from & 31), -1 >>> (31 - ((to - 1) & 31))];
  if (first === last) { words[first] |= head & tail; return; }
  words[first] |= head;
  for (let word = first + 1; word < last; word++) words[word] = -1;
  words[last] |= tail;
}
