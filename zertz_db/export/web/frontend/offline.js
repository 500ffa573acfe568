// Keeps the files of this version of the site, so that it works without a network after the first visit.
const CACHE = "zertz VERSION";
// Files of an older version may be in the browser's own cache, so it has to ask whether they are still the same.
const FILES = "FILES";

addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES.map((name) => new Request(name, { cache: "no-cache" })))).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const forget = (names) => Promise.all(names.filter((name) => name.startsWith("zertz ") && name !== CACHE).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(forget).then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const found = caches.open(CACHE).then((cache) => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(found.then((answer) => answer ?? fetchAndKeep(event.request)));
});

// The checker is large: it is kept once a reader has asked for it.
async function fetchAndKeep(request) {
  const answer = await fetch(request);
  if (answer.ok && request.url.includes("/checker/")) await (await caches.open(CACHE)).put(request, answer.clone());
  return answer;
}
