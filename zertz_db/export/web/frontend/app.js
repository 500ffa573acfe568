// Starts the site: the pages by their addresses, the progress of loading, the theme, and use without a network.
import { readAddress, link } from "./parts/address.js";
import { ask, onProgress, state } from "./parts/archive.js";
import { count, element, plural } from "./parts/html.js";
import { setUpTheme } from "./parts/theme.js";
import { Boards } from "./archive/boards.js";
import * as about from "./views/about.js";
import * as game from "./views/game.js";
import * as games from "./views/games.js";
import * as missing from "./views/missing.js";
import * as openings from "./views/openings.js";
import * as player from "./views/player.js";
import * as players from "./views/players.js";
import * as search from "./views/search.js";
import * as statistics from "./views/statistics.js";

// A page has a title and `show(place, address, site)`, which fills an element and may return a function that is called when it goes.
const PAGES = { openings, games, search, statistics, players, about, game, player };
const IN_MENU = ["openings", "games", "search", "statistics", "players", "about"];
const content = document.getElementById("content");
let site = null;
let leave = null;
let shown = 0;

async function show() {
  const address = readAddress();
  const page = Object.hasOwn(PAGES, address.page) ? PAGES[address.page] : missing;
  const turn = ++shown;
  leave?.();
  leave = null;
  for (const one of document.querySelectorAll("#pages a")) {
    if (one.dataset.page === (page.menu ?? address.page)) one.setAttribute("aria-current", "page");
    else one.removeAttribute("aria-current");
  }
  document.title = `${page.title} · ${site.title}`;
  const place = element("div", { class: "page", "data-page": address.page });
  try {
    const left = await page.show(place, address, site);
    if (turn === shown) leave = left ?? null;
    else left?.();
  } catch (error) {
    place.replaceChildren(element("h1", {}, page.title), element("p", { class: "error", role: "alert" }, `This address can't be shown: ${error.message}`),
      element("p", {}, element("a", { href: link(page.menu ?? address.page) }, "Start again")));
  }
  if (turn !== shown) return;
  content.replaceChildren(place);
  if (page !== show.last) { scrollTo(0, 0); if (show.last) content.focus({ preventScroll: true }); }
  show.last = page;
}

function showProgress({ progress, of, replayed, failure }) {
  const box = document.getElementById("progress");
  if (failure) box.replaceChildren(element("p", { class: "error" }, `The archive can't be loaded: ${failure}`));
  else if (replayed !== null) { box.replaceChildren(); box.dataset.done = "yes"; keepFiles(); }
  else if (of) box.replaceChildren(element("progress", { max: of, value: progress, "aria-label": "Games replayed" }), ` Replaying ${count(of)} games …`);
}

async function start() {
  setUpTheme(document.getElementById("theme"));
  const box = document.getElementById("progress");
  box.replaceChildren(element("progress", { "aria-label": "Loading" }), " Loading the games …");
  onProgress(showProgress);
  document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); content.focus(); });
  try {
    const facts = await ask("archive");
    site = { ...facts, all: new Boards(facts.described) };
  } catch (error) {
    showProgress({ ...state, failure: error.message });
    return;
  }
  document.getElementById("title").textContent = site.title;
  const pages = await findChecker() ? [...IN_MENU.slice(0, -1), "check", "about"] : IN_MENU;
  document.getElementById("pages").replaceChildren(...pages.map((page) => element("a", { href: link(page), "data-page": page }, PAGES[page].title)));
  document.getElementById("footer").replaceChildren(`${plural(site.games, "game")}, all in your browser. Made by zertz-db. ZÈRTZ is a game by Kris Burm.`);
  addEventListener("hashchange", show);
  await show();
}

// The files are kept for use offline once the page has its answers: until then they would delay each other.
function keepFiles() {
  if ("serviceWorker" in navigator && location.protocol.startsWith("http")) navigator.serviceWorker.register("offline.js").catch(() => {}); // only a convenience
}

// The checker is a part that an export may leave out.
async function findChecker() {
  if (!document.querySelector('meta[name="zertz-checker"]')) return false;
  PAGES.check = await import("./views/check.js");
  return true;
}

start();
