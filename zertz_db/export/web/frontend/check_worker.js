// The worker of the check page. Loaded only when a reader asks for it.
import { makeCheck } from "./check_records.js";

async function load() {
  const folder = new URL("checker/", import.meta.url);
  const { loadPyodide } = await import(new URL("pyodide.mjs", folder));
  const [python, modules] = await Promise.all([loadPyodide({ indexURL: folder.href }), fetch(new URL("zertz.zip", folder)).then((answer) => answer.arrayBuffer())]);
  return makeCheck(python, modules);
}

const loaded = load();

addEventListener("message", async ({ data: { number, text } }) => {
  try {
    const check = await loaded;
    postMessage({ number, records: check(text) });
  } catch (error) {
    postMessage({ number, error: error.message });
  }
});
