// The address after # names a page and what it shows: `#/game/ID?ply=12`. So every view can be linked to.
export function readAddress() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [page, ...rest] = path.split("/").map(decode);
  return { page: page || "openings", rest, query: Object.fromEntries(new URLSearchParams(query)) };
}

// Addresses are typed by people too: a part that is not encoded well stays as it is.
function decode(part) { try { return decodeURIComponent(part); } catch { return part; } }

// An address. Empty values are left out.
export function link(page, query = {}, ...rest) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "" && value !== false);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `#/${[page, ...rest].map(encodeURIComponent).join("/")}${search && `?${search}`}`;
}

export function go(page, query, ...rest) { location.hash = link(page, query, ...rest); }

// Changes the address without a new page in the history, and without drawing the page again.
export function note(page, query, ...rest) { history.replaceState(history.state, "", link(page, query, ...rest)); }
