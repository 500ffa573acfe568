// The worker: loads and replays the archive once, then answers questions. A question is { number, ask, about }; its answer has that number.
import { load } from "./archive/load.js";
import { ask } from "./archive/questions.js";
import { replayAll } from "./archive/replay.js";

// The start has the first answers, and all facts of games are there before the games are replayed. Only questions about positions wait for
// that; the others are answered in the pauses of the replay.
const { start, archive } = load(new URL(".", import.meta.url));
const groups = archive.then(replay);
for (const one of [start, groups]) one.catch((error) => postMessage({ failure: error.message }));

async function replay(games) {
  const began = performance.now();
  const replayed = await replayAll(games, (done) => {
    postMessage({ progress: done, of: games.games });
    return new Promise((resolve) => { setTimeout(resolve); });
  });
  postMessage({ replayed: performance.now() - began });
  return replayed;
}

addEventListener("message", async ({ data: { number, ask: name, about } }) => {
  const began = performance.now();
  try {
    postMessage({ number, answer: await ask(name, about, { start, archive, groups }), took: performance.now() - began });
  } catch (error) {
    postMessage({ number, error: error.message });
  }
});
