// Checks texts with the checker of a site, under node: one JSON line of records for each JSON line of the input, a text.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";

const site = pathToFileURL(`${process.argv[2]}/`);
const checker = new URL("checker/", site);
const { makeCheck } = await import(new URL("check_records.js", site));
const { loadPyodide } = await import(new URL("pyodide.mjs", checker));
const python = await loadPyodide({ indexURL: fileURLToPath(checker) });
const check = makeCheck(python, readFileSync(new URL("zertz.zip", checker)).buffer);
for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(check(JSON.parse(line))));
