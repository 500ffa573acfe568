// A move tree as text: the pieces come in printed order, variations between `open` and `close`.
export default function (component) {
  const { parentElement: root, data, setTriggerValue: report } = component;
  const place = root.querySelector(".tree");
  const hadFocus = place.contains(place.getRootNode().activeElement);
  place.replaceChildren(...draw(data));
  const now = place.querySelector("[aria-current]");
  if (hadFocus) now?.focus();
  if (now) reveal(place, now);
  place.onclick = (event) => {
    const button = event.target.closest("button");
    if (button) report("node", button.dataset.node);
  };
  place.onkeydown = (event) => walk(event, place, data, report);
}

function draw({ pieces, node, parents }) {
  const top = document.createDocumentFragment();
  const start = button("Start", 0, node === 0);
  start.title = "The position before these moves";
  top.append(start);
  const places = [top];
  let pair = null; // a number and its move stay on one line
  for (const piece of pieces) {
    const place = places.at(-1);
    if (piece.kind === "open") {
      const variation = element("span", "", piece.depth ? "variation inner" : "variation");
      variation.setAttribute("role", "group");
      variation.setAttribute("aria-label", "Variation");
      place.append(variation);
      places.push(variation);
    } else if (piece.kind === "close") places.pop();
    else if (piece.kind === "move") {
      const made = button(piece.text, piece.node, piece.node === node);
      made.title = piece.label;
      (pair ?? place).append(made);
      pair = null;
    } else if (piece.kind === "number") {
      pair = element("span", "", "pair");
      pair.append(element("span", piece.text, "number"));
      place.append(pair);
    } else place.append(element("span", piece.text, piece.kind));
  }
  if (parents.length === 1) top.append(element("span", "No moves yet: click them on the board.", "number"));
  return [top];
}

function button(text, node, isCurrent) {
  const made = element("button", text);
  made.dataset.node = node;
  if (isCurrent) made.setAttribute("aria-current", "true");
  return made;
}

// Scrolls the text, not the page.
function reveal(place, now) {
  const [top, height] = [now.offsetTop - place.offsetTop, now.offsetHeight];
  if (top < place.scrollTop || top + height > place.scrollTop + place.clientHeight)
    place.scrollTop = top - place.clientHeight / 2;
}

function walk(event, place, { parents }, report) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const from = event.target.closest("button");
  if (!from) return;
  const here = Number(from.dataset.node);
  const all = [...place.querySelectorAll("button")];
  const at = all.indexOf(from);
  const to = {
    ArrowLeft: () => place.querySelector(`[data-node="${Math.max(0, parents[here])}"]`),
    ArrowRight: () => place.querySelector(`[data-node="${parents[here + 1] === here ? here + 1 : here}"]`),
    ArrowUp: () => all[at - 1],
    ArrowDown: () => all[at + 1],
    Home: () => all[0],
    End: () => all.at(-1),
  }[event.key]?.();
  if (!to) return;
  event.preventDefault();
  if (to === from) return;
  to.focus();
  report("node", to.dataset.node);
}

function element(tag, text = "", name = "") {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.textContent = text;
  return made;
}
