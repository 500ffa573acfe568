// A preview of a move: a list on the page names it when the pointer or the focus is on its row (see listing.js); the board draws it.
const PREVIEW = "zertz-preview";

// Draws previews on a board that accepts them; returns a function that stops this.
function drawPreviews(board) {
  const draw = ({ detail }) => {
    if (!board.data?.previews || board.picked.length) return;
    board.find(".ghosts").innerHTML = detail ?? board.frame.ghost ?? "";
    board.find(".marks").style.opacity = detail ? 0.25 : "";
    board.upright();
  };
  document.addEventListener(PREVIEW, draw);
  return () => document.removeEventListener(PREVIEW, draw);
}
