// Small boards in a page: each is a link.
const SVG = "http://www.w3.org/2000/svg";

export default function (component) {
  const { parentElement: root, data } = component;
  const place = root.querySelector(".gallery");
  place.setAttribute("aria-label", data.label);
  place.style.setProperty("--least", `${data.width}px`);
  place.replaceChildren(...data.cards.map((card) => drawn(card, data)));
}

function drawn(card, { boards, symbols }) {
  const link = document.createElement("a");
  link.href = card.href;
  link.append(picture(card, boards[card.board], symbols), text("b", card.title), ...card.lines.map((line) => text("span", line)));
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    link.classList.add("chosen");
    window.openPage(card.href);
  });
  return link;
}

function picture({ held, marks, rings, words }, { points, box }, symbols) {
  const made = node("svg", { viewBox: box, role: "img", "aria-label": words });
  points.forEach(([ring, x, y], number) => {
    if (rings.includes(ring)) made.append(node("circle", { class: "marked", cx: x, cy: y, r: 24 }));
    made.append(node("use", { href: `#zertz-${symbols[held[number]]}`, transform: `translate(${x} ${y})` }));
  });
  const traces = node("g", {});
  traces.innerHTML = marks; // drawn by Python from rings' names and colours only
  made.append(traces);
  return made;
}

function node(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function text(tag, content) {
  const made = document.createElement(tag);
  made.textContent = content;
  made.title = content;
  return made;
}
