// Light and dark: as the system has it, until the reader chooses.
const PLACE = "zertz theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

function chosen() { try { return localStorage.getItem(PLACE); } catch { return null; } }

function apply(button) {
  const theme = chosen() ?? (dark.matches ? "dark" : "light");
  document.documentElement.dataset.theme = theme;
  button.textContent = theme === "dark" ? "☀" : "☾";
  button.setAttribute("aria-label", theme === "dark" ? "Light theme" : "Dark theme");
  button.title = button.getAttribute("aria-label");
}

export function setUpTheme(button) {
  apply(button);
  dark.addEventListener("change", () => apply(button));
  button.addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem(PLACE, next); apply(button); }
    catch { document.documentElement.dataset.theme = next; } // without storage it lasts as long as the page
  });
}
