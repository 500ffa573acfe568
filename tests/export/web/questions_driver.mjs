// Answers questions about a written site for test_questions.py: one JSON line for each JSON line of the input. The answers that were written
// with the site are left out if the second argument is `compute`.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const site = pathToFileURL(`${process.argv[2]}/`);
const load = (name) => import(new URL(name, site));
const { Archive } = await load("archive/load.js");
const { ask } = await load("archive/questions.js");
const { replayAll } = await load("archive/replay.js");
const unpack = (name) => gunzipSync(readFileSync(new URL(name, site)));

const start = JSON.parse(unpack("data/start.json.gz"));
if (process.argv[3] === "compute") start.openings = [];
const archive = new Archive(start, JSON.parse(unpack("data/games.json.gz")), new Uint8Array(unpack("data/moves.txt.gz")));
const groups = await replayAll(archive);
for await (const line of createInterface({ input: process.stdin })) {
  const { ask: name, about } = JSON.parse(line);
  const answer = await ask(name, about, { start, archive, groups }).catch((error) => ({ error: error.message }));
  console.log(JSON.stringify(answer));
}
