// All boards of the site: the standard ones by name, and the custom ones of its games.
import { Board } from "../rules/board.js";

export class Boards {
  constructor(described) {
    this.all = described.map((one) => new Board(one));
  }

  get names() { return this.all.filter((board) => !board.isCustom).map((board) => board.name); }

  standard(name) {
    const found = this.all.find((board) => board.name === name && !board.isCustom);
    if (!found) throw new Error(`no board is called ${name}; there are ${this.names.join(", ")}`);
    return found;
  }

  // The custom board with these columns ({letter, bottom, signs}): the one whose rings are the same, or whose other rings are gone.
  custom(columns) {
    const present = (board) => columns.every(({ letter, signs }) =>
      [...signs].every((sign, row) => sign === "." || board.ring(`${letter}${row + 1}`) >= 0));
    const isAlike = (board) => board.isCustom && board.columns.length === columns.length &&
      board.columns.every(([letter, bottom, length], number) =>
        letter === columns[number].letter && bottom === columns[number].bottom && length === columns[number].signs.length);
    const rings = columns.reduce((sum, { signs }) => sum + signs.replaceAll(".", "").length, 0);
    const found = this.all.filter((board) => isAlike(board) && present(board)).sort((one, other) => (one.count - rings) - (other.count - rings))[0];
    if (!found) throw new Error("no game has this custom board");
    return found;
  }
}
