// The real checker: Python's, which Pyodide runs. Loaded only when a reader asks for it.
const PYTHON = `
import json, sys
sys.path.insert(0, "/zertz")
from zertz_db.check.check_many import check_text
lambda text: json.dumps([one.as_json() for one in check_text(text)], default=str)
`;

async function load() {
  const folder = new URL("checker/", import.meta.url);
  const { loadPyodide } = await import(new URL("pyodide.mjs", folder));
  const [python, modules] = await Promise.all([loadPyodide({ indexURL: folder.href }), fetch(new URL("zertz.zip", folder)).then((answer) => answer.arrayBuffer())]);
  python.unpackArchive(modules, "zip", { extractDir: "/zertz" });
  return python.runPython(PYTHON);
}

const loaded = load();

addEventListener("message", async ({ data: { number, text } }) => {
  try {
    const check = await loaded;
    postMessage({ number, records: JSON.parse(check(text)) });
  } catch (error) {
    postMessage({ number, error: error.message });
  }
});
