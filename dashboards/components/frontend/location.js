// Keep one entry per opened page in the browser's history, so that one step back leads to the page before.
// Streamlit would add an entry at every change of the URL. A change within a page (a filter, a ply) replaces the page's entry instead.
// Links in texts would open windows of their own.
const IN_TEXT = '[data-testid="stMarkdownContainer"] a[href], [data-testid="stCaptionContainer"] a[href], [data-testid="stHeading"] a[href]';

export default function ({ parentElement: root, data }) {
  window.openPage ??= begin();
  if (data.shown !== undefined) window.openPage.shown(data.shown, new URLSearchParams(data.query));
  if (data.open && root.opened !== data.open) window.openPage(data.open);
  root.opened = data.open;
  nameLists();
}

// Streamlit's menu is a list of sections, and each section holds entries without a list: screen readers miss them.
function nameLists() {
  for (const menu of document.querySelectorAll('[data-testid="stSidebarNavItems"]')) {
    menu.setAttribute("role", "none");
    for (const section of menu.querySelectorAll(":scope > div")) section.setAttribute("role", "list");
  }
}

// Open a page without reloading the dashboard: after a step in the history, Streamlit shows the page of the URL.
function begin() {
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  let shown = null;
  let awaited = null; // the requested URL, until its page is shown
  let here = location.search; // a step to a heading leaves it
  let wasLate = false; // then Streamlit must get the URL again
  const guarded = (change) => (state, _, url) => {
    const to = new URL(url ?? location, location);
    if (awaited && isLate(to, shown, awaited)) wasLate = true;
    else (to.pathname === location.pathname ? replace : change)(state, "", to);
    here = location.search;
  };
  history.pushState = guarded(push);
  history.replaceState = guarded(replace);
  // A click on one of Streamlit's links: the current page keeps its entry unchanged, and the next page gets its own.
  const follow = (event) => {
    const link = event.target.closest?.(`[data-testid="stSidebarNavLink"], [data-testid="stPageLink-NavLink"], ${IN_TEXT}`);
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const to = new URL(link.href);
    const isInText = link.matches(IN_TEXT);
    if (isInText ? to.origin !== location.origin || to.hash : link.target === "_blank") return;
    if (isInText || link.dataset.testid === "stPageLink-NavLink") {
      event.preventDefault();
      event.stopPropagation();
      open(to);
    } else if (to.pathname !== location.pathname) { // Streamlit shows the page, and closes a narrow sidebar
      push({}, "", to);
      awaited = to;
    }
  };
  window.addEventListener("click", follow, true);
  window.addEventListener("popstate", () => {
    awaited = isOf(location, shown) && location.search === here ? null : new URL(location);
    here = location.search;
  });
  const look = () => window.dispatchEvent(new PopStateEvent("popstate", { state: {} }));
  const open = (address) => {
    push({}, "", address);
    look();
  };
  open.shown = (page, query) => {
    const isSame = awaited && isOf(awaited, page) && (shown !== page || isPartOf(awaited.searchParams, query));
    shown = page;
    if (!isSame) return;
    awaited = null;
    if (wasLate) look();
    wasLate = false;
  };
  return open;
}

// Whether a URL comes from the earlier page, which was still running: its own URL, or its query under the next page's path.
function isLate(to, shown, awaited) {
  const belongs = awaited.search !== "" && isPartOf(awaited.searchParams, to.searchParams);
  return (isOf(to, shown) && !isOf(awaited, shown)) || (to.pathname === awaited.pathname && !belongs);
}

function isPartOf(some, all) { return [...some].every(([name, value]) => all.getAll(name).includes(value)); }

function isOf(address, page) { return address.pathname.endsWith(`/${page}`); }
