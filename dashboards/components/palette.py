"""Colours with one meaning in every chart."""

from __future__ import annotations

from zertz_db.parser.vocabulary.terms import Ending, MoveKind, Verdict

SET_COLOURS = {"W": "#d9d3c7", "G": "#8b8984", "B": "#3d3a36", "each": "#0f8a80"}
"""Colours of winning sets: those of their marbles."""
DARK_SET_COLOURS = {"W": "#efe9dc", "G": "#aaa69d", "B": "#6f685d", "each": "#2f9e90"}
"""Colours of winning sets on a dark page, where black would be the page's colour."""
SIDE_COLOURS = {
    "first": "#0f8a80", "second": "#c08a2d", "neither": "#a29b8d", "unknown": "#b3c5d8",
    "won": "#0f8a80", "tied": "#a29b8d", "lost": "#c08a2d", "ahead": "#0f8a80", "level": "#a29b8d", "behind": "#c08a2d",
}  # fmt: skip
ENDING_COLOURS: dict[str, str] = {
    Ending.SET: "#0f8a80", "several": "#4fbfb1", Ending.RESIGN: "#c08a2d", Ending.TIME: "#a8577a", Ending.AGREED: "#64748b",
    Ending.REPETITION: "#7d68b0", Ending.BOARD_FILLED: "#7a9a2e", Ending.BOTH_LOSE: "#b2663a", Ending.ABANDONED: "#b9a88a",
    Ending.NO_MOVE: "#3f9c5a", Verdict.UNFINISHED: "#b3c5d8",
    MoveKind.PLACEMENT: "#0f8a80", MoveKind.CAPTURE: "#c08a2d", "forced": "#8f897d",
}  # fmt: skip
"""Colours of endings, and of kinds of turns."""
DEFAULT_COLOURS = [
    "#0f8a80",
    "#c08a2d",
    "#64748b",
    "#a8577a",
    "#7a9a2e",
    "#4b82c4",
    "#b2663a",
    "#8f897d",
    "#7d68b0",
    "#3f9c5a",
]


def get_colour(name: str, number: int = 0, *, is_dark: bool = False) -> str:
    """Return the colour of a name, by default the one with this number. is_dark: on a dark page."""
    if name in SIDE_COLOURS or name in ENDING_COLOURS:
        return SIDE_COLOURS.get(name) or ENDING_COLOURS[name]
    for ending, colour in (DARK_SET_COLOURS if is_dark else SET_COLOURS).items():
        if name[:1].isdigit() and name.endswith(ending):
            return colour
    return DEFAULT_COLOURS[number % len(DEFAULT_COLOURS)]
