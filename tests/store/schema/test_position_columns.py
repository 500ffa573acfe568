"""Two sets of marbles tell those of three colours."""

from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zertz_db.rules.board import LARGEST_BOARD, LARGEST_COMPILED_BOARD
from zertz_db.store.schema.position_columns import RING_SETS, colours_sql, join_colours, split_colours

CONTENTS = st.lists(st.sampled_from(".oWGB"), max_size=LARGEST_BOARD)


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


@settings(max_examples=30, deadline=None)
@given(contents=CONTENTS)
def test_colours_are_split_as_they_were_joined(connection: duckdb.DuckDBPyConnection, contents: list[str]) -> None:
    marbles = tuple(sum((held == colour) << ring for ring, held in enumerate(contents)) for colour in "WGB")
    joined = join_colours(*marbles)
    assert split_colours(*joined) == marbles
    for suffix, kind, of_column in (("", "BIGINT", low), ("_high", "HUGEINT", high)):
        pairs = zip(RING_SETS[1:], map(of_column, joined), strict=True)
        stored = ", ".join(f"{rings}::{kind} AS {name}{suffix}" for name, rings in pairs)
        found = connection.execute(
            f"SELECT {', '.join(colours_sql(suffix).values())} FROM (SELECT {stored})"
        ).fetchall()
        assert found == [tuple(map(of_column, marbles))]


def low(rings: int) -> int:
    return rings & (1 << LARGEST_COMPILED_BOARD) - 1


def high(rings: int) -> int:
    return rings >> LARGEST_COMPILED_BOARD
