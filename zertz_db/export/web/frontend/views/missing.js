// The page of an address that names none.
import { link } from "../parts/address.js";
import { element } from "../parts/html.js";

export const title = "No such page";

export function show(place, { page }) {
  place.append(element("h1", {}, title), element("p", {}, `This site has no page ${page}.`),
    element("p", { class: "links" }, element("a", { href: link("openings") }, "Openings"), element("a", { href: link("games") }, "Games"), element("a", { href: link("search") }, "Search")));
}
