// Parts of the board in a page: elements for its lists and buttons, and its geometry when turned.
const VIEW = "zertz view";
const symbols = { ".": "gone", "*": "marble", "#": "ring", "?": "anything" };
const symbol = (sign) => `#zertz-${symbols[sign] ?? sign}`;
const colours = { W: "white", G: "grey", B: "black" };
const names = { ...colours, o: "vacant", ".": "removed", "*": "any marble", "#": "any ring", "?": "anything" };

function element(tag, name, text = "") {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.textContent = text;
  return made;
}

// A player's captures, or the pool: a name, a count, a clock, and the rack that Python draws.
function holderBox(holder) {
  const box = element("div", "holder");
  box.dataset.holder = holder.key;
  const line = element("div", "line");
  const number = holder.key === "pool" ? "" : holder.key;
  line.append(element("span", "number", number), element("span", "name", holder.name), element("span", "count"), element("span", "clock"));
  box.append(line);
  box.insertAdjacentHTML(
    "beforeend",
    `<svg class="rack" viewBox="0 -10 ${holder.width} 20" preserveAspectRatio="xMinYMid" role="img">${holder.rack}</svg>`,
  );
  return box;
}

// The cells of the list of moves: in rows of number, move of player 1, move of player 2, with notes between.
function moveList(moves, end) {
  const cells = [];
  let column = 2;
  let turn = 0;
  const finish = () => {
    if (column === 1) cells.push(element("span", ""));
    column = 2;
  };
  moves.forEach((move, number) => {
    if (column === 1 && move.mover === 1) finish();
    if (column === 2) {
      if (move.mover === 1 || number === 0) turn += 1;
      cells.push(element("span", "turn", `${turn}.`));
      column = 0;
    }
    if (move.mover === 2 && column === 0) {
      cells.push(element("span", "", "…"));
      column = 1;
    }
    const button = element("button", "");
    button.append(...moveText(move.text));
    button.dataset.ply = number + 1;
    button.append(...(move.badges ?? []).map(badge));
    if (move.clock) button.append(element("span", "clock", move.clock));
    cells.push(button);
    column += 1;
    if (move.notes?.length) {
      finish();
      cells.push(...move.notes.map((note) => element("div", `note ${note.kind}`, note.text)));
    }
  });
  finish();
  if (end) cells.push(element("div", "end", end));
  return cells;
}

// A move as text: a line breaks after a ring, never between the x of a capture and its first ring.
function moveText(text) {
  return text.split(/(x [a-z]+[0-9]+)/i).filter(Boolean).map((part) => (part.startsWith("x ") ? element("span", "unbroken", part) : part));
}

// A mark on a move: a sign, in words for the pointer and for screen readers.
function badge({ sign, kind, words }) {
  const made = element("span", `badge ${kind}`, sign);
  made.title = words;
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", words);
  return made;
}

function legendItem({ sign, kind, words }) {
  const item = element("li", "");
  const mark = element("span", `badge ${kind}`, sign);
  mark.setAttribute("aria-hidden", "true");
  item.append(mark, ` ${words}`);
  return item;
}

// A sentence of the page about a ply, with a button if the page offers more.
function commentLine({ text, kind, offer, act }) {
  const line = element("p", kind, text);
  if (offer) {
    const button = element("button", "", offer);
    button.dataset.act = act;
    button.title = `${offer} (L)`;
    line.append(" ", button);
  }
  return line;
}

function brushButton(sign, isChosen, left) {
  const button = element("button", "");
  button.title = names[sign];
  button.dataset.brush = sign;
  button.setAttribute("role", "radio");
  button.setAttribute("aria-label", names[sign]);
  button.setAttribute("aria-checked", String(isChosen));
  const shown = sign in colours ? `#zertz-only-${sign}` : symbol(sign);
  button.innerHTML = `<svg viewBox="-22 -22 44 44" aria-hidden="true"><use href="${shown}"/></svg>`;
  if (left) button.append(element("span", "left", left));
  return button;
}

// A place on the board as it is seen.
function turnPoint([x, y], turn, mirrored) {
  const angle = (turn * Math.PI) / 3;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [(mirrored ? -x : x) * cos - y * sin, (mirrored ? -x : x) * sin + y * cos];
}

// The visible part of the board when it is turned by sixths and mirrored.
function viewBox(points, { turn, mirrored }, margin) {
  const turned = points.map((point) => turnPoint(point, turn, mirrored));
  const [left, top] = [0, 1].map((axis) => Math.min(...turned.map((point) => point[axis])) - margin);
  const [right, bottom] = [0, 1].map((axis) => Math.max(...turned.map((point) => point[axis])) + margin);
  return `${left} ${top} ${right - left} ${bottom - top}`;
}

// The browser stores the visitor's preferred view of boards. Without storage, it lasts as long as the page.
function stored() {
  try { return JSON.parse(localStorage.getItem(VIEW)) ?? {}; } catch { return {}; }
}

function store(view) {
  try { localStorage.setItem(VIEW, JSON.stringify(view)); } catch { /* see above */ }
}
