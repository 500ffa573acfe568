"""Show small boards side by side, each a link: matches of a search, latest games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from zertz_db.dashboards.components.location import build_url
from zertz_db.dashboards.state.markdown_text import describe_position
from zertz_db.rules.position import Position
from zertz_db.rules.svg.board_svg import layout, places
from zertz_db.rules.svg.move_marks import marks
from zertz_db.rules.svg.symbols import SYMBOLS, definitions

FRONTEND = Path(__file__).parent / "frontend"
EDGE = 26
"""Pixels from the outermost rings' centres to the edge of a small drawing."""


class Card(NamedTuple):
    """A position with texts.

    title, lines: texts below it. move: the move before it, to mark. rings: further rings to mark. page, query: the page that it opens,
    and its URL query.
    """

    position: Position
    title: str
    lines: Sequence[str] = ()
    move: str | None = None
    rings: Sequence[str] = ()
    page: str = "game"
    query: Mapping[str, str] = {}


def show_gallery(cards: Sequence[Card], *, key: str, width: int = 190, label: str = "Positions") -> None:
    """Draw the cards, each at least `width` pixels wide."""
    boards: dict[str, dict[str, Any]] = {}
    shown = []
    for card in cards:
        board = card.position.board
        points = places(board)
        if board.description not in boards:
            boards[board.description] = {
                "points": [[ring, round(x, 1), round(y, 1)] for ring, (x, y) in points.items()],
                "box": _box(points.values()),
            }
        shown.append(
            {
                "board": board.description,
                "held": layout(card.position),
                "marks": marks(card.move, points) if card.move else "",
                "rings": list(card.rings),
                "words": describe_position(card.position),
                "title": card.title,
                "lines": list(card.lines),
                "href": build_url(card.page, card.query),
            }
        )
    data = {"label": label, "boards": boards, "cards": shown, "width": width, "symbols": SYMBOLS}
    _component(key=key, data=data)


def _box(points: Any) -> str:
    columns, heights = zip(*points, strict=True)
    left, top = min(columns) - EDGE, min(heights) - EDGE
    return f"{left:.0f} {top:.0f} {max(columns) + EDGE - left:.0f} {max(heights) + EDGE - top:.0f}"


_component = st.components.v2.component(
    "zertz_gallery",
    html=f'<svg width="0" height="0" style="position:absolute" aria-hidden="true">{definitions()}</svg>'
    '<div class="gallery" role="group"></div>',
    css=(FRONTEND / "gallery.css").read_text("utf-8"),
    js=(FRONTEND / "gallery.js").read_text("utf-8"),
)
