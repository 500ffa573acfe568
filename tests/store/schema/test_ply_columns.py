"""A row for each ply is computed from the columns of its game."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.rows import rows
from tests.store.scratch import empty_tables
from zertz_db.queries.replay_moves import moves
from zertz_db.store.loading.bulk_load import load
from zertz_db.store.loading.ply_arrays import build_ply_columns
from zertz_db.store.schema.ply_columns import KINDS, plies_of

RINGS = st.builds("{}{}".format, st.sampled_from("abgwxq"), st.integers(1, 11))
MARBLES = st.builds("{}{}".format, st.sampled_from("WGB"), RINGS)
PLACEMENTS = st.one_of(MARBLES, st.builds("{},{}".format, MARBLES, RINGS))
CLAIMS = st.builds("{} x {}".format, PLACEMENTS, st.lists(MARBLES, min_size=1).map("".join))
CAPTURES = st.builds("x {}{}".format, RINGS, st.lists(MARBLES, min_size=1).map("".join))
Ply = tuple[str, str, int | None, tuple[bool, ...]]
"""A ply: its notation, kind and clock, and whether each of FLAGS holds."""
FLAGS = ("mover", "forced", "sacrifice", "claim")
PLIES = st.tuples(
    st.one_of(PLACEMENTS, CLAIMS, CAPTURES, st.just("-")),
    st.sampled_from(KINDS),
    st.one_of(st.none(), st.integers(0, 2**63 - 1)),
    st.tuples(*(st.booleans() for _ in FLAGS)),
)


def store(connection: duckdb.DuckDBPyConnection, games: list[list[Ply]]) -> None:
    """Store games with the numbers 0, 1, … from their plies."""
    plies = [ply for game in games for ply in game]
    columns = build_ply_columns(
        np.array([len(game) for game in games], np.int64),
        [KINDS.index(kind) for _, kind, _, _ in plies],
        pa.array([clock for _, _, clock, _ in plies], pa.int64()),
        **{name: [flags[place] for *_, flags in plies] for place, name in enumerate(FLAGS)},
    )
    texts = [" ".join(text for text, *_ in game) for game in games]
    stored = rows("game", id=[*range(len(games))], plies=[len(game) for game in games], movetext=texts)
    for name, values in columns.items():
        place = stored.schema.get_field_index(name)
        stored = stored.set_column(place, stored.schema.field(place), values)
    load(connection, "game", stored)


@settings(deadline=None)
@given(st.lists(st.lists(PLIES, max_size=8), min_size=1, max_size=5))
def test_every_form_of_a_ply_is_read_as_it_was_stored(games: list[list[Ply]]) -> None:
    with empty_tables() as connection:
        store(connection, games)
        found = connection.execute("SELECT * FROM _ply ORDER BY game, ply").fetchall()
        texts = connection.execute("SELECT movetext FROM _game ORDER BY id").fetchall()
        [(bare,)] = connection.execute("SELECT count(*) FROM _game WHERE ply_clocks IS NULL").fetchall()
    assert found == [
        (game, ply, mover + 1, kind, text, clock, forced, claim, sacrifice)
        for game, plies in enumerate(games)
        for ply, (text, kind, clock, (mover, forced, sacrifice, claim)) in enumerate(plies)
    ]
    assert [moves(text) for (text,) in texts] == [[text for text, *_ in game] for game in games]
    assert bare == sum(all(clock is None for _, _, clock, _ in game) for game in games)


@pytest.mark.parametrize(
    ("movetext", "plies"),
    [
        ("", []),
        ("-", ["-"]),
        ("x q11Wx5 Wx5", ["x q11Wx5", "Wx5"]),
        ("Wg1,f2 x Wg1 x d3Wd5Gd7", ["Wg1,f2 x Wg1", "x d3Wd5Gd7"]),
        ("Gg4 x Gg4Wg2Bg1 - Bx1,x2 x Bx1 Wa1", ["Gg4 x Gg4Wg2Bg1", "-", "Bx1,x2 x Bx1", "Wa1"]),
    ],
)
def test_moves_are_split_into_plies(movetext: str, plies: list[str]) -> None:
    with empty_tables() as connection:
        load(connection, "game", rows("game", id=[7], plies=[len(plies)], movetext=[movetext]))
        found = connection.execute("SELECT notation FROM _ply ORDER BY ply").fetchall()
    assert [text for (text,) in found] == plies


@pytest.mark.parametrize("plies", ["(FROM _ply WHERE game = 1)", plies_of("(1)"), plies_of("(SELECT 1)")])
def test_moves_are_split_only_for_the_chosen_games(plies: str) -> None:
    with empty_tables() as connection:
        load(connection, "game", rows("game", id=[*range(3_000)], plies=[1] * 3_000, movetext=["Wa1"] * 3_000))
        assert connection.execute(f"SELECT game, notation FROM {plies}").fetchall() == [(1, "Wa1")]
        [(_, plan)] = connection.execute(f"EXPLAIN SELECT notation FROM {plies}").fetchall()
    below = plan[plan.index("UNNEST") :]
    assert "id=1" in below or "JOIN" in below
