// The board in a page. It shows its data and reports clicks. It knows no rules: the data has the clicks of each move.
// Its parts are in the other files named board_*.js, which the page inserts before this file.
const WHOLE_TURN = 6;
const REPORT_DELAY = 700; // milliseconds without a step before the ply is reported to the page
export default function (component) {
  const root = component.parentElement;
  root.zertz ??= new Board(root);
  root.zertz.receive(component);
  return () => { root.zertz?.leave(); delete root.zertz; };
}

class Board {
  constructor(root) {
    this.root = root;
    this.find = (selector) => root.querySelector(selector);
    this.table = this.find(".table");
    this.view = { turn: 0, mirrored: false, letters: false, coordinates: true, ...stored() };
    this.picked = [];
    this.player = new LinePlayer(this.find(".continuation"), () => { this.picked = []; this.show(); });
    this.chart = new CourseChart(this.find(".chart"), { preview: (ply) => this.preview(ply), go: (ply) => this.go(ply) });
    this.autoplay = new Autoplay(this.find(".autoplay"), {
      advance: () => this.advance(),
      rewind: () => { if (this.ply === this.target("last")) this.go(0); },
      stopped: () => this.follow(),
    });
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.stopPreviews = drawPreviews(this);
    listenToLetters(this);
    this.listen();
  }

  leave() {
    document.removeEventListener("keydown", this.onKey);
    this.stopPreviews();
    this.autoplay.stop();
    clearTimeout(this.reportTimer);
  }

  listen() {
    this.find(".rings").addEventListener("click", (event) => this.click(event.target.closest(".ring")?.dataset.ring));
    this.find(".view").addEventListener("click", (event) => this.look(event.target.closest("button")?.dataset.view));
    this.find(".controls").addEventListener("click", (event) => {
      const { step, stop } = event.target.closest("button")?.dataset ?? {};
      this.step(step);
      if (stop) this.goToStop(stop);
    });
    this.find("input").addEventListener("input", (event) => this.go(Number(event.target.value)));
    this.find(".moves").addEventListener("click", (event) => {
      const ply = event.target.closest("button")?.dataset.ply;
      if (ply) this.go(Number(ply));
    });
    this.find(".comments").addEventListener("click", (event) => this.accept(event.target.closest("button")));
    this.find(".copy").addEventListener("click", (event) => this.copyLink(event.target.closest("button")));
    let from = null;
    const stage = this.find(".stage");
    stage.addEventListener("touchstart", (event) => { from = event.touches.length === 1 ? event.touches[0] : null; }, { passive: true });
    stage.addEventListener("touchend", (event) => {
      if (!from || !this.isReplay) return;
      const { clientX, clientY } = event.changedTouches[0];
      const [right, down] = [clientX - from.clientX, clientY - from.clientY];
      if (Math.abs(right) > Math.max(45, 2 * Math.abs(down))) this.step(right < 0 ? "on" : "back"); // otherwise the page scrolls
    });
  }

