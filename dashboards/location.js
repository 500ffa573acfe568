// The browser's history of the dashboard has one entry for each page that was opened, so that one step back leads to the page before.
// Streamlit would add one whenever the address changes; what changes within a page (a filter, a ply) takes the place of the entry it had.
export default function ({ parentElement: root, data }) {
  window.openPage ??= begin();
  if (data.open && root.opened !== data.open) window.openPage(data.open);
  root.opened = data.open;
}

// What opens a page without loading the dashboard anew: Streamlit shows what the address says after a step in the history.
function begin() {
  const push = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    const isSamePage = new URL(url, location).pathname === location.pathname;
    (isSamePage ? history.replaceState.bind(history) : push)(state, title, url);
  };
  return (address) => {
    push({}, "", address);
    window.dispatchEvent(new PopStateEvent("popstate", { state: {} }));
  };
}
