// A line that the board can play: a bar with its plies, and the step shown (null while the game is shown, 0 before its first ply).
class LinePlayer {
  constructor(bar, change) {
    this.bar = bar;
    this.change = change;
    this.step = null;
    bar.addEventListener("click", (event) => {
      const step = event.target.closest("button")?.dataset.at;
      if (step) this.go(step === "close" ? null : Number(step));
    });
  }

  // A new line opens if its page says so; the same line stays at its step unless it was asked for again.
  receive(line, ply, isWanted) {
    const key = JSON.stringify(line ?? null);
    if (key === this.key && !isWanted) return;
    Object.assign(this, { key, line, step: line?.open && line.at === ply ? 0 : null });
    this.bar.replaceChildren(...(line ? lineButtons(line) : []));
  }

  get isOpen() { return this.step !== null; }

  isOffered(ply) { return Boolean(this.line) && (this.isOpen || this.line.at === ply); }

  get frame() { return this.isOpen ? this.line.frames[this.step] : null; }

  get last() { return this.line.plies.length; }

  close() { this.step = null; }

  go(step) {
    this.step = step === null ? null : Math.max(0, Math.min(this.last, step));
    this.change();
  }

  move(to) { this.go({ first: 0, back: this.step - 1, on: this.step + 1, last: this.last }[to]); }

  // The words for the status: the ply of the line, and what comes next.
  words() {
    const { summary, next, turn } = this.frame;
    const played = this.step ? `${this.line.title}, ply ${this.step} of ${this.last}: ${summary}` : `${this.line.title}.`;
    return [played, next ? `Next: ${next}` : turn];
  }

  show(ply) {
    this.bar.hidden = !this.isOffered(ply);
    if (this.bar.hidden) return;
    for (const button of this.bar.querySelectorAll("button")) {
      if (button.dataset.at === String(this.step)) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    this.bar.querySelector(".close").hidden = !this.isOpen;
  }
}

function lineButtons(line) {
  const first = element("button", "title", line.title);
  first.dataset.at = 0;
  first.title = "Show the line on the board (L); arrow keys step through it";
  const plies = line.plies.map(({ mover, text }, number) => {
    const button = element("button", "ply");
    button.append(...moveText(text));
    button.dataset.at = number + 1;
    button.title = `Ply ${number + 1} of the line, by player ${mover}`;
    button.prepend(element("span", "mover", `${mover}`));
    return button;
  });
  const close = element("button", "close", "×");
  close.dataset.at = "close";
  close.title = "Close the line (Escape)";
  close.setAttribute("aria-label", "Close the line");
  return [first, ...plies, close];
}
