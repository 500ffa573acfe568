"""The browser's files of the board: the dashboard and exported sites use the same ones."""

from __future__ import annotations

from pathlib import Path

FRONTEND = Path(__file__).parent / "frontend"
_SCRIPTS = (
    *("board_parts.js", "board_line.js", "board_chart.js", "board_preview.js", "board_letters.js", "board_painting.js"),
    *("board_autoplay.js", "board.js"),
)


def read_script() -> str:
    """Return the board's script, a module whose default export takes what Streamlit gives to a component."""
    return "\n".join((FRONTEND / name).read_text("utf-8") for name in _SCRIPTS)


def read_style() -> str:
    """Return the board's style, for a shadow tree; its colours are Streamlit's variables."""
    return (FRONTEND / "board.css").read_text("utf-8")


def read_elements() -> str:
    """Return the board's elements, in HTML."""
    return (FRONTEND / "board.html").read_text("utf-8")
