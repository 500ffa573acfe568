// The real checker: Python's, which Pyodide runs.
const PYTHON = `
import json, sys
sys.path.insert(0, "/zertz")
from zertz_db.check.check_many import check_text
lambda text: json.dumps([one.as_json() for one in check_text(text)], default=str)
`;

// Returns a function that checks a text and returns its records. python: a loaded Pyodide. modules: the bytes of zertz.zip.
export function makeCheck(python, modules) {
  python.unpackArchive(modules, "zip", { extractDir: "/zertz" });
  const check = python.runPython(PYTHON);
  return (text) => JSON.parse(check(text));
}