  // New data. Steps since the latest report that the page has (at the time `heard`) stay: their report is on its way.
  receive({ data, setStateValue, setTriggerValue }) {
    Object.assign(this, { data, send: setStateValue, report: setTriggerValue });
    const another = data.id !== this.id;
    const isHeard = another || data.heard === this.at;
    if (another) {
      this.autoplay.stop();
      clearTimeout(this.reportTimer);
    }
    const choices = JSON.stringify(data.choices ?? null);
    const isDone = this.table.classList.contains("waiting");
    if (another || isDone || choices !== this.choices) this.picked = []; // otherwise a move is half entered
    Object.assign(this, { id: data.id, heard: data.heard, at: another ? data.heard : this.at, choices });
    if (isHeard && data.held !== undefined) this.held = data.held;
    const fixed = JSON.stringify([data.board.drawing, data.holders]);
    if (this.fixed !== fixed) { this.fixed = fixed; this.build(); }
    if (isHeard) this.ply = data.ply;
    this.ply = Math.min(this.ply, data.frames.length - 1);
    this.previewed = null;
    this.player.receive(data.line, this.ply, this.accepted);
    this.accepted = this.accepted && !data.line;
    for (const button of this.root.querySelectorAll(".comments button")) button.disabled = false;
    this.chart.receive(data.chart);
    this.table.classList.remove("waiting");
    this.table.classList.toggle("alone", !data.panel);
    this.table.setAttribute("aria-label", data.label);
    this.table.style.setProperty("--highest", data.height ? `${data.height}px` : "");
    this.find(".panel").hidden = !data.panel;
    this.find(".controls").hidden = !this.isReplay;
    this.find(".autoplay").hidden = !data.plays;
    this.find(".copy").hidden = !data.url;
    this.find(".view").classList.toggle("below", data.board.crowded);
    this.find("input").max = data.frames.length - 1;
    this.table.classList.toggle("charted", Boolean(data.chart));
    for (const button of this.root.querySelectorAll("[data-stop]")) button.hidden = !data.stops;
    this.find(".brush-keys").hidden = !data.keys;
    this.find(".brush-keys").textContent = data.keys ?? "";
    this.table.classList.toggle("compact", Boolean(data.compact));
    this.listMoves();
    this.layBrushes();
    this.show();
    this.applyView();
  }

  // Moves are clicked in one position, by default the last, and only before the first ply of a line that is shown.
  get isAtEnd() { return this.ply === (this.data.choicesPly ?? this.data.frames.length - 1) && !this.player.step; }

  get frame() { return this.player.frame ?? this.data.frames[this.previewed ?? this.ply]; }

  // Shows another position while the pointer is over it in the chart.
  preview(ply) {
    if (ply === this.previewed || this.player.isOpen || this.picked.length) return;
    this.previewed = ply === this.ply ? null : ply;
    this.show();
  }

  get isReplay() { return this.data.frames.length > 1; }

  // The fixed parts, drawn by Python: rings in their places, racks.
  build() {
    const { board, holders } = this.data;
    this.find(".rings").innerHTML = board.drawing;
    this.rings = [...this.root.querySelectorAll(".ring")];
    this.find(".holders").replaceChildren(...holders.map(holderBox));
    this.slots = [...this.root.querySelectorAll(".rack use")];
  }

  show() {
    const { frame } = this;
    const held = this.held ?? frame.held;
    this.rings.forEach((ring, number) => {
      const sign = held[number];
      if (ring.dataset.sign === sign) return;
      ring.dataset.sign = sign;
      ring.querySelector("use").setAttribute("href", symbol(sign));
      ring.querySelector("title").textContent = `${ring.dataset.ring}: ${names[sign]}`;
      ring.setAttribute("aria-label", `${ring.dataset.ring}: ${names[sign]}`);
    });
    this.find(".marks").innerHTML = this.held === undefined ? frame.marks : "";
    this.find(".ghosts").innerHTML = frame.ghost ?? "";
    this.find(".marks").style.opacity = "";
    for (const slot of this.slots) {
      const { holder, colour, number } = slot.dataset;
      const full = Number(number) <= frame.counts[holder]["WGB".indexOf(colour)];
      slot.setAttribute("href", full ? `#zertz-only-${colour}` : "#zertz-slot");
    }
    for (const box of this.root.querySelectorAll(".holder")) {
      const key = box.dataset.holder;
      const [white, grey, black] = frame.counts[key];
      box.classList.toggle("moving", String(frame.side) === key);
      box.querySelector(".count").textContent = frame.needs?.[key] ?? `${white} / ${grey} / ${black}`;
      box.querySelector(".clock").textContent = frame.clocks?.[key] ?? "";
      box.querySelector(".rack").setAttribute("aria-label", `${white} white, ${grey} grey, ${black} black`);
    }
    const [summary, turn] = this.player.isOpen ? this.player.words() : [frame.summary, frame.turn];
    this.find(".status").replaceChildren(element("b", "", summary), ` ${turn}`);
    this.find(".board").setAttribute("aria-label", `${summary} ${turn} ${frame.words}`.trim());
    this.player.show(this.ply);
    this.showComments();
    this.showStep();
    this.chart.show(this.previewed ?? this.ply);
    this.showTargets();
    this.upright();
  }

