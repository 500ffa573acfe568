// Reads patterns, as zertz_db/queries/search/pattern.lark describes them: a drawing of rows, or named rings, and limits.
const TOKENS = [
  ["ring", /[a-q](?:1[0-2]|[1-9]):/y],
  ["limit", /([a-z][a-z0-9]*(?:\.[a-z]+)?)(?::=?([<>]=?)?|([<>]=?)|=)(\d+)(?![\w+])/y],
  ["turned", /turned/y],
  ["back", /</y],
  ["row", /\//y],
  ["cell", /!?(?:[WGBo.*#?]|\[[WGBo.*#]+\])/y],
];
const STATES = "oWGB."; // numbered as contents of rings
const WILD = { "*": "WGB", "#": "oWGB", "?": STATES };
const HOLDERS = ["marbles", "pool", "mover", "opponent", "player1", "player2"];
export const QUANTITIES = ["rings", "side", ...HOLDERS.flatMap((holder) => [holder, ...["white", "grey", "black"].map((colour) => `${holder}.${colour}`)])];

// The contents that a sign allows, as bits.
export function allowed(sign) {
  const signs = sign.replace(/[![\]]/g, "");
  let bits = 0;
  for (const one of signs) for (const state of WILD[one] ?? one) bits |= 1 << STATES.indexOf(state);
  if (sign.startsWith("!")) bits = ~bits & 31;
  if (!bits) throw new Error(`${sign} allows nothing at all`);
  return bits;
}

// Returns { cells, rings, limits, board, turned }: cells is a list of { cell: [q, r], allowed } of a drawing, rings one of { ring, allowed }.
export function parsePattern(text, boardNames) {
  if (!text.trim()) throw new Error("the pattern is empty; write cells, for example W * o, or a limit, for example rings<20");
  const pattern = { cells: [], rings: [], limits: [], board: null, turned: false };
  let [at, row, begin, column] = [0, 0, 0, 0]; // begin: the first column of a row, which < moves for this row and those below
  let ring = null;
  while (at < text.length) {
    if (/\s/.test(text[at])) { at += 1; continue; }
    const [kind, match] = nextToken(text, at);
    at += match[0].length;
    if (ring && kind !== "cell") throw new Error(`${ring}: needs a sign, for example ${ring}:W`);
    if (kind === "ring") ring = match[0].slice(0, -1);
    else if (kind === "turned") pattern.turned = true;
    else if (kind === "back") {
      if (column !== begin) throw new Error("< stands before the cells of a row");
      column = begin -= 1;
    }
    else if (kind === "row") { row += 1; column = begin; }
    else if (kind === "limit") addLimit(pattern, match, boardNames);
    else if (ring) { addRing(pattern, ring, match[0]); ring = null; }
    else { pattern.cells.push({ cell: [column, row], allowed: allowed(match[0]) }); column += 1; }
  }
  if (ring) throw new Error(`${ring}: needs a sign, for example ${ring}:W`);
  if (pattern.cells.length && pattern.rings.length) throw new Error("name the cells of a pattern all by rings, or draw all of them");
  if (pattern.turned && !pattern.rings.length) throw new Error("the word turned is for named rings; a drawing matches anywhere, in all orientations");
  return pattern;
}

function nextToken(text, at) {
  for (const [kind, expression] of TOKENS) {
    expression.lastIndex = at;
    const match = expression.exec(text);
    if (match) return [kind, match];
  }
  throw new Error(`unexpected ${text.slice(at, at + 12)}: cells are W G B o . * # ? with [..] for one of several and ! for anything but, ` +
    "rows are divided by /, rings are named as in d4:W, limits are written as rings<20");
}

function addRing(pattern, ring, sign) {
  if (pattern.rings.some((one) => one.ring === ring)) throw new Error(`ring ${ring} is named twice`);
  pattern.rings.push({ ring, allowed: allowed(sign) });
}

function addLimit(pattern, [, quantity, colonSign, sign, number], boardNames) {
  if (quantity === "board") {
    if (!boardNames.includes(number)) throw new Error(`there is no board ${number}; there are ${boardNames.join(", ")}`);
    if (pattern.board && pattern.board !== number) throw new Error("no position is on several boards");
    pattern.board = number;
    return;
  }
  if (["forced", "sacrifice"].includes(quantity)) throw new Error(`this site does not know ${quantity}; the zertz program does`);
  if (!QUANTITIES.includes(quantity)) throw new Error(`${quantity} can't be limited; there are ${QUANTITIES.join(", ")}`);
  pattern.limits.push({ quantity, sign: colonSign ?? sign ?? "=", number: Number(number) });
}
