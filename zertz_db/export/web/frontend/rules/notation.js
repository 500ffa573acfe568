// Official notation of moves, and position strings.
import { COLOURS, GONE, Position } from "./position.js";
import { missing, parseRules } from "./rule_sets.js";

const MARBLE = /([WGB])([a-q](?:1[0-2]|[1-9]))/g;
const PLACEMENT = /^([WGB])([a-q]\d+)(?:,([a-q]\d+))?(?: x ((?:[WGB][a-q]\d+)+))?$/;
const CAPTURE = /^x ([a-q]\d+)((?:[WGB][a-q]\d+)+)$/;
const POSITION = /^(\S+) (\S+) (\S+) (\S+) (\S+) (\S+) ([12])(?: ([01]))?$/;
const COLUMN = /^([a-q])(-?\d{1,2}):([oWGB.]{1,12})$/;

// The moves of a text in canonical notation; numbers of turns are left out.
export function splitMoves(text) {
  const moves = [];
  const words = text.split(/\s+/).filter((word) => word && !/^\d+\.+$/.test(word));
  for (let at = 0; at < words.length; at++) {
    if (words[at] !== "x") moves.push(words[at]);
    else if (/^[WGB]/.test(words[at + 1] ?? "") && moves.length) moves[moves.length - 1] += ` x ${words[++at]}`;
    else moves.push(`x ${words[++at] ?? ""}`);
  }
  return moves;
}

// A move of a record on a board, with its claim as written. Throws for text that is no move on this board.
export function parseMove(board, text) {
  if (text === "-") return { kind: "pass" };
  const number = (ring) => {
    const found = board.ring(ring);
    if (found < 0) throw new Error(`the board has no ring ${ring}`);
    return found;
  };
  const placed = PLACEMENT.exec(text);
  if (placed) {
    const [, colour, ring, removed, claim = ""] = placed;
    return {
      kind: "place", colour: COLOURS.indexOf(colour) + 1, ring: number(ring), removed: removed ? number(removed) : -1,
      claim: [...claim.matchAll(MARBLE)].map(([, , claimed]) => number(claimed)),
    };
  }
  const jumped = CAPTURE.exec(text);
  if (!jumped) throw new Error(`${text} is no move`);
  let at = number(jumped[1]);
  const jumps = [...jumped[2].matchAll(MARBLE)].map(([, colour, landing]) => {
    const to = number(landing);
    const place = board.landing.subarray(6 * at, 6 * at + 6).indexOf(to);
    if (place < 0) throw new Error(`${text}: no jump leads to ${landing}`);
    const over = board.neighbour[6 * at + place];
    at = to;
    return { over, to, colour: COLOURS.indexOf(colour) + 1 };
  });
  return { kind: "capture", ring: number(jumped[1]), jumps };
}

// A move in notation, without claims.
export function writeMove(board, move) {
  if (move.kind === "pass") return "-";
  const { rings } = board;
  if (move.kind === "capture")
    return `x ${rings[move.ring]}${move.jumps.map(({ colour, to }) => COLOURS[colour - 1] + rings[to]).join("")}`;
  return `${COLOURS[move.colour - 1]}${rings[move.ring]}${move.removed >= 0 ? `,${rings[move.removed]}` : ""}`;
}

// A legal move in canonical notation with its claims, and the position after it.
export function playAndWrite(position, move) {
  const after = position.play(move);
  const { rings } = position.board;
  const held = (ring) => (move.kind === "place" && ring === move.ring ? move.colour : position.held[ring]);
  const claimed = [...after.claimed].sort((one, other) => compareRings(rings[one], rings[other]));
  // A filled board has no vacant ring, so every claimed ring holds a marble.
  const claim = claimed.map((ring) => `${COLOURS[held(ring) - 1]}${rings[ring]}`).join("");
  return { after, text: writeMove(position.board, move) + (claim && ` x ${claim}`) };
}

function compareRings(one, other) { return one.charCodeAt(0) - other.charCodeAt(0) || one.slice(1) - other.slice(1); }

// The legal move with this text (with or without its claims); throws if there is none.
export function findMove(position, text) {
  const plain = text.startsWith("x ") ? text : text.split(" x ")[0];
  const found = position.legalMoves().find((move) => writeMove(position.board, move) === plain);
  if (!found) throw new Error(`${text} is not legal here`);
  return found;
}

const SIGNS = "oWGB.";

// The content of each ring, in the board's order: W G B, o vacant, . removed.
export function layoutOf({ held }) { return Array.from(held, (one) => SIGNS[one]).join(""); }

// The position string: BOARD RULES LAYOUT POOL CAPTURES1 CAPTURES2 SIDE [PASSES].
export function writePosition(position) {
  const { board, held, rules, pool, captured, side, passes } = position;
  const columns = board.columns.map(([letter, bottom, length]) => {
    const signs = Array.from({ length }, (_, number) => {
      const ring = board.ring(`${letter}${number + 1}`);
      return ring < 0 ? "." : SIGNS[held[ring]];
    }).join("");
    return board.isCustom ? `${letter}${bottom}:${signs}` : signs;
  });
  const counts = [pool, ...captured].map((one) => one.join("/")).join(" ");
  return `${board.name} ${rules.text} ${columns.join("/")} ${counts} ${side + 1}${passes ? ` ${passes}` : ""}`;
}

// The position of a position string. boards: an object with `find(name, rings)`, as of archive/boards.js. Throws for a text that is none.
export function parsePosition(text, boards) {
  const match = POSITION.exec(text.trim().replace(/\s+/g, " "));
  if (!match) throw new Error("a position is written BOARD RULES LAYOUT POOL CAPTURES1 CAPTURES2 SIDE [PASSES]");
  const [, name, rules, layout, pool, first, second, side, passes] = match;
  const parts = layout.split("/");
  const board = name === "custom" ? boards.custom(parts.map(parseColumn)) : boards.standard(name);
  if (parts.length !== board.columns.length) throw new Error(`board ${name} has ${board.columns.length} columns, the layout ${parts.length}`);
  const held = new Uint8Array(board.count).fill(GONE);
  parts.forEach((part, number) => {
    const [letter, , length] = board.columns[number];
    const signs = name === "custom" ? parseColumn(part).signs : part;
    if (signs.length !== length || /[^oWGB.]/.test(signs)) throw new Error(`column ${letter} takes ${length} of o W G B . but is ${signs}`);
    [...signs].forEach((sign, row) => {
      const ring = board.ring(`${letter}${row + 1}`);
      if (ring >= 0) held[ring] = SIGNS.indexOf(sign);
    });
  });
  const [ofPool, ofFirst, ofSecond] = [pool, first, second].map(parseCounts);
  const rule = parseRules(rules);
  const position = new Position(board, rule, {
    held, pool: ofPool, captured: [ofFirst, ofSecond], side: Number(side) - 1, passes: Number(passes ?? 0),
  });
  // Links lead to the last positions of games too. A player who holds a winning set has won.
  const winner = position.captured.findIndex((captured) => missing(rule, captured).includes(0));
  return winner < 0 ? position : Object.assign(position, { ending: "set", winner: winner + 1 });
}

function parseColumn(part) {
  const match = COLUMN.exec(part);
  if (!match) throw new Error(`a custom board's column is written like a-3:oooo, not ${part}`);
  return { letter: match[1], bottom: Number(match[2]), signs: match[3] };
}

function parseCounts(text) {
  if (!/^\d{1,2}\/\d{1,2}\/\d{1,2}$/.test(text)) throw new Error(`counts are three numbers such as 5/8/10, not ${text}`);
  return text.split("/").map(Number);
}
