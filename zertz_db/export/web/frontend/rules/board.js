// A board with the tables that the rules need, made of the rings that the export wrote (board_data.py).
const DIRECTIONS = [[0, 2], [1, 1], [1, -1], [0, -2], [-1, -1], [-1, 1]]; // in a circle: consecutive sides are consecutive directions
const NUMBERS = 13; // ring numbers in a column are below this
const FIRST_COLUMN = "a".charCodeAt(0);

export class Board {
  constructor(data) {
    Object.assign(this, data);
    this.count = this.rings.length;
    this.index = new Map(this.rings.map((ring, number) => [ring, number]));
    this.isCustom = this.name === "custom";
    const at = new Map(this.places.map(([x, y], ring) => [`${x} ${y}`, ring]));
    const step = (times) => Int16Array.from(this.places.flatMap(([x, y]) =>
      DIRECTIONS.map(([dx, dy]) => at.get(`${x + times * dx} ${y + times * dy}`) ?? -1)));
    this.neighbour = step(1);
    // A jump needs the ring between: two holes in a row can't be crossed.
    this.landing = step(2).map((far, place) => (this.neighbour[place] >= 0 ? far : -1));
    const odd = Math.abs(this.places[0][0] + this.places[0][1]) % 2;
    this.axial = this.places.map(([x, y]) => [x, (y - x - odd) / 2]);
    this.byCode = new Int16Array(32 * NUMBERS).fill(-1);
    this.rings.forEach((ring, number) => { this.byCode[codeOf(ring)] = number; });
    this.onCell = new Map(this.axial.map(([q, r], ring) => [cellCode(q, r), ring]));
    this.hash = spreadHashes(this);
  }

  // The number of a ring by its letter (as a character code) and its number; -1 without one.
  ringAt(letter, number) { return this.byCode[(letter - FIRST_COLUMN) * NUMBERS + number]; }

  // The number of the ring on a cell [q, r]; -1 without one.
  ringOn([q, r]) { return this.ringAtCell(q, r); }

  ringAtCell(q, r) { return this.onCell.get(cellCode(q, r)) ?? -1; }

  // The number of a ring by its name; -1 without one.
  ring(name) { return this.index.get(name) ?? -1; }
}

// One number for each cell of the lattice that a pattern can reach.
function cellCode(q, r) { return 65_536 * q + r; }

function codeOf(ring) { return (ring.charCodeAt(0) - FIRST_COLUMN) * NUMBERS + Number(ring.slice(1)); }

// For ring r that holds k (0 vacant, 1 to 3 a marble) under symmetry s, at (4r + k) * symmetries + s: the random number of its image.
// JavaScript has no fast 64-bit integers, so low and high halves are apart.
function spreadHashes({ count, symmetries, random }) {
  const bytes = Uint8Array.from(atob(random), (letter) => letter.charCodeAt(0));
  const halves = new DataView(bytes.buffer);
  const size = 4 * count * symmetries.length;
  const [low, high] = [new Int32Array(size), new Int32Array(size)];
  for (let ring = 0, at = 0; ring < count; ring++)
    for (let held = 0; held < 4; held++)
      for (const image of symmetries) {
        const place = 8 * (4 * image[ring] + held);
        low[at] = halves.getInt32(place, true);
        high[at++] = halves.getInt32(place + 4, true);
      }
  return { low, high };
}
