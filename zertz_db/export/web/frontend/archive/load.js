// Fetches the compressed files of the archive.
import { Boards } from "./boards.js";

const LINE_END = 10;
const WINNERS = { "1-0": 1, "0-1": 2, "1/2-1/2": 0, "0-0": 0 };

// The bytes of a compressed file. Some hosts decompress files named .gz themselves, so the first bytes decide.
async function fetchBytes(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name} can't be read: ${answer.status} ${answer.statusText}`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function fetchJson(name, base) { return JSON.parse(new TextDecoder().decode(await fetchBytes(new URL(name, base)))); }

// Begins to load all files of a folder. Returns promises: `start`, of a small file with the facts of the whole and the first answers, and
// `archive`, of all games.
export function load(base) {
  const start = fetchJson("data/start.json.gz", base);
  const games = Promise.all([start, fetchJson("data/games.json.gz", base), fetchBytes(new URL("data/moves.txt.gz", base))]);
  return { start, archive: games.then(([facts, columns, moves]) => new Archive(facts, columns, moves)) };
}

// All games: facts by column and number of the game, and movetext as bytes.
export class Archive {
  constructor({ facts: { games }, described, names, players, of }, columns, moves) {
    Object.assign(this, { games, columns, names, players, playerOfName: of, moves });
    this.boards = new Boards(described);
    this.begins = beginsOfLines(moves, games);
    this.ruleSet = columns.rules.values.map((rules) => rules.split("+")[0]);
    this.winner = Int8Array.from(columns.result.at, (at) => WINNERS[columns.result.values[at]] ?? -1); // -1: unknown
    const days = columns.date.values.map(([, first]) => first);
    this.day = Int32Array.from(columns.date.at, (at) => days[at] ?? 0);
    this.hasDay = Uint8Array.from(columns.date.at, (at) => Number(days[at] !== null));
    const years = columns.date.values.map(([, first]) => yearOf(first));
    this.year = Array.from(columns.date.at, (at) => years[at]);
    const certain = columns.date.values.map(([, first, last]) => (yearOf(first) === yearOf(last) ? yearOf(first) : null));
    this.certainYear = Array.from(columns.date.at, (at) => certain[at]);
    Object.assign(this, this.sortByDate());
    this.seats = [columns.player1, columns.player2].map((column) => Int32Array.from(column, (name) => (name < 0 ? -1 : of[name])));
  }

  // A fact of a game, such as `result` or `ending`; null if unknown.
  fact(name, game) {
    const { values, at } = this.columns[name];
    return values[at[game]];
  }

  // The name of a game's rule set, without its options.
  rules(game) { return this.ruleSet[this.columns.rules.at[game]]; }

  name(side, game) {
    const name = this.columns[side === 1 ? "player1" : "player2"][game];
    return name < 0 ? null : this.names[name];
  }

  board(game) { return this.boards.all[this.columns.board[game]]; }

  movetext(game) { return this.text.slice(this.begins[game], this.begins[game + 1] - 1); }

  // All movetext as one text, whose places are those of the bytes: it is ASCII.
  get text() { return (this._text ??= new TextDecoder("latin1").decode(this.moves)); }

  // The score of a side (0 or 1): 1 won, 0 tied or both lost, -1 lost, null unknown.
  score(game, side) {
    const winner = this.winner[game];
    if (winner < 0) return null;
    return winner === 0 ? 0 : winner === side + 1 ? 1 : -1;
  }

  // The number of the game with an id; undefined without one.
  number(id) { return (this._numbers ??= new Map(this.columns.id.map((one, game) => [one, game]))).get(id); }

  // All games by date, the latest first; unknown dates last.
  sortByDate() {
    const { columns: { id }, day, hasDay } = this;
    const newest = new Int32Array(this.games).map((_, game) => game).sort((one, other) =>
      hasDay[other] - hasDay[one] || day[other] - day[one] || compareIds(id[one], id[other]));
    const rank = new Int32Array(this.games);
    newest.forEach((game, place) => { rank[game] = place; });
    return { newest, rank };
  }
}

// The order of ids is that of the database's numbers: the first bit of 64 is the sign, in the first of 13 letters.
function compareIds(one, other) {
  const isNegative = one[0] >= "8";
  if (isNegative !== other[0] >= "8") return isNegative ? -1 : 1;
  return one < other ? -1 : 1;
}

function yearOf(day) { return day === null ? null : new Date(day * 86_400_000).getUTCFullYear(); }

function beginsOfLines(bytes, count) {
  const begins = new Uint32Array(count + 1);
  for (let game = 1, at = 0; game <= count; game++) begins[game] = at = bytes.indexOf(LINE_END, at) + 1;
  return begins;
}
