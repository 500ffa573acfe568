// Arrow keys walk through positions: right chooses the row that is marked (or the first), left goes back, up and down mark a row.
// They work while the list or the board on the page has the focus; left and right also while nothing has it.
const PATIENCE = 3000; // milliseconds after which a page that has not answered no longer holds back keys
const MOST_PENDING = 8;

class Walker {
  constructor(place) {
    Object.assign(this, { place, pending: [], at: -1, isNear: false, since: 0 });
    this.onKey = (event) => this.key(event);
    this.onPress = (event) => { this.isNear = this.isInList(event) || isOnBoard(event); };
    document.addEventListener("keydown", this.onKey);
    document.addEventListener("pointerdown", this.onPress);
  }

  leave() {
    document.removeEventListener("keydown", this.onKey);
    document.removeEventListener("pointerdown", this.onPress);
  }

  // A new list: keys that were pressed meanwhile act on it. isFocused: whether the list before it had the focus.
  receive(walk, report, isFocused) {
    Object.assign(this, { walk, report, since: 0, at: -1 });
    if (isFocused) this.mark(0, true);
    const pending = this.pending.splice(0);
    for (const key of pending) this.act(key);
  }

  get isWaiting() { return Date.now() - this.since < PATIENCE; }

  get rows() { return [...this.place.querySelectorAll("tr.opens")]; }

  get isFocused() { return this.place.contains(this.place.getRootNode().activeElement); }

  wait() { this.since = Date.now(); }

  isInList(event) { return event.composedPath().includes(this.place); }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].includes(event.key)) return;
    if (event.composedPath()[0].matches?.("input, select, textarea")) return;
    const isHere = this.isInList(event) || isOnBoard(event);
    const isFree = ["BODY", "MAIN", "SECTION"].includes(event.target.tagName);
    const isSideways = event.key === "ArrowLeft" || event.key === "ArrowRight";
    if (!isHere && !(isFree && (isSideways || this.isNear))) return;
    this.isNear ||= isHere;
    event.preventDefault();
    this.act(event.key);
  }

  act(key) {
    if (this.isWaiting) {
      if (this.pending.length < MOST_PENDING) this.pending.push(key);
      return;
    }
    if (key === "ArrowDown") this.mark(this.at + 1, this.isFocused);
    else if (key === "ArrowUp") this.mark(this.at - 1, this.isFocused);
    else if (key === "ArrowRight") this.rows[Math.max(0, this.at)]?.click();
    else if (this.walk.back) {
      this.wait();
      sendPreview(null);
      this.report("back", "back");
    }
  }

  mark(at, withFocus) {
    const { rows } = this;
    if (!rows.length) return;
    this.at = Math.max(0, Math.min(rows.length - 1, at));
    this.place.querySelector("tr.at")?.classList.remove("at");
    const row = rows[this.at];
    row.classList.add("at");
    if (withFocus) row.querySelector("a")?.focus();
    else {
      sendPreview(row.preview ?? null);
      row.scrollIntoView({ block: "nearest" });
    }
  }
}

function isOnBoard(event) {
  return event.composedPath().some((one) => one.classList?.contains("table") && one.querySelector(".board"));
}

// The board on the page draws a row's move (see board_preview.js).
function sendPreview(detail) { document.dispatchEvent(new CustomEvent("zertz-preview", { detail })); }
