// About: what the site has, and how it works.
import { state } from "../parts/archive.js";
import { element, plural } from "../parts/html.js";

export const title = "About";

export function show(place, address, site) {
  const replayed = state.replayed === null ? "" : ` It took ${(state.replayed / 1000).toFixed(1)} seconds here.`;
  const [from, to] = site.years;
  const verdicts = site.verdicts.map(([verdict, games]) => `${plural(games, "game")} ${verdict}`).join(", ");
  place.append(element("h1", {}, title), element("div", { class: "prose" },
    element("p", {}, `These pages have ${plural(site.games, "game")} of ZÈRTZ by ${plural(site.players, "player")}${from ? `, played from ${from} to ${to}` : ""}: ${verdicts}.`),
    element("p", {}, `Your browser replays all of them once and answers every question itself.${replayed} Nothing is sent anywhere. After the first visit the pages work without a network.`),
    element("p", {}, "Positions are compared up to the symmetries of their board. A share has an interval of 95 % confidence (Wilson); below ten games no share is shown. Only games whose records were replayed without a fault are here."),
    element("h2", {}, "Keys"),
    element("ul", {}, [["← →", "step through a game"], ["Home, End", "go to its start or end"], ["Space", "play it"], ["Escape", "start a half entered move again"], ["Tab, Enter", "choose rings and moves"]].map(([key, words]) =>
      element("li", {}, element("kbd", {}, key), ` ${words}`))),
    element("p", {}, "ZÈRTZ is a game by Kris Burm. The game and its name belong to their owners.")));
}
