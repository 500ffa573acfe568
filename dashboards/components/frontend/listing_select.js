// Boxes to select rows of a list. The page gets the keys of all selected rows that it shows here; what it has not heard of yet stays as ticked.
function addBoxes(place, { rows, selected }, report, root) {
  const known = new Set(selected);
  root.ticked ??= new Map();
  for (const [key, isTicked] of root.ticked) if (known.has(key) === isTicked) root.ticked.delete(key);
  const boxes = [];
  const send = (changed) => {
    for (const box of changed) {
      root.ticked.set(box.value, box.checked);
      mark(box);
    }
    all.checked = boxes.every((box) => box.checked);
    report("select", `=${boxes.filter((box) => box.checked).map((box) => box.value).join(" ")}`);
  };
  [...place.querySelectorAll("tbody tr")].forEach((line, number) => {
    const { key } = rows[number];
    const box = tick(`Select ${line.textContent.trim()}`, root.ticked.get(key) ?? known.has(key));
    box.value = key;
    box.addEventListener("change", () => send([box]));
    boxes.push(box);
    line.prepend(around(box, "td"));
    mark(box);
  });
  const all = tick("Select all rows of this page", boxes.length > 0 && boxes.every((box) => box.checked));
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    send(boxes);
  });
  place.querySelector("thead tr").prepend(around(all, "th"));
}

function tick(label, isTicked) {
  const box = document.createElement("input");
  Object.assign(box, { type: "checkbox", checked: isTicked, ariaLabel: label });
  return box;
}

function mark(box) { box.closest("tr").classList.toggle("selected", box.checked); }

// A cell with a box; a click anywhere in the cell ticks the box, and opens nothing.
function around(box, tag) {
  const cell = document.createElement(tag);
  cell.className = "tick";
  cell.append(box);
  cell.addEventListener("click", (event) => {
    event.stopPropagation();
    if (event.target !== box) box.click();
  });
  return cell;
}

// The list is drawn again after each answer of the page: the box with the focus keeps it.
function keepFocus(root, draw) {
  const focused = root.activeElement ?? root.getRootNode().activeElement;
  const key = focused?.type === "checkbox" ? focused.value : null;
  draw();
  if (key !== null) [...root.querySelectorAll('input[type="checkbox"]')].find((box) => box.value === key)?.focus();
}
