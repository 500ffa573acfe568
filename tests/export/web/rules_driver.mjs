// Answers questions about positions for test_rules.py: one JSON line for each JSON line of the input.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const frontend = pathToFileURL(`${process.argv[2]}/`);
const load = (name) => import(new URL(name, frontend));
const { Boards } = await load("archive/boards.js");
const { canonicalise, decoder, leastMoveCode } = await load("rules/keys.js");
const { parsePosition, playAndWrite, writeMove, writePosition } = await load("rules/notation.js");
const { freeRings, fullGroups } = await load("rules/position.js");

let boards;
const names = (board, rings) => rings.map((ring) => board.rings[ring]);
const key = ({ low, high }) => String((BigInt(high) << 32n) + BigInt(low >>> 0));

// board: the one that is meant, since the text of a custom position fits every board that has its rings.
function answer({ described, position: text, board: id, pick }) {
  if (described) { boards = new Boards(described); return {}; }
  const only = Object.assign(Object.create(Boards.prototype), { all: boards.all.filter((one) => one.id === id) });
  const position = parsePosition(text, only);
  const { keys, symmetry, ...halves } = canonicalise(position);
  const decode = decoder(position);
  const legal = position.legalMoves();
  const move = legal[pick % legal.length];
  const played = move && playAndWrite(position, move);
  return {
    text: writePosition(position), key: key(halves), symmetry, due: position.captureIsDue, free: names(position.board, freeRings(position.board, position.held)),
    full: names(position.board, fullGroups(position.board, position.held)), legal: legal.map((one) => writeMove(position.board, one)),
    move: played?.text, code: move && leastMoveCode(keys, symmetry, move), decoded: move && writeMove(position.board, decode(leastMoveCode(keys, symmetry, move))),
    after: played && writePosition(played.after), ending: played?.after.ending, winner: played?.after.winner, sets: played?.after.sets,
    claimed: played && names(position.board, played.after.claimed),
  };
}

for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(answer(JSON.parse(line))));
