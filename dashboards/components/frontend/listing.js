// A list in a page: it draws its data and reports clicks on rows, titles and pages.
const SETS = { W: "white", G: "grey", B: "black" };

export default function (component) {
  const { parentElement: root, data, setTriggerValue: report } = component;
  const place = root.querySelector(".listing");
  if (data.walk) root.walker ??= new Walker(place);
  const isFocused = root.walker?.isFocused;
  keepFocus(root, () => {
    place.replaceChildren(...(data.columns.length ? [table(data, report, root.walker)] : []), ...(data.pages ? [footer(data.pages, report)] : []));
    if (data.selected) addBoxes(place, data, report, root);
  });
  place.onkeydown = data.walk ? null : walk;
  if (data.walk) root.walker.receive(data.walk, report, isFocused);
  return () => { root.walker?.leave(); delete root.walker; };
}

function table({ columns, rows, sort, label, height }, report, walker) {
  const made = element("table");
  made.setAttribute("aria-label", label);
  const head = made.createTHead().insertRow();
  for (const column of columns) head.append(title(column, sort, report));
  const body = made.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    columns.forEach((column, number) => line.append(cell(column, row.values[number], number === 0 ? row : null)));
    if (row.preview) previewed(line, row.preview);
    if (row.href || row.key) {
      line.classList.add("opens");
      line.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        if (walker?.isWaiting) return; // the page is about to show another list
        walker?.wait();
        body.querySelector(".chosen")?.classList.remove("chosen");
        line.classList.add("chosen");
        if (row.href) window.openPage(row.href);
        else report("row", row.key);
      });
    }
  }
  const box = element("div", "", "scroll");
  if (height) box.style.maxHeight = `${height}px`;
  box.append(made);
  return box;
}

// The board on the page draws the row's move while the pointer or the focus is on it.
function previewed(line, drawing) {
  line.preview = drawing;
  for (const name of ["pointerenter", "focusin"]) line.addEventListener(name, () => sendPreview(drawing));
  for (const name of ["pointerleave", "focusout", "click"]) line.addEventListener(name, () => sendPreview(null));
}

function title(column, sort, report) {
  const made = element("th", "", kind(column));
  made.scope = "col";
  made.title = column.help;
  const falls = sort === `-${column.sort}`;
  const rises = sort === column.sort;
  if (!column.sort) { made.textContent = column.title; return made; }
  const button = element("button", column.title);
  if (falls || rises) {
    made.setAttribute("aria-sort", falls ? "descending" : "ascending");
    button.append(element("span", falls ? " ↓" : " ↑", "arrow"));
  }
  button.addEventListener("click", () => report("sort", falls ? column.sort : rises || column.kind !== "text" ? `-${column.sort}` : column.sort));
  made.append(button);
  return made;
}

function kind(column) { return `${column.kind}${column.wide ? " wide" : ""}`; }

function cell(column, value, row) {
  const made = element("td", "", kind(column));
  const inside = row && (row.href || row.key) ? made.appendChild(link(row)) : made;
  (draw[column.kind] ?? draw.text)(inside, value);
  if (inside !== made && !inside.textContent) inside.append("–"); // a link needs a name, and a place to click
  return made;
}

function link(row) {
  const made = element("a");
  made.href = row.href ?? "#";
  return made;
}

