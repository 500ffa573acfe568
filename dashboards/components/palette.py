"""Colours with one meaning in every chart."""

from __future__ import annotations

SET_COLOURS = {"W": "#d9d3c7", "G": "#8b8984", "B": "#3d3a36", "each": "#0f8a80"}
"""Colours of winning sets: those of their marbles."""
SIDE_COLOURS = {
    "first": "#0f8a80", "second": "#c08a2d", "neither": "#a29b8d", "unknown": "#d2cbbd",
    "won": "#0f8a80", "tied": "#a29b8d", "lost": "#c08a2d", "ahead": "#0f8a80", "level": "#a29b8d", "behind": "#c08a2d",
}  # fmt: skip
ENDING_COLOURS = {
    "set": "#0f8a80", "several": "#4fbfb1", "resign": "#c08a2d", "time": "#a8577a", "agreed": "#64748b", "repetition": "#7d68b0",
    "board-filled": "#7a9a2e", "both-lose": "#b2663a", "abandoned": "#b9a88a", "no-move": "#3f9c5a", "unfinished": "#cfc8ba",
    "placement": "#0f8a80", "capture": "#c08a2d", "forced": "#8f897d",
}  # fmt: skip
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


def get_colour(name: str, number: int = 0) -> str:
    """Return the colour of a name, by default the one with this number."""
    if name in SIDE_COLOURS or name in ENDING_COLOURS:
        return SIDE_COLOURS.get(name) or ENDING_COLOURS[name]
    for ending, colour in SET_COLOURS.items():
        if name[:1].isdigit() and name.endswith(ending):
            return colour
    return DEFAULT_COLOURS[number % len(DEFAULT_COLOURS)]
