// The browser's history of the dashboard has one entry for each page that was opened, so that one step back leads to the page before.
// Streamlit would add one whenever the address changes; what changes within a page (a filter, a ply) takes the place of the entry it had.
export default function ({ parentElement: root, data }) {
  window.openPage ??= begin();
  if (data.shown !== undefined) window.openPage.shown(data.shown);
  if (data.open && root.opened !== data.open) window.openPage(data.open);
  root.opened = data.open;
}

// What opens a page without loading the dashboard anew: Streamlit shows what the address says after a step in the history.
function begin() {
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  let shown = null;
  let awaited = null; // the address that was asked for, until its page is shown
  let wasLate = false; // then Streamlit has to be told once more what the address is
  const guarded = (change) => (state, _, url) => {
    const to = new URL(url ?? location, location);
    if (awaited && isLate(to, shown, awaited)) wasLate = true;
    else (to.pathname === location.pathname ? replace : change)(state, "", to);
  };
  history.pushState = guarded(push);
  history.replaceState = guarded(replace);
  // A click on a link of Streamlit's: the page that is left keeps its entry as it is, and the next page has its own from now on.
  const follow = (event) => {
    const link = event.target.closest?.('[data-testid="stSidebarNavLink"], [data-testid="stPageLink-NavLink"]');
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || link.target === "_blank") return;
    const to = new URL(link.href);
    if (link.dataset.testid === "stPageLink-NavLink") {
      event.preventDefault();
      event.stopPropagation();
      open(to);
    } else if (to.pathname !== location.pathname) { // Streamlit shows the page, and puts a narrow sidebar away
      push({}, "", to);
      awaited = to;
    }
  };
  window.addEventListener("click", follow, true);
  window.addEventListener("popstate", () => { awaited = isOf(location, shown) ? null : new URL(location); });
  const look = () => window.dispatchEvent(new PopStateEvent("popstate", { state: {} }));
  const open = (address) => {
    push({}, "", address);
    look();
  };
  open.shown = (page) => {
    shown = page;
    if (!awaited || !isOf(awaited, page)) return;
    awaited = null;
    if (wasLate) look();
    wasLate = false;
  };
  return open;
}

// Whether an address is what the page before says, which was still at work: its own, or what it showed under the path of the next.
function isLate(to, shown, awaited) {
  const said = [...awaited.searchParams];
  const belongs = said.length > 0 && said.every(([name, value]) => to.searchParams.get(name) === value);
  return isOf(to, shown) || (to.pathname === awaited.pathname && !belongs);
}

function isOf(address, page) { return address.pathname.endsWith(`/${page}`); }
