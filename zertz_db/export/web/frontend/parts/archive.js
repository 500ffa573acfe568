// Asks the worker, and knows how far it is.
const worker = new Worker(new URL("../worker.js", import.meta.url), { type: "module" });
const waiting = new Map();
const listeners = new Set();
let number = 0;
export const state = { progress: 0, of: 0, replayed: null, failure: null };

worker.addEventListener("message", ({ data }) => {
  if (data.number === undefined) {
    Object.assign(state, data);
    for (const listener of listeners) listener(state);
    return;
  }
  const { resolve, reject } = waiting.get(data.number);
  waiting.delete(data.number);
  if (data.error !== undefined) reject(new Error(data.error));
  else resolve(data.answer);
});
worker.addEventListener("error", (event) => {
  state.failure = event.message || "the worker can't be loaded";
  for (const listener of listeners) listener(state);
});

// Returns a promise of an answer (archive/questions.js).
export function ask(name, about) {
  return new Promise((resolve, reject) => {
    waiting.set(++number, { resolve, reject });
    worker.postMessage({ number, ask: name, about });
  });
}

export function onProgress(listener) { listeners.add(listener); }
