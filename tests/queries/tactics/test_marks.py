"""Marks on plies: what is proven, and apart from it what is estimated."""

from __future__ import annotations

from typing import Any

import pytest

from tests.queries.tactics.test_review import NOTHING
from zertz_db.queries.tactics.marks import MEANINGS, MINUS, Mark, count_marks, list_marks

PLAIN = {**NOTHING, "mover": 1, "free": True, "sacrifice": False, "chance": 0.6, "points": 0.0}


@pytest.mark.parametrize(
    ("found", "marks"),
    [
        ({}, []),
        ({"points": 4.9}, []),
        ({"points": 5.0}, [f"inaccuracy {MINUS}5"]),
        ({"points": 9.99}, [f"inaccuracy {MINUS}10"]),
        ({"points": 10.0}, [f"mistake {MINUS}10"]),
        ({"points": 15.0}, [f"serious-mistake {MINUS}15"]),
        ({"points": 60.0}, [f"serious-mistake {MINUS}60"]),
        ({"points": None}, []),
        ({"points": 60.0, "chance": None}, []),
        ({"sacrifice": True}, ["sacrifice S"]),
        ({"sacrifice": True, "free": False}, []),
        ({"sacrifice": True, "points": 12.0}, ["sacrifice S", f"mistake {MINUS}12"]),
        ({"forced": 5, "kept": False, "missed": True, "points": 80.0}, ["missed ✗"]),
        ({"forced": 5, "kept": None, "missed": True, "points": 80.0}, ["missed ✗"]),
        ({"forced": 1, "kept": False, "points": 80.0}, ["missed-in-one ✗1"]),
        ({"forced": 5, "kept": None, "points": 80.0}, []),
        ({"forced": 5, "kept": True, "points": 80.0}, []),
        ({"forced": 5, "kept": True, "only_move": True}, ["only-move □"]),
        ({"forced": 5, "kept": True, "only_move": False}, []),
        ({"forced": 1, "kept": True, "only_move": True}, []),
        ({"blunder": 3, "better": "Wd4,a1", "points": 55.0}, ["blunder ??"]),
        ({"lost": True, "points": 0.0}, []),
        (
            {"forced": 3, "kept": False, "missed": True, "blunder": 1, "better": "Wd4,a1", "points": 100.0},
            ["missed ✗", "blunder ??"],
        ),
    ],
)
def test_the_marks_on_a_ply(found: dict[str, Any], marks: list[str]) -> None:
    assert [f"{one.mark} {one.sign}" for one in list_marks({**PLAIN, **found})] == marks


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ({"forced": 7, "missed": True}, "Missed win: let a forced win in 7 plies go."),
        ({"forced": 1, "kept": False}, "Missed win: let a win in 1 ply go."),
        (
            {"blunder": 1, "better": "Wd4,a1"},
            "Blunder: allows a forced win in 1 ply; none was found after Wd4,a1.",
        ),
        (
            {"points": 12.4, "chance": 0.634},
            "Estimated mistake: the win chance of the player fell from 63 % to 51 %.",
        ),
        (
            {"points": 63.4, "chance": 0.634},
            "Estimated serious mistake: the win chance of the player fell from 63 % to 0 %.",
        ),
    ],
)
def test_a_mark_in_words(found: dict[str, Any], words: str) -> None:
    assert [one.words for one in list_marks({**PLAIN, **found})] == [words]


def test_every_mark_has_its_own_sign_and_name_and_estimates_say_so() -> None:
    assert set(MEANINGS) == set(Mark)
    for part in ("sign", "name", "several", "definition"):
        assert len({getattr(one, part) for one in MEANINGS.values()}) == len(Mark)
    for meaning in MEANINGS.values():
        assert meaning.definition.startswith("estimated") == (meaning.points > 0)


def test_counts_are_of_one_player_and_estimates_are_unknown_without_win_chances() -> None:
    plies = [
        {**PLAIN, "forced": 3, "kept": True, "only_move": True},
        {**PLAIN, "mover": 2, "points": 20.0},
        {**PLAIN, "forced": 5, "kept": False, "missed": True, "only_move": True},
        {**PLAIN, "forced": 1, "kept": True, "only_move": True},
        {**PLAIN, "points": 11.0},
    ]
    marks = [list_marks(ply) for ply in plies]
    counted = {"missed": 1, "missed_in_one": 0, "blunders": 0, "only_moves": 2, "only_found": 1}
    assert count_marks(plies, marks, 1, has_estimates=True) == {
        **counted,
        "serious_mistakes": 0,
        "mistakes": 1,
        "inaccuracies": 0,
    }
    unknown = dict.fromkeys(("serious_mistakes", "mistakes", "inaccuracies"))
    assert count_marks(plies, marks, 1, has_estimates=False) == {**counted, **unknown}
    assert count_marks(plies, marks, 2, has_estimates=True)["serious_mistakes"] == 1
