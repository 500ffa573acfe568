"""The course of games in numbers: the arrays of an import give what the SQL over plies and positions gives."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zertz_db.ingest.records.course_columns import Turns, build_course_columns
from zertz_db.rules.kernel import CAPTURED, SIDE
from zertz_db.rules.position_keys import NO_MOVE_CODE
from zertz_db.rules.replay import CAPTURE_DUE, NEXT_MOVE, ROW_SIZE
from zertz_db.rules.rule_sets import RULE_SETS
from zertz_db.store.loading.game_courses import COLUMNS, MAX_PLIES, courses_sql
from zertz_db.store.schema.position_columns import pack_counts

POSITION = st.tuples(
    st.tuples(*[st.integers(0, most) for most in (5, 6, 7) * 2]),
    st.integers(0, 1),
    st.booleans(),
    st.booleans(),
    st.sampled_from([-1, 0, 5, 5, 7, 9, 1_000]),
)
"""Captures of both players, who moves, whether a capture is due, whether the turn is a capture, the clock after it."""
GAME = st.tuples(st.sampled_from([*RULE_SETS]), st.lists(POSITION, min_size=1, max_size=24))


def by_arrays(games: list[Any]) -> list[dict[str, Any]]:
    rows = np.zeros((sum(len(story) for _, story in games), ROW_SIZE), np.int64)
    turns = [turn for _, story in games for turn in story[:-1]]
    for number, (captured, side, is_due, _, _) in enumerate(turn for _, story in games for turn in story):
        rows[number, CAPTURED : CAPTURED + 6], rows[number, SIDE], rows[number, CAPTURE_DUE] = captured, side, is_due
        rows[number, NEXT_MOVE] = 4096 + number
    lengths = np.array([len(story) for _, story in games], np.int64)
    rows[np.cumsum(lengths) - 1, NEXT_MOVE] = NO_MOVE_CODE
    captures, clocks = (np.array([turn[place] for turn in turns], kind) for place, kind in ((3, bool), (4, np.int64)))
    rules = [RULE_SETS[name] for name, _ in games]
    return list(pa.table(build_course_columns(rows, lengths, rules, Turns(captures, clocks))).to_pylist())


def by_sql(games: list[Any]) -> list[dict[str, Any]]:
    positions: dict[str, list[Any]] = {name: [] for name in ("game", "ply", "next_move", "counts")}
    plies: dict[str, list[Any]] = {name: [] for name in ("game", "ply", "mover", "kind", "clock", "sacrifice")}
    for game, (_, story) in enumerate(games):
        for ply, (captured, side, _, is_capture, clock) in enumerate(story):
            is_last = ply == len(story) - 1
            code = None if is_last else 4096 + len(positions["ply"])
            for name, value in zip(positions, (game, ply, code, pack_counts([0, 0, 0, *captured])), strict=True):
                positions[name].append(value)
            if not is_last:
                kind, time = "capture" if is_capture else "placement", None if clock < 0 else clock
                for name, value in zip(plies, (game, ply, side + 1, kind, time, story[ply + 1][2]), strict=True):
                    plies[name].append(value)
    kinds = {"kind": pa.string(), "sacrifice": pa.bool_()}
    with duckdb.connect() as connection:
        connection.register(
            "_position", pa.table(positions, schema=pa.schema([(name, pa.int64()) for name in positions]))
        )
        connection.register(
            "_ply", pa.table(plies, schema=pa.schema([(name, kinds.get(name, pa.int64())) for name in plies]))
        )
        names, lengths = [name for name, _ in games], [len(story) - 1 for _, story in games]
        connection.register("_game", pa.table({"id": [*range(len(games))], "rule_set": names, "plies": lengths}))
        found = connection.execute(f"SELECT {', '.join(COLUMNS)} FROM ({courses_sql('true')}) ORDER BY game")
        return list(found.to_arrow_table().to_pylist())


@settings(max_examples=25, deadline=None)
@given(games=st.lists(GAME, min_size=1, max_size=4))
def test_arrays_and_sql_give_the_same_columns(games: list[Any]) -> None:
    assert by_arrays(games) == by_sql(games)


@pytest.mark.parametrize("plies", [MAX_PLIES, MAX_PLIES + 1, 300])
def test_leads_of_long_games_are_unknown(plies: int) -> None:
    turn = ((1, 0, 0, 0, 0, 0), 0, False, False, 5)
    games = [("standard", [turn] * (plies + 1))]
    assert by_arrays(games) == by_sql(games)
    assert by_arrays(games)[0]["led1"] == (plies + 1 if plies == MAX_PLIES else None)


def test_a_game_in_numbers() -> None:
    """Player 1 leads, player 2 passes him; the last turns of player 1 are captures, and his clock goes down once."""
    level, one, two = (0,) * 6, (3, 0, 0, 0, 0, 0), (3, 0, 0, 0, 4, 6)
    story = [
        (level, 0, False, False, 10), (one, 1, True, False, 10), (one, 0, False, True, 30),
        (two, 1, False, False, 40), (two, 0, True, True, 20), (two, 0, False, False, -1),
    ]  # fmt: skip
    (found,) = by_arrays([("standard", story)])
    assert found | {"held": [found.pop(f"held{player}_{tenth}") for player in (1, 2) for tenth in range(10)]} == {
        "first_move": 4096, "lead_changes": 1, "led1": 2, "led2": 3, "led_half": 1, "sacrifices1": 1, "sacrifices2": 1,
        "last_captures1": 2, "last_captures2": 0, "clocked": True, "clock_time": None,
        "held": [0, 0, 3, 0, 3, 0, 3, 0, 3, 0, 0, 0, 0, 0, 0, 0, 10, 0, 10, 0],
    }  # fmt: skip
