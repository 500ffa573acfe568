// Answers the lines `BOARD PICK POSITION` of playouts.py, after a line with the boards: one line for each.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const frontend = pathToFileURL(`${process.argv[2]}/`);
const load = (name) => import(new URL(name, frontend));
const { Boards } = await load("archive/boards.js");
const { canonicalise, decoder, leastMoveCode } = await load("rules/keys.js");
const { parsePosition, playAndWrite, writeMove, writePosition } = await load("rules/notation.js");
const { freeRings, fullGroups } = await load("rules/position.js");

class Hash {
  constructor() { this.one = this.other = 0; }

  add(word) {
    this.one = Math.imul(this.one ^ word, 16777619) >>> 0;
    this.other = Math.imul((this.other ^ (this.other >>> 15)) + word, 0x2c1b3c6d) >>> 0;
  }

  get text() { return `${this.one}.${this.other}`; }
}

function hashRings(rings) {
  const hash = new Hash();
  for (const ring of rings) hash.add(ring);
  return hash.text;
}

function hashMoves(moves) {
  const hash = new Hash();
  for (const { kind, colour, ring, removed, jumps } of moves) {
    if (kind === "place") hash.add(((colour - 1) << 16) | (ring << 8) | (removed + 1));
    else if (kind === "pass") hash.add(1 << 22);
    else {
      hash.add((1 << 20) | ring);
      for (const jump of jumps) hash.add((1 << 21) | ((jump.colour - 1) << 8) | jump.to);
    }
  }
  return hash.text;
}

function answer(text, boards, pick) {
  const position = parsePosition(text, boards);
  const { board } = position;
  const { low, high, keys, symmetry } = canonicalise(position);
  const legal = position.legalMoves();
  const move = legal[pick % legal.length];
  const code = leastMoveCode(keys, symmetry, move);
  const { text: written, after } = playAndWrite(position, move);
  return [
    writePosition(position), (BigInt(high) << 32n) + BigInt(low >>> 0), symmetry, Number(position.captureIsDue),
    hashRings(freeRings(board, position.held)), hashRings(fullGroups(board, position.held)), legal.length, hashMoves(legal), written, code,
    writeMove(board, decoder(position)(code)), writePosition(after), after.ending, after.winner, after.sets, hashRings(after.claimed),
  ].join("\t");
}

const [described, ...lines] = readFileSync(0, "utf8").trimEnd().split("\n");
// One board at a time, since the text of a custom position fits every board that has its rings.
const alone = JSON.parse(described).map((one) => new Boards([one]));
process.stdout.write(lines.map((line) => {
  const [board, pick, ...words] = line.split(" ");
  return `${answer(words.join(" "), alone[board], Number(pick))}\n`;
}).join(""));
