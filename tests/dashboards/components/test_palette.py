"""Colours: those of one chart differ, and can be seen on a light and on a dark page."""

from __future__ import annotations

from itertools import combinations

import pytest

from zertz_db.dashboards.components.palette import ENDING_COLOURS, get_colour
from zertz_db.parser.vocabulary.terms import Ending, Verdict

PAGES = {True: "#171613", False: "#fbf9f4"}
"""The background of a page, by whether it is dark."""
TOGETHER = ("4W", "5G", "6B", "3each", "several", *Ending, Verdict.UNFINISHED)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", ["6B", "5B", "4W", "5G", "3each"])
def test_sets_are_seen_on_a_dark_page(name: str) -> None:
    assert contrast(get_colour(name, is_dark=True), PAGES[True]) >= 3


def test_black_is_seen_on_a_light_page() -> None:
    assert contrast(get_colour("6B"), PAGES[False]) >= 3


@pytest.mark.parametrize("is_dark", [True, False])
def test_names_of_one_chart_have_different_colours(is_dark: bool) -> None:
    colours = {name: get_colour(name, is_dark=is_dark) for name in TOGETHER if name != Ending.SET}
    assert len(set(colours.values())) == len(colours)
    for one, other in combinations(("4W", Verdict.UNFINISHED, "unknown"), 2):
        if {one, other} != {Verdict.UNFINISHED, "unknown"}:
            assert distance(get_colour(one, is_dark=is_dark), get_colour(other, is_dark=is_dark)) > 30


def distance(one: str, other: str) -> float:
    return sum((int(one[at : at + 2], 16) - int(other[at : at + 2], 16)) ** 2 for at in (1, 3, 5)) ** 0.5


def test_each_ending_has_a_colour() -> None:
    assert set(Ending) <= ENDING_COLOURS.keys()
