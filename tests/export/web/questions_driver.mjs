// Answers questions about a written site for test_questions.py: one JSON line for each JSON line of the input.
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

const archive = new Archive(JSON.parse(unpack("data/games.json.gz")), new Uint8Array(unpack("data/moves.txt.gz")));
const groups = replayAll(archive);
for await (const line of createInterface({ input: process.stdin })) {
  const { ask: name, about } = JSON.parse(line);
  const began = process.cpuUsage();
  const answer = await ask(name, about, archive, () => groups).catch((error) => ({ error: error.message }));
  console.log(JSON.stringify({ answer, took: Object.values(process.cpuUsage(began)).reduce((sum, one) => sum + one, 0) / 1000 }));
}
