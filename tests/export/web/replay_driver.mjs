// Replays games of one turn for test_rules.py: { described, games: [[start, move]] } becomes [[number of the move, its text]].
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const frontend = pathToFileURL(`${process.argv[2]}/`);
const load = (name) => import(new URL(name, frontend));
const { Boards } = await load("archive/boards.js");
const { replayAll } = await load("archive/replay.js");

const { described, games } = JSON.parse(readFileSync(0, "utf8"));
const boards = new Boards(described);
const text = games.map(([, move]) => `${move}\n`).join("");
const begins = games.reduce((all, [, move]) => [...all, all.at(-1) + move.length + 1], [0]);
const archive = {
  boards, text, begins, games: games.length, moves: new TextEncoder().encode(text), board: () => boards.all[0],
  fact: (name, game) => ({ start: games[game][0], rules: "standard" })[name],
  columns: { board: games.map(() => 0), plies: games.map(() => 1), rules: { at: games.map(() => 0) }, start: { at: games.map((_, game) => game) } },
};
const [group] = await replayAll(archive);
const rows = games.map((_, game) => group.firsts[game]);
console.log(JSON.stringify(rows.map((row) => [group.move[row], group.moveText(group.moves[group.move[row]], archive)])));
