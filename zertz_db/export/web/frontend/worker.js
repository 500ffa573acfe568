// The worker: loads and replays the archive once, then answers questions. A question is { number, ask, about }; its answer has that number.
import { loadArchive } from "./archive/load.js";
import { ask } from "./archive/questions.js";
import { replayAll } from "./archive/replay.js";

// Facts of games are there before the games are replayed: questions about positions wait for that.
const opened = loadArchive(new URL(".", import.meta.url));
const replayed = opened.then((archive) => {
  const began = performance.now();
  const groups = replayAll(archive, (games) => postMessage({ progress: games, of: archive.games }));
  postMessage({ replayed: performance.now() - began });
  return groups;
});
replayed.catch((error) => postMessage({ failure: error.message }));

addEventListener("message", async ({ data: { number, ask: name, about } }) => {
  try {
    const archive = await opened;
    const began = performance.now();
    const answer = await ask(name, about, archive, () => replayed);
    postMessage({ number, answer, took: performance.now() - began });
  } catch (error) {
    postMessage({ number, error: error.message });
  }
});
