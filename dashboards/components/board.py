"""The board as a component of a page: to view, to step through, to choose moves on, to paint.

`show_replay` steps through positions in the browser; `show_choices` takes a move by clicks; `show_line` does both at any ply;
`show_paintable` changes the states of rings. The first two can play a line (`Continuation`). `zertz_db.rules.svg.board_svg` makes the
drawing; the browser's part (board.js) knows no rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeAlias

import streamlit as st

from zertz_db.dashboards.components.board_files import read_elements, read_script, read_style
from zertz_db.dashboards.components.board_frames import (
    Badge,
    Chart,
    Comment,
    Continuation,
    build_continuation,
    build_frame,
    build_racks,
    play_continuation,
)
from zertz_db.dashboards.components.location import seed_widget
from zertz_db.dashboards.state.callbacks import Callback, build_callbacks
from zertz_db.rules.board import Board
from zertz_db.rules.move import Move
from zertz_db.rules.position import Position
from zertz_db.rules.svg.board_svg import MARGIN, board_drawing, places
from zertz_db.rules.svg.move_marks import trace
from zertz_db.rules.svg.symbols import definitions

BRUSHES = ("W", "G", "B", "o", ".")
"""Brushes for a ring: marbles, vacant, gone. Patterns also have `*`, `#` and `?`."""
KEYS = {"o": "E vacant", ".": "X removed", "*": "M any marble", "#": "R any ring"}
"""Keys of brushes (see board_painting.js) with their meanings; those of marbles are their letters."""

STEP_DELAY = 200
"""Milliseconds without a step before `show_line` reports the ply: its moves are those of the ply shown."""

ClickTree: TypeAlias = dict[str, Any]
"""Clicks on the way to a move: subtrees by the next click; a complete move is under ""."""


class _ReplayState(NamedTuple):
    """The state of a replay: the ply that the page requested, the ply shown, and the time of the browser's last report."""

    requested: int
    shown: int
    at: float | None


