// The chart under the board: for each position a column with player 1's win chance, solid where it is proven, hatched where estimated.
// A pointer over a column shows its position, a click goes there; the chart is a slider for keyboards.
class CourseChart {
  constructor(box, { preview, go }) {
    this.box = box;
    this.preview = preview;
    this.go = go;
    const plot = this.plot = box.querySelector(".plot");
    plot.addEventListener("pointermove", (event) => this.point(event));
    plot.addEventListener("pointerdown", (event) => this.point(event));
    plot.addEventListener("pointerleave", () => preview(null));
    plot.addEventListener("click", (event) => go(this.at(event)));
  }

  receive(chart) {
    this.box.hidden = !chart;
    const key = JSON.stringify(chart ?? null);
    if (key === this.key) return;
    Object.assign(this, { key, chart });
    if (!chart) return;
    this.box.querySelector(".chart-title").textContent = chart.title;
    this.plot.setAttribute("aria-label", chart.title);
    this.plot.setAttribute("aria-valuemax", chart.columns.length - 1);
    const width = 100 / chart.columns.length;
    this.plot.querySelector(".columns").replaceChildren(...chart.columns.flatMap((column, number) => chartColumn(column, number, width)));
    this.plot.querySelector(".cursor").setAttribute("width", `${width}%`);
    this.box.querySelector(".keys").replaceChildren(
      ...[["proven", "proven"], ["estimated", "estimated"]].map(([kind, text]) => {
        const key = element("span", "", text);
        key.prepend(element("i", kind));
        return key;
      }),
    );
  }

  // The column under the pointer.
  at(event) {
    const { left, width } = this.plot.getBoundingClientRect();
    const { length } = this.chart.columns;
    return Math.max(0, Math.min(length - 1, Math.floor(((event.clientX - left) / width) * length)));
  }

  point(event) {
    if (event.pointerType === "mouse") this.preview(this.at(event));
    else if (event.buttons) this.go(this.at(event));
  }

  show(ply) {
    if (!this.chart || ply >= this.chart.columns.length) return;
    const { words } = this.chart.columns[ply];
    this.plot.setAttribute("aria-valuenow", ply);
    this.plot.setAttribute("aria-valuetext", words);
    this.box.querySelector(".reading").textContent = words;
    this.plot.querySelector(".cursor").setAttribute("x", `${(100 * ply) / this.chart.columns.length}%`);
  }
}

function svgElement(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// A column from the bottom for player 1, the rest for player 2. Units are per cent of the plot, so that hatches are not stretched.
function chartColumn({ share, proven, mark }, number, width) {
  if (share === null) return [];
  const x = `${number * width}%`;
  const rect = (name, y, height, fill) =>
    svgElement("rect", { class: name, x, y: `${y}%`, width: `${width + 0.02}%`, height: `${height}%`, ...(fill && { fill }) });
  const top = 100 - 100 * share;
  const made = proven
    ? [rect("one proven", top, 100 - top), rect("two proven", 0, top)]
    : [rect("one estimated", top, 100 - top, "url(#zertz-hatch-one)"), rect("two estimated", 0, top, "url(#zertz-hatch-two)"), rect("edge", top, 0)];
  if (mark) made.push(rect(`flag ${mark}`, 0, 9));
  return made;
}
