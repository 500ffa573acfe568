// What the board shows of positions and moves. Equal to the dashboard's frames (dashboards/components/board_frames.py,
// zertz_db/rules/svg/move_marks.py), which tests/export/web compares.
import { layoutOf } from "../rules/notation.js";
import { COLOURS, GONE } from "../rules/position.js";
import { missing, setNames } from "../rules/rule_sets.js";

const [ACCENT, NEXT] = ["#0f766e", "#d9480f"];
const WORDS = { W: "white", G: "grey", B: "black" };
const RING = /[a-q](?:1[0-2]|[1-9])/g;
const MARBLE = /([WGB])([a-q](?:1[0-2]|[1-9]))/g;
const [MARBLE_RADIUS, SMALL] = [15.5, 0.5];
const fixed = (number) => number.toFixed(1);
const rounded = (number) => String(Number(number.toPrecision(6)));

// The traces of a move in notation: its way, the jumped colours, the removed ring, the claimed marbles.
export function trace(move) {
  const isCapture = move.startsWith("x ");
  const [head, claim = ""] = (isCapture ? move.slice(2) : move).split(" x ");
  const rings = head.match(RING) ?? [];
  if (isCapture) return { colour: "", way: rings, jumped: [...head.matchAll(MARBLE)].map(([, colour]) => colour), removed: null, claimed: [] };
  return {
    colour: rings.length ? head[0] : "", way: rings.slice(0, 1), jumped: [], removed: rings[1] ?? null,
    claimed: [...claim.matchAll(MARBLE)].map(([, colour, ring]) => [colour, ring]),
  };
}

// A move in words, for example `White on d4, ring d1 removed`.
export function describeMove(move) {
  const { colour, way, jumped, removed, claimed } = trace(move);
  if (!way.length) return "Pass";
  if (jumped.length) return `Capture from ${way.join(" to ")}, taking ${jumped.map((one) => WORDS[one]).join(", ")}`;
  const word = WORDS[colour];
  const words = `${word[0].toUpperCase()}${word.slice(1)} on ${way[0]}${removed ? `, ring ${removed} removed` : ""}`;
  return claimed.length ? `${words}, claiming ${claimed.map(([one, ring]) => `${WORDS[one]} ${ring}`).join(", ")}` : words;
}

// SVG. The texts come from us: rings, colours and numbers, never from a record.
const circle = ([x, y], radius, style) =>
  `<circle cx="${fixed(x)}" cy="${fixed(y)}" r="${rounded(radius)}" ${Object.entries(style).map(([name, value]) => `${name}="${value}"`).join(" ")}/>`;
const use = (symbol, [x, y], scale = 1, data = "") =>
  `<use href="#zertz-${symbol}" transform="translate(${fixed(x)} ${fixed(y)})${scale === 1 ? "" : ` scale(${scale})`}"${data}/>`;
const pairs = (points) => points.slice(1).map((point, at) => [points[at], point]);

// The traces of the last move: a halo, the path of its jumps with the jumped marbles, dashed circles around removed and claimed rings.
export function drawMarks(move, points) {
  const { way: rings, jumped, removed, claimed } = trace(move);
  if (!rings.length || rings.some((ring) => !points[ring])) return "";
  const way = rings.map((ring) => points[ring]);
  let drawn = "";
  if (jumped.length) {
    drawn += `<polyline class="path" points="${way.map((point) => point.map(fixed).join(",")).join(" ")}" fill="none" stroke="${ACCENT}" ` +
      'stroke-width="5" stroke-linejoin="round" stroke-linecap="round" opacity=".8"/>';
    drawn += circle(way[0], 6, { fill: ACCENT });
    pairs(way).forEach(([[x0, y0], [x1, y1]], number) => {
      const middle = [(x0 + x1) / 2, (y0 + y1) / 2];
      drawn += use(`only-${jumped[number]}`, middle, 0.62) + circle(middle, 11, { fill: "none", stroke: ACCENT, "stroke-width": 2.5 });
    });
  }
  for (const [colour, ring] of [...claimed, ...(removed ? [["", removed]] : [])]) {
    if (!points[ring]) continue;
    if (colour) drawn += use(`only-${colour}`, points[ring], 0.62);
    drawn += circle(points[ring], 17, { fill: "none", stroke: ACCENT, "stroke-width": 2.5, "stroke-dasharray": "5 4" });
  }
  if (!claimed.some(([, ring]) => ring === rings.at(-1))) drawn += circle(way.at(-1), 21.5, { fill: "none", stroke: ACCENT, "stroke-width": 4 });
  return drawn;
}