const draw = {
  text(place, value) { place.append(value ?? ""); },
  long(place, value) { // shortened; the whole text appears under the pointer
    const shown = element("div", value ?? "", "folded");
    if (value) shown.title = value;
    place.append(shown);
  },
  strong(place, value) {
    const [text, isStrong] = Array.isArray(value) ? value : [value, true];
    place.append(element(isStrong ? "b" : "span", text ?? ""));
  },
  badge(place, value) { if (value) place.append(element("span", value, `badge ${value.replaceAll(/[^a-z]/gi, "-")}`)); },
  sets(place, value) {
    if (!value) return;
    const [text, names] = Array.isArray(value) ? value : ["", value];
    if (!names) { place.append(text); return; }
    const shown = element("span", "", "marbles");
    shown.title = names;
    shown.setAttribute("aria-label", names);
    names.split("+").forEach((name, number) => {
      if (number) shown.append(element("i", "+"));
      const [, count, colour] = /^(\d+)(.*)$/.exec(name) ?? [null, 1, name];
      shown.append(element("i", count));
      for (const one of colour in SETS ? [colour] : ["W", "G", "B"]) shown.append(element("span", "", `marble ${SETS[one]}`));
    });
    place.append(shown);
  },
  share(place, value) {
    if (!value) { place.append(element("span", "few", "few")); return; }
    const [share, low, high] = value;
    place.append(bar([[share, "won"], [1 - share, "rest"]], value, `${per(share)} %, with 95 % confidence ${per(low)} to ${per(high)} %`), element("span", `${per(share)} %`, "number"));
  },
  letter(place, value) { if (value) place.append(element("span", value[0], `letter ${value[1]}`)); },
  results(place, value) {
    const { counts, share } = value;
    const all = counts[0] + counts[1] + counts[2];
    if (!all) { place.append(element("span", "no results", "few")); return; }
    if (!share) { place.append(element("span", countResults(counts), "few")); return; }
    const parts = counts.map((count, number) => [count / all, ["won", "tied", "lost"][number]]);
    const summary = `${counts[0]} won, ${counts[1]} tied, ${counts[2]} lost; score ${per(share[0])} %, with 95 % confidence ${per(share[1])} to ${per(share[2])} %`;
    place.append(bar(parts, share, summary), element("span", `${per(share[0])} %`, "number"));
  },
};

// Too few results for shares: their numbers in words.
function countResults([won, tied, lost]) {
  return [[won, "won"], [tied, "tied"], [lost, "lost"]].filter(([count]) => count).map((pair) => pair.join(" ")).join(", ");
}

// A bar of shares, and below it the interval of the first: a line with its ends, and a point.
function bar(parts, interval, summary) {
  const made = element("span", "", "bar");
  made.title = summary;
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", summary);
  const shares = element("span", "", "shares");
  made.append(shares);
  for (const [share, name] of parts) {
    if (!share) continue;
    const part = element("span", share >= 0.16 && name !== "rest" && parts.length > 2 ? per(share) : "", name);
    part.style.width = `${100 * share}%`;
    shares.append(part);
  }
  if (interval) {
    const [share, low, high] = interval;
    const whisker = element("span", "", "whisker");
    whisker.style.left = `${100 * low}%`;
    whisker.style.width = `${100 * (high - low)}%`;
    const point = element("span", "", "point");
    point.style.left = `${100 * share}%`;
    const track = element("span", "", "track");
    track.append(whisker, point);
    made.append(track);
  }
  return made;
}

function footer({ number, total, size, last }, report) {
  const made = element("nav", "", "pages");
  made.setAttribute("aria-label", "Pages");
  const first = (number - 1) * size + 1;
  const go = (page) => report("page", Math.max(1, Math.min(last, page)));
  const step = (text, label, page) => {
    const button = element("button", text);
    button.setAttribute("aria-label", label);
    button.disabled = page === number || page < 1 || page > last;
    button.addEventListener("click", () => go(page));
    return button;
  };
  made.append(element("span", `${first.toLocaleString("en")}–${Math.min(total, first + size - 1).toLocaleString("en")} of ${total.toLocaleString("en")}`));
  if (last > 1) {
    const input = element("input");
    Object.assign(input, { type: "number", min: 1, max: last, value: number, ariaLabel: "Page" });
    input.addEventListener("change", () => go(Number(input.value) || 1));
    made.append(step("«", "First page", 1), step("‹", "Previous page", number - 1), input, element("span", `of ${last.toLocaleString("en")}`),
      step("›", "Next page", number + 1), step("»", "Last page", last));
  }
  return made;
}

function walk(event) {
  const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
  const row = step && event.target.closest?.("tbody tr");
  const next = row?.[step]?.querySelector("a");
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function per(share) { return Math.round(100 * share); }

function element(tag, text = "", name = "") {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.textContent = text;
  return made;
}