  // The page's comments on the ply, with what it offers there.
  showComments() {
    const box = this.find(".comments");
    const { comments } = this.data;
    box.hidden = !comments;
    const here = comments?.[this.ply] ?? [];
    const key = JSON.stringify([this.id, here]);
    if (box.key === key) return;
    box.key = key;
    box.replaceChildren(...here.map(commentLine));
  }

  accept(button) {
    if (!button) return;
    button.disabled = this.accepted = true; // until the page answers
    clearTimeout(this.reportTimer);
    this.report("act", `${this.ply} ${button.dataset.act}`);
  }

  showStep() {
    const input = this.find("input");
    input.value = this.ply;
    input.setAttribute("aria-valuetext", `ply ${this.ply} of ${input.max}`);
    for (const button of this.root.querySelectorAll("[data-step]"))
      button.disabled = this.target(button.dataset.step) === this.ply && !this.player.isOpen;
    for (const button of this.root.querySelectorAll("[data-stop]"))
      button.disabled = this.findStop(button.dataset.stop) === undefined;
    const list = this.find(".moves");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const now = list.querySelector(`[data-ply="${this.ply}"]`);
    now?.setAttribute("aria-current", "true");
    if (!now) list.scrollTop = 0;
    else if (now.offsetTop - list.offsetTop < list.scrollTop || now.offsetTop - list.offsetTop + now.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;
  }

  listMoves() {
    const list = this.find(".moves");
    const { moves = [], end, legend = [] } = this.data;
    list.hidden = !moves.length;
    const key = JSON.stringify([moves, end, legend]);
    if (list.key === key) return;
    list.key = key;
    list.replaceChildren(...moveList(moves, end));
    this.find(".legend").hidden = !legend.length;
    this.find(".legend").replaceChildren(...legend.map(legendItem));
  }

  // Steps through the frames without the server. The URL follows; the ply is reported after a pause.
  go(ply, isAutomatic = false) {
    if (!isAutomatic) this.autoplay.stop();
    if (ply === this.ply && !this.player.isOpen && this.previewed === null) return;
    this.player.close();
    this.previewed = null;
    if (ply === this.ply) { this.show(); return; }
    Object.assign(this, { ply, picked: [], at: Date.now() });
    this.show();
    if (this.data.url) {
      const url = new URL(window.location);
      url.searchParams.set("ply", ply);
      window.history.replaceState(window.history.state, "", url);
    }
    this.follow();
  }

  // Reports the ply to the page after a pause. While the game plays by itself, the page waits for its stop.
  follow() {
    clearTimeout(this.reportTimer);
    if (!this.data.follow || this.autoplay.isPlaying || this.at === this.heard) return;
    const { ply, at } = this;
    this.reportTimer = setTimeout(() => this.send("ply", { ply, at }), this.data.delay ?? REPORT_DELAY);
  }

  advance() {
    const next = this.target("on");
    if (next !== this.ply) this.go(next, true);
    return next !== this.target("last");
  }

  async copyLink(button) {
    const title = button.title;
    try {
      await navigator.clipboard.writeText(window.location.href);
      button.title = "Copied";
    } catch { button.title = "The browser does not allow this. Copy the URL in the address bar."; }
    this.find(".status").replaceChildren(element("b", "", `${button.title}.`));
    button.title = title;
  }

  target(step) {
    const last = this.data.frames.length - 1;
    return { first: 0, back: Math.max(0, this.ply - 1), on: Math.min(last, this.ply + 1), last }[step];
  }

  step(step) {
    if (!step) return;
    this.autoplay.stop();
    if (this.player.isOpen) this.player.move(step);
    else this.go(this.target(step));
  }

  // The next or previous ply that the page names as a stop.
  findStop(which) {
    const stops = this.data.stops ?? [];
    return which === "next" ? stops.find((ply) => ply > this.ply) : stops.findLast((ply) => ply < this.ply);
  }

  goToStop(which) {
    const ply = this.findStop(which);
    if (ply !== undefined) this.go(ply);
  }

  key(event) {
    if (!this.data || event.altKey || event.ctrlKey || event.metaKey) return;
    const inside = event.composedPath().includes(this.table);
    if (!inside && !["BODY", "MAIN", "SECTION"].includes(event.target.tagName)) return;
    if (inside && event.composedPath()[0].type === "range") return;
    if (inside && this.data.brushes && paintByKey(this, event)) { event.preventDefault(); return; }
    const ring = inside && event.composedPath()[0].closest?.(".ring.target");
    const step = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "back", ArrowDown: "on", Home: "first", End: "last" }[event.key];
    if (ring && (event.key === "Enter" || event.key === " ")) this.click(ring.dataset.ring);
    else if (event.key === " " && this.data.plays && !event.composedPath()[0].matches?.("button, select, a")) this.autoplay.toggle();
    else if (event.key === "Escape" && this.picked.length) { this.picked = []; this.show(); }
    else if (event.key === "Escape" && this.player.isOpen) this.player.go(null);
    else if (event.key === "l" && this.player.isOffered(this.ply)) this.player.go(this.player.isOpen ? null : 0);
    else if (event.key === "l" && this.find(".comments button:enabled")) this.accept(this.find(".comments button"));
    else if ((event.key === "n" || event.key === "p") && this.data.stops) this.goToStop(event.key === "n" ? "next" : "previous");
    else if (step && this.player.isOpen) this.step(step);
    else if (step && this.isReplay) this.step(step);
    else return;
    event.preventDefault();
  }