// A move that is not played yet: a ghost of its marble with a cross on the ring to go, or an arrow along its jumps.
export function drawPreview(position, move) {
  const { points } = position.board;
  const { colour, way: rings, jumped, removed } = trace(move);
  if (!rings.length || rings.some((ring) => !points[ring])) return "";
  const way = rings.map((ring) => points[ring]);
  const held = position.held[position.board.ring(rings[0])];
  const marble = colour || (held > 0 && held < GONE ? COLOURS[held - 1] : "");
  let drawn = "";
  if (jumped.length)
    drawn += circle(way[0], 21.5, { fill: "none", stroke: NEXT, "stroke-width": 3, "stroke-dasharray": "4 4" }) + pairs(way).map(drawArrow).join("");
  if (marble) drawn += `<g opacity=".62">${use(`only-${marble}`, way.at(-1))}</g>`;
  drawn += circle(way.at(-1), 19, { fill: "none", stroke: NEXT, "stroke-width": 4 });
  if (removed && points[removed]) {
    const [x, y] = points[removed];
    const [left, right, top, bottom] = [x - 12, x + 12, y - 12, y + 12].map(fixed);
    drawn += `<path d="M${left} ${top}L${right} ${bottom}M${right} ${top}L${left} ${bottom}" fill="none" stroke="${NEXT}" stroke-width="5" stroke-linecap="round"/>`;
  }
  return drawn;
}

function drawArrow([[x0, y0], [x1, y1]]) {
  const angle = Math.atan2(y1 - y0, x1 - x0);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [tip, neck] = [21, 37].map((back) => [x1 - back * cos, y1 - back * sin]);
  const point = (x, y) => `${fixed(x)} ${fixed(y)}`;
  return `<path d="M${point(x0 + 12 * cos, y0 + 12 * sin)}L${point(...neck)}" stroke="${NEXT}" stroke-width="6" stroke-linecap="round" fill="none" opacity=".85"/>` +
    `<path d="M${point(...tip)}L${point(neck[0] - 9 * sin, neck[1] + 9 * cos)}L${point(neck[0] + 9 * sin, neck[1] - 9 * cos)}Z" fill="${NEXT}"/>`;
}

// One position with its last move (or null), as the board takes it.
export function makeFrame(position, move) {
  const { captured, pool, isOver } = position;
  return {
    held: layoutOf(position),
    marks: move ? drawMarks(move, position.board.points) : "",
    counts: { 1: captured[0], 2: captured[1], pool },
    needs: { 1: nearestSet(position, 0), 2: nearestSet(position, 1), pool: `${pool[0] + pool[1] + pool[2]} left` },
    side: isOver ? 0 : position.side + 1,
    summary: move ? `${describeMove(move)}.` : "The start.",
    turn: isOver ? "The game is over." : `Player ${position.side + 1} ${position.captureIsDue ? "must capture" : "is to move"}.`,
    words: describePosition(position),
  };
}

function nearestSet({ rules, captured }, player) {
  const lacking = missing(rules, captured[player]);
  const least = Math.min(...lacking);
  const name = setNames(rules)[lacking.indexOf(least)];
  return least ? `${least} short of ${name}` : `has ${name}`;
}

function describePosition({ board, held }) {
  const parts = ["White", "Grey", "Black"].flatMap((word, colour) => {
    const rings = board.rings.filter((_, ring) => held[ring] === colour + 1);
    return rings.length ? [`${word} on ${rings.join(", ")}`] : [];
  });
  return `${(parts.length ? parts : ["No marbles"]).join("; ")}; ${held.filter((one) => one !== GONE).length} rings.`;
}

// The racks of the players and the pool: as many slots as the winning sets need, more if a game needs them.
export function makeRacks(positions, names) {
  const { rules } = positions[0];
  const most = (countsOf) => [0, 1, 2].map((colour) => Math.max(...positions.map((position) => countsOf(position)[colour])));
  const holders = [
    ["1", names[0], rules.goal, most((position) => position.captured[0]), rules.each],
    ["2", names[1], rules.goal, most((position) => position.captured[1]), rules.each],
    ["pool", "Pool", rules.supply, most((position) => position.pool), 0],
  ];
  return holders.map(([key, name, goal, largest, each]) => {
    const [rack, width] = drawRack(goal.map((count, colour) => Math.max(count, largest[colour])), each, key);
    return { key, name, rack, width: Math.round(width * 10) / 10 };
  });
}

function drawRack(slots, each, holder) {
  const step = 2 * MARBLE_RADIUS * SMALL + 3;
  let [drawn, x] = ["", MARBLE_RADIUS * SMALL];
  slots.forEach((places, colour) => {
    for (let number = 1; number <= places; number++) {
      drawn += use("slot", [x, 0], SMALL, ` data-holder="${holder}" data-colour="${COLOURS[colour]}" data-number="${number}"`);
      if (number === each && places > each)
        drawn += `<path d="M${fixed(x + step / 2)} -9V9" stroke="${ACCENT}" stroke-width="1.6" opacity=".75"/>`;
      x += step;
    }
    x += step * 0.6;
  });
  return [drawn, x - step * 1.6 + MARBLE_RADIUS * SMALL];
}

// The clicks that enter moves in notation: subtrees by the next click; a complete move is under "".
export function makeClickTree(moves) {
  const root = {};
  for (const text of moves) {
    const { colour, way, removed } = trace(text);
    let node = root;
    for (const click of [colour, ...way, removed].filter(Boolean)) node = node[click] ??= {};
    node[""] = text;
  }
  return root;
}

