// Plays a game ply by ply: a button and a speed. It stops at the end, and when the reader steps.
const PLAY_SPEED = "zertz speed";
const PLAY_ICON = "M8 5l11 7-11 7z";
const PAUSE_ICON = "M7 5h4v14H7zM13 5h4v14h-4z";

class Autoplay {
  // advance: shows the next ply, and returns whether there is one after it. rewind: shows the start if the end is shown.
  constructor(bar, { advance, rewind, stopped }) {
    Object.assign(this, { bar, advance, rewind, stopped, timer: null });
    this.button = bar.querySelector("button");
    this.speed = bar.querySelector("select");
    try { this.speed.value = localStorage.getItem(PLAY_SPEED) ?? this.speed.value; } catch { /* without storage it lasts as long as the page */ }
    if (!this.speed.value) this.speed.selectedIndex = 1;
    this.button.addEventListener("click", () => this.toggle());
    this.speed.addEventListener("change", () => {
      try { localStorage.setItem(PLAY_SPEED, this.speed.value); } catch { /* see above */ }
      if (this.isPlaying) this.wait();
    });
    this.label();
  }

  get isPlaying() { return this.timer !== null; }

  toggle() {
    if (this.isPlaying) { this.stop(); return; }
    this.rewind();
    this.wait();
    this.label();
  }

  stop() {
    if (!this.isPlaying) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.label();
    this.stopped();
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.advance()) this.wait();
      else this.stop();
    }, Number(this.speed.value));
  }

  label() {
    this.button.title = this.isPlaying ? "Pause (Space)" : "Play (Space)";
    this.button.querySelector("path").setAttribute("d", this.isPlaying ? PAUSE_ICON : PLAY_ICON);
  }
}
