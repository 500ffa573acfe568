// Finds rows by ANDs of the bitmaps of rings (replay.js). A way to match is { asked }: rings with what they may hold, the rarest first.
import { CONTENTS } from "./replay.js";

export const ANYTHING = 31; // all contents
const BLOCK = 16; // words of a summary, for 512 words of each bitmap

export function makeBitmap({ words }, fill = 0) { return new Int32Array(words).fill(fill); }

// The ways to match a group's rows. A summary has a bit for each word of a bitmap that is not zero: most words are passed over by an AND of
// summaries, which are 32 times shorter. All ways go over one block of rows before the next, whose words stay in the processor's cache.
export class Ways {
  constructor(group, ways) {
    const known = new Map();
    const setOf = ([ring, allowed]) => {
      const key = (ring << 5) | allowed;
      if (!known.has(key)) known.set(key, makeSet(group, ring, allowed));
      return known.get(key);
    };
    this.group = group;
    this.sets = ways.map(({ asked }) => asked.map(setOf));
  }

  // The bitmap of the rows that match in one of the ways.
  match() {
    const rest = makeBitmap(this.group, -1);
    if (this.group.rows % 32) rest[rest.length - 1] = 2 ** (this.group.rows % 32) - 1;
    const found = rest.slice();
    this.take(rest);
    for (let word = 0; word < found.length; word++) found[word] &= ~rest[word];
    return found;
  }

  // For each row of a bitmap, which all match, the number of a way that matches.
  find(bits) {
    const wayOf = new Uint16Array(this.group.rows);
    this.take(bits, (found, word, number) => {
      for (let left = found; left; left &= left - 1) wayOf[32 * word + lowestBit(left)] = number;
    });
    return wayOf;
  }

  // Removes from a bitmap the rows that match, and reports them.
  take(rest, report = null) {
    const left = summarise(rest);
    for (let from = 0; from < left.length; from += BLOCK) {
      const to = Math.min(from + BLOCK, left.length);
      for (let number = 0; number < this.sets.length; number++) takeWay(this.sets[number], from, to, number, rest, left, report);
    }
  }
}

export function lowestBit(bits) { return 31 - Math.clz32(bits & -bits); }

// Removes from a bitmap the rows that fail a test (null: none does).
export function keepRows(bits, test) {
  if (!test) return bits;
  for (let word = 0; word < bits.length; word++)
    for (let left = bits[word]; left; left &= left - 1) {
      const bit = lowestBit(left);
      if (!test(32 * word + bit)) bits[word] &= ~(1 << bit);
    }
  return bits;
}

function takeWay(sets, from, to, number, rest, left, report) {
  const [first = null, second = first, third = second] = sets;
  for (let at = from; at < to; at++) {
    let marked = first === null ? left[at] : left[at] & first.summary[at] & second.summary[at] & third.summary[at];
    for (let one = 3; marked !== 0 && one < sets.length; one++) marked &= sets[one].summary[at];
    for (; marked !== 0; marked &= marked - 1) {
      const bit = lowestBit(marked);
      const word = 32 * at + bit;
      let found = first === null ? rest[word] : rest[word] & first.words[word] & second.words[word] & third.words[word];
      for (let one = 3; found !== 0 && one < sets.length; one++) found &= sets[one].words[word];
      if (found === 0) continue;
      if ((rest[word] &= ~found) === 0) left[at] &= ~(1 << bit);
      if (report !== null) report(found, word, number);
    }
  }
}

function summarise(words) {
  const summary = new Int32Array(Math.ceil(words.length / 32));
  for (let word = 0; word < words.length; word++) if (words[word] !== 0) summary[word >>> 5] |= 1 << (word & 31);
  return summary;
}

// The rows in which a ring holds one of some contents, with a summary of them.
function makeSet(group, ring, allowed) {
  const bitmaps = [];
  for (let held = 0; held < CONTENTS; held++) if (allowed & (1 << held)) bitmaps.push(CONTENTS * ring + held);
  if (bitmaps.length > 1) return unite(bitmaps.map((number) => group.bitmaps[number]));
  const words = group.bitmaps[bitmaps[0]];
  return { words, summary: (group.summaries[bitmaps[0]] ??= summarise(words)) };
}

function unite([first, second, ...others]) {
  const words = new Int32Array(first.length);
  for (let word = 0; word < words.length; word++) words[word] = first[word] | second[word];
  for (const other of others) for (let word = 0; word < words.length; word++) words[word] |= other[word];
  return { words, summary: summarise(words) };
}