class Letter(NamedTuple):
    """A letter at a ring: the key that a click on it reports, its kind (a class of board.css), its meaning, and a drawing (SVG) of it."""

    key: str
    letter: str
    ring: str
    kind: str
    words: str
    preview: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A move in the list of a replay. notes: (kind, text), where kind is `comment`, `variation` or `finding`. badges: marks on it."""

    mover: int
    text: str
    clock: str | None = None
    notes: Sequence[tuple[str, str]] = ()
    badges: Sequence[Badge] = ()


def show_replay(
    positions: Sequence[Position],
    moves: Sequence[Line],
    *,
    key: str,
    ply: int,
    names: tuple[str, str] = ("Player 1", "Player 2"),
    end: str | None = None,
    in_url: bool = True,
    choices: Iterable[Move | str] | None = None,
    on_move: Callback | None = None,
    continuation: Continuation | None = None,
    chart: Chart | None = None,
    legend: Sequence[Badge] = (),
    stops: Sequence[int] | None = None,
    comments: Sequence[Sequence[Comment]] | None = None,
    on_act: Callback | None = None,
) -> int:
    """Draw a game to step through by keys, slider, buttons and its list of moves, or to play by itself; return the ply shown.

    Steps happen in the browser; the page runs again after a pause in the steps. in_url: `ply` in the URL follows each step.
    choices: moves that can be clicked after the last position. on_move: takes the chosen move, before the page runs again.
    continuation: a line that the board can play from one of the positions. chart: drawn under the board. legend: the meanings of the
    badges, below the list of moves. stops: plies to which two more buttons and the keys N and P go, such as mistakes.
    comments: those on each position. on_act: takes the ply and the word of an accepted offer (`12 show`), before the page runs again.
    """
    frames = [
        build_frame(position, move)
        for position, move in zip(positions, [None, *(line.text for line in moves)], strict=True)
    ]
    _add_clocks(frames, moves)
    if end:
        frames[-1] |= {"turn": end, "side": 0}
    lines = [
        {
            "mover": line.mover,
            "text": line.text,
            "clock": line.clock,
            "notes": _notes(line),
            "badges": [*map(asdict, line.badges)],
        }
        for line in moves
    ]
    line, played = _line_data(continuation, positions)
    data = _data(key, frames, positions[0], build_racks([*positions, *played], names)) | {
        "ply": (ply := min(_choose_ply(key, ply), len(frames) - 1)),
        "line": line,
        "chart": asdict(chart) if chart else None,
        "legend": [*map(asdict, legend)],
        "stops": None if stops is None else [*stops],
        "comments": None if comments is None else [[*map(asdict, some)] for some in comments],
        "moves": lines,
        "end": end,
        "url": in_url,
        "plays": len(frames) > 1,
        "follow": True,
        "choices": None if choices is None else build_click_tree(choices),
    }
    _mount(key, data, move=on_move, act=on_act)
    return ply


def show_choices(
    position: Position,
    choices: Iterable[Move | str],
    last_move: str | None = None,
    *,
    key: str,
    on_move: Callback,
    height: int | None = None,
    continuation: Continuation | None = None,
    is_compact: bool = False,
) -> None:
    """Draw a position with moves to click, ring by ring. Lists with previews draw their moves on it.

    on_move: takes the chosen move (in notation), before the page runs again. height: maximum height in pixels. continuation: a line that
    the board can play from the position; moves are clicked before its first ply only. is_compact: captures and pool take one line.
    """
    line, played = _line_data(continuation, [position])
    holders = build_racks([position, *played], ("Player 1", "Player 2"))
    data = _data(key, [build_frame(position, last_move)], position, holders)
    shown = {"height": height, "choices": build_click_tree(choices), "line": line, "compact": is_compact}
    _mount(key, data | shown | {"previews": True}, move=on_move)


def show_line(
    positions: Sequence[Position],
    moves: Sequence[str],
    *,
    key: str,
    ply: int,
    names: tuple[str, str],
    on_move: Callback,
    on_ply: Callback,
    drawings: Sequence[str] = (),
    on_drawing: Callback | None = None,
) -> None:
    """Draw a line to step through, with moves to click at the ply shown. Lists with previews draw their moves on it.

    on_move: takes the chosen move (in notation). on_ply: takes the ply after steps in the browser. drawings: SVG for each position.
    on_drawing: takes two rings with a space between, which are clicked in place of moves. All callbacks are called before the page runs.
    """
    frames = [build_frame(position, move) for position, move in zip(positions, [None, *moves], strict=True)]
    for frame, drawing in zip(frames, drawings, strict=False):
        frame["marks"] += drawing
    rings = positions[ply].board.rings if on_drawing else ()
    data = _data(key, frames, positions[0], build_racks(positions, names)) | {
        "ply": ply,
        "choicesPly": ply,
        "choices": {one: {other: {"": f"{one} {other}"} for other in rings} for one in rings}
        or build_click_tree(positions[ply].legal_moves()),
        "hint": "Now the ring where the arrow ends; the same ring again for a circle." if on_drawing else None,
        "follow": True,
        "delay": STEP_DELAY,
        "previews": True,
    }
    _mount(key, data, move=on_drawing or on_move, ply=on_ply)


def show_paintable(
    board: Board,
    states: str,
    *,
    key: str,
    on_paint: Callback,
    brushes: Sequence[str] = BRUSHES,
    height: int | None = None,
    letters: Sequence[Letter] = (),
    on_letter: Callback | None = None,
) -> None:
    """Draw a board whose rings can be painted with one of the brushes. Lists with previews draw their moves on it.

    states: a character for each ring's state, in the board's order. on_paint: takes the states after painting, before the page runs
    again. letters: shown at the corners of their rings. on_letter: takes the key of the clicked letter, before the page runs again.
    """
    frame = {
        "held": states,
        "marks": "",
        "counts": {},
        "side": 0,
        "summary": "",
        "turn": "",
        "words": "Rings to paint.",
    }
    data = _data(key, [frame], Position.start(board), [])
    shown = {
        "held": states,
        "brushes": list(brushes),
        "height": height,
        "panel": True,
        "previews": True,
        "keys": _describe_keys(brushes),
        "letters": [letter._asdict() for letter in letters],
    }
    _mount(key, data | shown, held=on_paint, letter=on_letter)


def _describe_keys(brushes: Sequence[str]) -> str:
    others = ", ".join(KEYS[brush] for brush in brushes if brush in KEYS)
    return f"Keys: arrows move, W G B marbles, {others}, Delete {'anything' if '?' in brushes else 'vacant'}."


def build_click_tree(choices: Iterable[Move | str]) -> ClickTree:
    """Return the tree of clicks for these moves. A placement takes colour, ring and removed ring; a capture its ring and each landing.

    >>> build_click_tree(["Wd4,d1", "Wd4,a1"])
    {'W': {'d4': {'d1': {'': 'Wd4,d1'}, 'a1': {'': 'Wd4,a1'}}}}
    """
    root: ClickTree = {}
    for choice in choices:
        text = str(choice)
        node = root
        for click in _list_clicks(text):
            node = node.setdefault(click, {})
        node[""] = text
    return root


def _list_clicks(text: str) -> Sequence[str]:
    """Return the clicks that enter a move in official notation."""
    if text[0] in "WGB" and " " not in text:  # a board has thousands of placements; this takes a tenth of the time
        ring, _, removed = text[1:].partition(",")
        return (text[0], ring, removed) if removed else (text[0], ring)
    traced = trace(text)
    return (*filter(None, [traced.colour]), *traced.way, *filter(None, [traced.removed]))


def _choose_ply(key: str, requested: int) -> int:
    """Return the ply to show: the browser's latest report, or the page's request if that is newer."""
    place, report = f"{key}: ply shown", _report(key, "ply")
    seed_widget(place, None)
    known: _ReplayState | None = st.session_state[place]
    at = report["at"] if report else None
    shown = requested
    if known and report and at != known.at:
        shown = int(report["ply"])
    elif known and known.requested == requested:
        shown = known.shown
    st.session_state[place] = _ReplayState(requested, shown, at)
    return shown


def _line_data(
    continuation: Continuation | None, positions: Sequence[Position]
) -> tuple[dict[str, Any] | None, list[Position]]:
    """Return a line for the browser, and the positions after its moves; nothing for a line without moves."""
    if continuation is None or not continuation.moves:
        return None, []
    ply = len(positions) - 1 if continuation.ply is None else continuation.ply
    played = play_continuation(continuation, positions[ply])
    return build_continuation(continuation, played, ply), played[1:]


def _data(key: str, frames: list[dict[str, Any]], position: Position, holders: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the data that every use of the component sends to the browser."""
    board = position.board
    drawing = board_drawing(board, "o" * len(board.rings))
    points = {ring: [round(x, 1), round(y, 1)] for ring, (x, y) in places(board).items()}
    return {
        "id": f"{key} {board.description}",
        "board": {"drawing": drawing, "points": points, "margin": MARGIN - 14, "crowded": board.is_custom},
        "frames": frames,
        "holders": holders,
        "panel": bool(holders) or len(frames) > 1,
        "ply": 0,
        "label": f"Board with {len(board.rings)} rings",
    }


