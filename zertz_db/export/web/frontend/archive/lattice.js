// The twelve turns and reflections of the lattice, and ways to lay cells onto others. A cell is [q, r], as in `Board.axial`.
export const TURNS = [false, true].flatMap((mirrored) => [0, 1, 2, 3, 4, 5].map((sixths) => ({ sixths, mirrored, q: 0, r: 0 })));
export const STAY = TURNS[0];

// Where a way lays a cell: mirrored first, then turned anticlockwise by sixths, then moved.
export function lay(way, [q, r]) {
  if (way.mirrored) [q, r] = [r, q];
  for (let sixth = 0; sixth < way.sixths; sixth++) [q, r] = [-r, q + r];
  return [q + way.q, r + way.r];
}

// The way that undoes a way.
export function undo(way) {
  const turn = { sixths: way.mirrored ? way.sixths : (6 - way.sixths) % 6, mirrored: way.mirrored, q: 0, r: 0 };
  const [q, r] = lay(turn, [way.q, way.r]);
  return { ...turn, q: -q, r: -r };
}

export const name = ([q, r]) => `${q},${r}`;

// Every way to lay some cells with what they hold exactly onto others; both are maps from names of cells to contents.
export function symmetriesOf(some, onto) {
  const sorted = (cells) => [...cells.values()].sort().join();
  if (sorted(some) !== sorted(onto)) return [];
  if (!some.size) return [STAY];
  const [cells, others] = [some, onto].map((map) => [...map.keys()].map((key) => key.split(",").map(Number)));
  const [q, r] = corner(others);
  return TURNS.flatMap((turn) => {
    const [q0, r0] = corner(cells.map((cell) => lay(turn, cell)));
    const way = { ...turn, q: q - q0, r: r - r0 };
    return cells.every((cell) => onto.get(name(lay(way, cell))) === some.get(name(cell))) ? [way] : [];
  });
}

function corner(cells) { return [Math.min(...cells.map(([q]) => q)), Math.min(...cells.map(([, r]) => r))]; }

// The ways that lay a board onto itself.
export function symmetriesOfBoard(board) {
  const cells = new Map(board.axial.map((cell) => [name(cell), 0]));
  return symmetriesOf(cells, cells);
}
