"""Describe boards for the browser: rings, symmetries, random numbers of keys, and the drawing."""

from __future__ import annotations

import base64
import struct
from typing import Any

from zertz_db.rules.board import Board, random_numbers
from zertz_db.rules.svg.board_svg import MARGIN, board_drawing, places

_HOLDINGS = 4
"""Contents of a ring that are hashed: vacant, or a marble of one of three colours."""


def describe_board(board: Board) -> dict[str, Any]:
    """Return a board as plain values, from which `frontend/rules/board.js` builds the tables of the rules.

    random: the numbers of `Tables.zobrist` before they are spread over the symmetries, 8 bytes each (little end first), in base 64.
    margin: as the dashboard's board has it.
    """
    numbers = random_numbers(board.description, _HOLDINGS * len(board.rings))
    return {
        "id": board.description,
        "name": board.name,
        "rings": board.rings,
        "columns": board.columns,
        "places": board.places,
        "symmetries": board.symmetries,
        "random": base64.b64encode(struct.pack(f"<{len(numbers)}q", *numbers)).decode("ascii"),
        "drawing": board_drawing(board, "o" * len(board.rings)),
        "points": {ring: [x, y] for ring, (x, y) in places(board).items()},
        "margin": MARGIN - 14,
    }
