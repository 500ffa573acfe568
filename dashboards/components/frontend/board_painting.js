// Painting by keys: arrows move over the rings, a brush's key takes the brush and paints the ring that has the focus.
const BRUSH_KEYS = { w: "W", g: "G", b: "B", e: "o", x: ".", m: "*", r: "#" };
const ERASERS = ["Delete", "Backspace"];
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const SLOPE = 0.6; // a neighbour lies at most 30 degrees beside the direction

// Handles a key on a board to paint; returns whether it had a meaning.
function paintByKey(board, event) {
  const ring = event.composedPath()[0].closest?.(".ring")?.dataset.ring;
  const { brushes } = board.data;
  const direction = DIRECTIONS[event.key];
  if (direction) {
    if (!ring && !event.composedPath()[0].classList?.contains("table")) return false; // the brushes have arrow keys of their own
    focusRing(board, ring ? nextRing(board, ring, direction) : board.cursor ?? board.rings[0].dataset.ring);
    return true;
  }
  if (ring && (event.key === "Enter" || event.key === " ")) { board.paint(ring); return true; }
  const brush = ERASERS.includes(event.key) ? ["?", "o"].find((sign) => brushes.includes(sign)) : BRUSH_KEYS[event.key.toLowerCase()];
  if (!brushes.includes(brush)) return false;
  if (brush !== board.brush) { board.brush = brush; board.layBrushes(); }
  if (ring) board.paint(ring);
  return true;
}

function focusRing(board, name) {
  board.cursor = name;
  board.showTargets();
  board.rings.find((ring) => ring.dataset.ring === name)?.focus();
}

// The nearest ring in a direction of the screen. A way to the right or left keeps to its row, though rows of rings are staggered.
function nextRing(board, name, [right, down]) {
  const { points } = board.data.board;
  const seen = (ring) => turnPoint(points[ring], board.view.turn, board.view.mirrored);
  const [x0, y0] = seen(name);
  if (down || board.row === undefined || board.rowOf !== name) board.row = y0;
  let [best, least] = [name, Infinity];
  for (const other of Object.keys(points)) {
    const [x, y] = seen(other);
    const along = (x - x0) * right + (y - y0) * down;
    const beside = Math.abs((x - x0) * down) + Math.abs((y - y0) * right);
    if (along < 1 || beside > SLOPE * along) continue;
    const distance = Math.hypot(along, beside) + (right ? Math.abs(y - board.row) / 100 : 0);
    if (distance < least) [best, least] = [other, distance];
  }
  board.rowOf = best;
  return best;
}