  // Clicks: paint a ring with the brush, or choose the next part of a move.
  click(ring) {
    if (!ring) return;
    if (this.data.choices && this.isAtEnd) this.choose(ring);
    else if (this.data.brushes) this.paint(ring);
  }

  paint(ring) {
    const at = this.rings.findIndex((one) => one.dataset.ring === ring);
    const old = this.held ?? this.data.frames[this.ply].held;
    this.held = old.slice(0, at) + this.brush + old.slice(at + 1);
    this.at = Date.now();
    this.cursor = ring;
    this.find(".letters").replaceChildren(); // until the page answers
    this.show();
    clearTimeout(this.reportTimer);
    this.reportTimer = setTimeout(() => this.send("held", { held: this.held, at: this.at }), 250);
  }

  // The subtree of clicks after those already made; complete moves have the key "".
  node(clicks) {
    const { choices } = this.data;
    const top = choices.W || choices.G || choices.B ? choices[this.brush] : choices;
    return clicks.reduce((node, click) => node?.[click], top);
  }

  choose(ring) {
    const here = this.node(this.picked);
    if (here[ring] === undefined) {
      if (ring === this.picked.at(-1) && here[""]) { this.finish(here[""]); return; }
      this.picked = this.node([])[ring] && !this.picked.includes(ring) ? [ring] : [];
    } else this.picked.push(ring);
    const node = this.node(this.picked);
    if (this.picked.length && Object.keys(node).join() === "") { this.finish(node[""]); return; }
    this.show();
  }

  finish(move) {
    this.table.classList.add("waiting");
    clearTimeout(this.reportTimer);
    this.at = this.heard; // the move follows the last ply; unreported steps no longer count
    this.report("move", move);
  }

