"""A move tree as text on a page: each move is a button, each variation a part of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from zertz_db.dashboards.state.callbacks import Callback, build_callbacks
from zertz_db.rules.svg.move_marks import trace
from zertz_db.variations.drawings import split_drawings
from zertz_db.variations.move_tree import MoveTree
from zertz_db.variations.printed_tree import list_pieces

DRAWN = "✎"
"""Sign of circles and arrows in a comment."""
FRONTEND = Path(__file__).parent / "frontend"


def show_move_tree(tree: MoveTree, node: int, *, key: str, on_node: Callback) -> None:
    """Draw a tree with a node as the current one. on_node: takes the number of the clicked node, before the page runs again.

    Arrow keys within the text step back and forward, and up and down through the text.
    """
    pieces: list[dict[str, Any]] = [
        {"kind": piece.kind, "text": piece.text, "node": piece.node, "depth": piece.depth}
        for piece in list_pieces(tree)
    ]
    for piece in pieces:
        if piece["kind"] == "move":
            piece["label"] = str(trace(tree.nodes[piece["node"]].move))
        elif piece["kind"] == "comment":
            text, shapes = split_drawings(piece["text"])
            piece["text"] = f"{text} {DRAWN}".strip() if shapes else text
    data = {"pieces": pieces, "node": node, "parents": [one.parent for one in tree.nodes]}
    _component(key=key, data=data, **build_callbacks(key, {"node": on_node}))


_component = st.components.v2.component(
    "zertz_move_tree",
    html='<div class="tree" role="group" aria-label="Moves and variations"></div>',
    css=(FRONTEND / "move_tree.css").read_text("utf-8"),
    js=(FRONTEND / "move_tree.js").read_text("utf-8"),
)
