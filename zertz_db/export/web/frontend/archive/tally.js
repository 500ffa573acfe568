// Sums the rows that a search found: games, plies, the latest games, the next moves and the years.
import { NO_MOVE } from "../rules/keys.js";
import { lay } from "./lattice.js";
import { lowestBit, makeBitmap } from "./scan.js";
import { share } from "./wilson.js";

// Returns { games, plies (all matches), hits (the latest game first), moves (number of all continuations), continuations, years }.
// parts: { group, bits, ways, found, cells, moveOf(row), nameMove(move, way) }; bits: a bitmap of the rows; ways: those in which a row may match,
// of which `found` (scan.js) finds one for each row; without them moveOf gives what the next move is. nameMove: its text as the asker would write it.
// every: all matches of a game count in the tables, not only its first. limit: number of hits. most: number of continuations.
export function collect(archive, parts, { passes = null, every = false, limit = 100, most = Infinity } = {}) {
  const [moves, years] = [new Sums(), new Sums()];
  const counted = parts.map((part) => countRows(part, passes, every));
  parts.forEach((part, number) => sumRows(archive, part, counted[number], moves, years));
  const sum = (name) => counted.reduce((all, one) => all + one[name], 0);
  return {
    games: sum("games"), plies: sum("plies"), hits: listLatest(archive, parts, counted, limit), moves: moves.size,
    continuations: moves.sort(compareMatches, most), years: years.sort((one, other) => one.key - other.key),
  };
}

// Returns { games, plies, rows }: rows are the first of each game that passes, or every row; in order, with the rows of a game together.
function countRows({ group, bits }, passes, every) {
  const { firsts, from } = group;
  const rows = [];
  let [games, plies] = [0, 0];
  for (let number = 0; number + 1 < firsts.length; number++) {
    const last = firsts[number + 1] - 1;
    let isCounted = false;
    for (let word = firsts[number] >>> 5; word <= last >>> 5; word++) {
      let left = bits[word];
      if (left === 0) continue;
      if (word === firsts[number] >>> 5) left &= -1 << (firsts[number] & 31);
      if (word === last >>> 5) left &= -1 >>> (31 - (last & 31));
      if (left === 0) continue;
      if (!isCounted) {
        if (passes && !passes(from + number)) break;
        [isCounted, games] = [true, games + 1];
        rows.push(32 * word + lowestBit(left));
        if (every) for (let more = left & (left - 1); more; more &= more - 1) rows.push(32 * word + lowestBit(more));
      } else if (every) for (let more = left; more; more &= more - 1) rows.push(32 * word + lowestBit(more));
      plies += countBits(left);
    }
  }
  return { games, plies, rows };
}

function countBits(bits) {
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

// Sums the counted rows by next move and by year. Moves are summed by number first: their texts are made once for each number.
function sumRows(archive, part, counted, moves, years) {
  const { group, ways, found, moveOf = (row) => group.move[row] } = part;
  const size = group.moves.length + 1;
  const wayOf = ways && ways.length > 1 ? found.find(setBits(group, counted.rows)) : null;
  counted.wayOf = wayOf;
  const byNumber = new Sums();
  for (const row of counted.rows) {
    const game = group.game[row];
    const score = archive.score(game, group.side[row]);
    const move = group.next[row] === NO_MOVE ? NO_MOVE : moveOf(row);
    byNumber.add(wayOf && move !== NO_MOVE ? wayOf[row] * size + move : move, score);
    years.add(archive.certainYear[game], score);
  }
  moves.merge(byNumber, (key) => {
    if (key === NO_MOVE) return null;
    return wayOf ? part.nameMove(key % size, ways[Math.floor(key / size)].way) : part.nameMove(key, ways?.[0].way);
  });
}

function setBits(group, rows) {
  const bits = makeBitmap(group);
  for (const row of rows) bits[row >>> 5] |= 1 << (row & 31);
  return bits;
}

// The rows of the latest games, in their order.
function listLatest(archive, parts, counted, limit) {
  const begins = new Int32Array(archive.games).fill(-1); // by rank of game: its first place in its part's rows
  const partOf = new Uint8Array(archive.games);
  counted.forEach(({ rows }, number) => {
    const { game } = parts[number].group;
    for (let at = rows.length - 1; at >= 0; at--) {
      const rank = archive.rank[game[rows[at]]];
      begins[rank] = at;
      partOf[rank] = number;
    }
  });
  const hits = [];
  for (let rank = 0; rank < begins.length && hits.length < limit; rank++) {
    if (begins[rank] < 0) continue;
    const [part, { rows, wayOf }] = [parts[partOf[rank]], counted[partOf[rank]]];
    const game = archive.newest[rank];
    for (let at = begins[rank]; at < rows.length && part.group.game[rows[at]] === game && hits.length < limit; at++)
      hits.push(describeHit(part, rows[at], part.ways?.[wayOf ? wayOf[rows[at]] : 0].way));
  }
  return hits;
}

// A hit: game, ply, side, next move, and the rings under the pattern's cells, `-` beyond the edge.
function describeHit({ group, cells = [], moveOf = (row) => group.move[row], nameMove }, row, way) {
  const shown = cells.map(({ cell }) => group.board.rings[group.board.ringOn(lay(way, cell))] ?? "-");
  const next = group.next[row] === NO_MOVE ? null : nameMove(moveOf(row), way);
  return { game: group.game[row], ply: group.ply(row), side: group.side[row] + 1, next, cells: shown };
}

const compareMatches = (one, other) => other.matches - one.matches || (one.key < other.key ? -1 : 1);

// Matches, wins, ties and losses by a key. Numbers of the key in slot s are at 4s: one array, because a search may have thousands of keys.
class Sums {
  constructor() {
    this.slots = new Map();
    this.numbers = new Int32Array(4 * 64);
  }

  get size() { return this.slots.size; }

  // Where a key's numbers begin.
  at(key) {
    let slot = this.slots.get(key);
    if (slot === undefined) {
      this.slots.set(key, slot = this.slots.size);
      if (4 * slot === this.numbers.length) {
        const longer = new Int32Array(8 * slot);
        longer.set(this.numbers);
        this.numbers = longer;
      }
    }
    return 4 * slot;
  }

  add(key, score) {
    const at = this.at(key);
    this.numbers[at] += 1;
    if (score !== null) this.numbers[at + 2 - score] += 1;
  }

  // Adds the sums of others, whose keys get other names.
  merge(others, rename) {
    for (const [key, slot] of others.slots) {
      const at = this.at(rename(key));
      for (let number = 0; number < 4; number++) this.numbers[at + number] += others.numbers[4 * slot + number];
    }
  }

  // The first sums in an order, the one without a key last, each with its share.
  sort(compare, most = Infinity) {
    let keys = [...this.slots];
    if (keys.length > most) {
      const least = Int32Array.from(keys, ([, slot]) => -this.numbers[4 * slot]).sort()[most];
      keys = keys.filter(([key, slot]) => key === null || -this.numbers[4 * slot] <= least); // those that can be among the first
    }
    const sums = keys.map(([key, slot]) => {
      const [matches, wins, ties, losses] = this.numbers.subarray(4 * slot, 4 * slot + 4);
      return { key, matches, wins, ties, losses };
    });
    sums.sort((one, other) => (one.key === null) - (other.key === null) || compare(one, other));
    return sums.slice(0, most).map((sum) => ({ ...sum, ...share(sum.wins + sum.ties / 2, sum.wins + sum.ties + sum.losses) }));
  }
}