  showTargets() {
    const { brushes } = this.data;
    const choices = this.isAtEnd ? this.data.choices : null;
    const next = choices ? this.node(this.picked) ?? {} : null;
    const cursor = this.cursor ?? this.rings[0]?.dataset.ring; // of rings to paint, one is reached by Tab, the others by arrow keys
    this.find(".board").setAttribute("role", choices || brushes ? "group" : "img");
    this.table.classList.toggle("quiet", Boolean(choices?.W || choices?.G || choices?.B) && !this.picked.length);
    for (const ring of this.rings) {
      const name = ring.dataset.ring;
      const isTarget = next ? name in next : Boolean(brushes);
      ring.classList.toggle("target", isTarget && Boolean(next));
      ring.classList.toggle("picked", this.picked.includes(name));
      ring.style.cursor = isTarget ? "pointer" : "";
      if (isTarget) { ring.setAttribute("tabindex", next || name === cursor ? "0" : "-1"); ring.setAttribute("role", "button"); }
      else { ring.removeAttribute("tabindex"); ring.removeAttribute("role"); }
    }
    const hints = this.find(".hints");
    hints.innerHTML = "";
    if (!choices || !this.picked.length) return;
    const [x, y] = this.data.board.points[this.picked[0]];
    const isPlacement = Boolean(choices.W || choices.G || choices.B);
    if (isPlacement) hints.innerHTML = `<use href="#zertz-only-${this.brush}" transform="translate(${x} ${y})"/>`;
    this.find(".marks").innerHTML = this.find(".ghosts").innerHTML = "";
    const hint = this.data.hint ?? (isPlacement ? "Now the ring to remove." : "Now where it jumps.");
    this.find(".status").replaceChildren(element("b", "", hint), " Escape starts over.");
  }

  layBrushes() {
    const { choices, brushes } = this.data;
    const signs = brushes ?? ["W", "G", "B"].filter((colour) => choices?.[colour]);
    const bar = this.find(".brushes");
    bar.hidden = !signs.length;
    if (!signs.includes(this.brush)) this.brush = signs[0];
    const left = this.data.frames[this.ply].counts?.pool;
    bar.replaceChildren(...signs.map((sign) => {
      const button = brushButton(sign, sign === this.brush, choices && left ? left["WGB".indexOf(sign)] : 0);
      button.addEventListener("click", () => { this.brush = sign; this.layBrushes(); this.show(); });
      return button;
    }));
  }

  // Orientation of the board: turned by sixths and mirrored, with upright labels.
  look(what) {
    if (!what) return;
    this.view[what] = what === "turn" ? (this.view.turn + 1) % WHOLE_TURN : !this.view[what];
    store(this.view);
    this.applyView();
  }

  applyView() {
    const { turn, mirrored, letters, coordinates } = this.view;
    const { points, margin } = this.data.board;
    this.find(".board").setAttribute("viewBox", viewBox(Object.values(points), this.view, margin));
    this.find(".turned").setAttribute("transform", `rotate(${turn * 60}) scale(${mirrored ? -1 : 1} 1)`);
    this.table.classList.toggle("lettered", letters);
    this.table.classList.toggle("plain", !coordinates);
    for (const button of this.root.querySelectorAll("[data-view]"))
      button.setAttribute("aria-pressed", String(Boolean(this.view[button.dataset.view])));
    this.upright();
    showLetters(this);
  }

  // The transformation that undoes the board's turn.
  get back() { return `scale(${this.view.mirrored ? -1 : 1} 1) rotate(${-this.view.turn * 60})`; }

  upright() {
    const { turn, mirrored } = this.view;
    const { back } = this;
    for (const use of this.root.querySelectorAll(".turned use")) {
      const transform = (use.dataset.transform ??= use.getAttribute("transform"));
      use.setAttribute("transform", turn || mirrored ? `${transform} ${back}` : transform);
    }
    for (const text of this.root.querySelectorAll(".coordinates text")) {
      const [x, y] = [text.getAttribute("x"), Number(text.getAttribute("y")) - 5];
      text.setAttribute("transform", turn || mirrored ? `translate(${x} ${y}) ${back} translate(${-x} ${-y})` : "");
    }
  }
}
