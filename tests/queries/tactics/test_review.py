"""The review of a game: its plies with what the solver found."""

from __future__ import annotations

from typing import Any

import pytest

from tests.analyses import ANALYSED, DEPTH, NODES, JudgedClub
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.games.one_game import find_game
from zertz_db.queries.tactics.review import describe_ply, review_game
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import from_text

NOTHING = {
    "forced": None, "kept": None, "missed": False, "only_move": None, "blunder": None, "better": None, "lost": False
}  # fmt: skip


def test_a_review_has_every_ply_with_its_row(judged: Database, judged_club: JudgedClub) -> None:
    for (game,) in list_games(judged, ANALYSED, columns=["id"], limit=5).rows:
        found = review_game(judged, game)
        assert (found.game, found.problem, found.limits) == (
            game,
            None,
            f"{DEPTH} plies and {NODES:,} nodes a position",
        )
        rows = {row["ply"]: row for row in judged_club.rows if row["game"] == from_text(game)}
        course = find_game(judged, game)
        assert [ply["notation"] for ply in found.plies.dicts()] == course.moves
        for number, ply in enumerate(found.plies.dicts()):
            expected = {name: value for name, value in rows.get(number, NOTHING).items() if name not in ("game", "ply")}
            assert {name: ply[name] for name in expected} == expected
            assert (ply["ply"], ply["mover"]) == (number, course.positions[number].side)
            assert bool(ply["remarks"]) == any(True for _ in describe_ply(ply))
        shown = [{name: ply[name] for name in found.plies.names} for ply in found.as_json()["plies"]]
        assert shown == found.plies.dicts()


@pytest.mark.parametrize(
    ("found", "remarks"),
    [
        ({}, []),
        ({"forced": 1, "kept": True, "only_move": True}, []),
        ({"forced": 1, "kept": False}, ["Let a win in 1 go."]),
        ({"forced": 5, "kept": False, "missed": True}, ["Let a forced win in 5 go."]),
        ({"forced": 5, "kept": None, "missed": True}, ["Let a forced win in 5 go."]),
        ({"forced": 3, "kept": True, "only_move": True}, ["The only move that keeps a forced win in 3."]),
        ({"forced": 3, "kept": True, "only_move": None}, ["Keeps a forced win in 3."]),
        (
            {"forced": 7},
            ["There was a forced win in 7; the limits did not suffice to decide if the move keeps it."],
        ),
        (
            {"blunder": 3, "better": "Wd4,a1"},
            ["Blunder: allows a forced win in 3; none was found after Wd4,a1."],
        ),
        ({"lost": True}, ["Lost before: every move allows a forced win."]),
        (
            {"forced": 3, "kept": False, "missed": True, "blunder": 5, "better": "Bb2,c1"},
            ["Let a forced win in 3 go.", "Blunder: allows a forced win in 5; none was found after Bb2,c1."],
        ),
    ],
)  # fmt: skip
def test_remarks(found: dict[str, Any], remarks: list[str]) -> None:
    assert list(describe_ply({**NOTHING, **found})) == remarks


def test_a_game_without_an_analysis_says_what_to_do(judged: Database, judged_club: JudgedClub) -> None:
    (game,) = list_games(judged, "analysed:no date:2012", columns=["id"], limit=1).rows[0]
    assert review_game(judged, game).problem == f"This game has not been analysed: run zertz analyse id:{game}."
    skipped = review_game(judged, judged_club.skipped)
    assert (
        skipped.problem
        == "This game has not been searched for forced wins: games with written claims can't be searched."
    )
