"""Questions that insights answer, as sentences."""

from __future__ import annotations

from typing import NamedTuple


class Preset(NamedTuple):
    """A question as a sentence, with its metric and its dimension."""

    question: str
    metric: str
    by: str


OF_ALL = (
    Preset("Who wins more: the first or the second player?", "points", "side"),
    Preset("On which board does the first player score best?", "points", "board"),
    Preset("Which first moves score?", "points", "opening"),
    Preset("When do players miss wins?", "missed", "phase"),
    Preset("Do stronger players miss fewer wins?", "missed", "rating"),
    Preset("At what hour do players play best?", "accuracy", "hour"),
    Preset("When do players think longest?", "time", "phase"),
    Preset("Have games become longer?", "length", "year"),
    Preset("How many marbles are captured, by ending?", "captures", "ending"),
)
"""Questions about all players."""
OF_ONE = (
    Preset("Do I score better when I move first?", "points", "side"),
    Preset("Against whom do I score?", "points", "opponent"),
    Preset("Which first moves suit me?", "points", "opening"),
    Preset("How do my games end, and who wins them?", "points", "ending"),
    Preset("When do I miss wins?", "missed", "phase"),
    Preset("Have I become more accurate?", "accuracy", "year"),
    Preset("At what hour do I play best?", "accuracy", "hour"),
    Preset("When do I think longest?", "time", "phase"),
    Preset("On which board do I sacrifice most?", "sacrifices", "board"),
)
"""Questions about one player."""