def _notes(line: Line) -> list[dict[str, str]]:
    return [{"kind": kind, "text": text} for kind, text in line.notes]


def _add_clocks(frames: list[dict[str, Any]], moves: Sequence[Line]) -> None:
    """Add both players' clocks to the frame after each ply, as last recorded."""
    clocks: dict[str, str | None] = {"1": None, "2": None}
    for frame, line in zip(frames[1:], moves, strict=True):
        clocks[str(line.mover)] = line.clock or clocks[str(line.mover)]
        frame["clocks"] = dict(clocks)


_SYMBOLS = f'<svg width="0" height="0" style="position:absolute" aria-hidden="true">{definitions()}</svg>'
_component = st.components.v2.component(
    "zertz_board", html=read_elements() + _SYMBOLS, css=read_style(), js=read_script()
)


def _report(key: str, name: str) -> Mapping[str, Any] | None:
    """Return the browser's last report, with its time under `at`."""
    found: Mapping[str, Any] | None = (st.session_state.get(key) or {}).get(name)
    return found


def _mount(key: str, data: dict[str, Any], **actions: Callback | None) -> None:
    """Draw the component. actions: for each report of the browser, the callback that runs before the page.

    The data names the latest report that this page has. The browser prefers its own later steps to the page's data.
    """
    known = _report(key, "ply") or _report(key, "held")
    data = data | {"heard": known["at"] if known else None}
    _component(
        key=key,
        data=data,
        **build_callbacks(key, {"ply": None, "move": None, "held": None, "act": None, "letter": None, **actions}),
    )
