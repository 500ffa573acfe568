// The dashboard's board (board/board.js) in a shadow tree. It takes what Streamlit gives to its components.
import mountBoard, { ELEMENTS, STYLE, SYMBOLS } from "../board/board.js";
import { makeClickTree, makeFrame, makeRacks } from "./frames.js";

const REPORT_DELAY = 120; // milliseconds without a step before the address follows

export class BoardView {
  // reports: functions by the names of the board's reports: `ply`, `move`, `held`.
  constructor(reports) {
    this.reports = reports;
    this.host = document.createElement("div");
    this.host.className = "board-host";
    this.root = this.host.attachShadow({ mode: "open" });
    this.root.innerHTML = `<style>${STYLE}</style>${ELEMENTS}${SYMBOLS}`; // our own files
    this.heard = null;
  }

  show(data) {
    this.leave = mountBoard({
      parentElement: this.root,
      data: { ply: 0, panel: true, holders: [], delay: REPORT_DELAY, heard: this.heard, ...data },
      setStateValue: (name, value) => { this.heard = value.at; this.reports[name]?.(value); },
      setTriggerValue: (name, value) => this.reports[name]?.(value),
    });
  }
}

// The board's fixed data.
export function boardData(board, key) {
  return {
    id: `${key} ${board.id}`, label: `Board with ${board.count} rings`,
    board: { drawing: board.drawing, points: board.points, margin: board.margin, crowded: board.isCustom },
  };
}

// Data of positions to step through. moves: the notation of each ply.
export function lineData(positions, moves, names, key) {
  return { ...boardData(positions[0].board, key), frames: positions.map((position, ply) => makeFrame(position, moves[ply - 1] ?? null)), holders: makeRacks(positions, names) };
}

export { makeClickTree };
