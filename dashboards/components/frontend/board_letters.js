// Letters on a board: each names a continuation in the page's list, shows it under the pointer, and reports its key at a click.
const CORNERS = [[9.5, -9.5], [-9.5, -9.5], [9.5, 9.5], [-9.5, 9.5]]; // of a ring, as seen on the screen: its middle stays free to paint
const LETTER_SIZE = 8.5;

function listenToLetters(board) {
  const letters = board.find(".letters");
  const of = (event) => event.target.closest?.("[data-letter]");
  letters.addEventListener("click", (event) => {
    const key = of(event)?.dataset.letter;
    if (key === undefined || board.table.classList.contains("waiting")) return;
    board.table.classList.add("waiting");
    board.report("letter", key);
  });
  letters.addEventListener("pointerover", (event) => preview(of(event)));
  letters.addEventListener("pointerout", () => preview(null));
  const preview = (letter) =>
    document.dispatchEvent(new CustomEvent(PREVIEW, { detail: letter ? board.data.letters[letter.dataset.number].preview : null }));
}

// Draws the letters of the data, upright in the corners of their rings however the board is turned.
function showLetters(board) {
  const drawn = new Map();
  const { letters = [], board: { points } } = board.data;
  board.find(".letters").replaceChildren(...letters.map(({ key, letter, ring, kind, words }, number) => {
    const before = drawn.get(ring) ?? 0;
    drawn.set(ring, before + 1);
    if (before >= CORNERS.length) return "";
    const made = svg("g", { class: `letter ${kind}`, "data-letter": key, "data-number": number, "data-ring": ring });
    const [x, y] = points[ring];
    const [right, down] = CORNERS[before];
    made.setAttribute("transform", `translate(${x} ${y}) ${board.back} translate(${right} ${down})`);
    const text = svg("text", { y: 3.8, "text-anchor": "middle", "font-size": 12 });
    text.textContent = letter;
    const title = svg("title", {});
    title.textContent = words;
    made.append(svg("circle", { r: LETTER_SIZE }), text, title);
    return made;
  }));
}

function svg(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}
