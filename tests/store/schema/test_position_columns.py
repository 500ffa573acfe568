"""Counts of marbles packed into one number, and taken out again by SQL."""

from __future__ import annotations

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zertz_db.store.schema.position_columns import (
    COUNTS,
    MAX_COUNT,
    captured_sql,
    count_sql,
    match_counts,
    pack_counts,
    packed_sql,
)

ALL = st.lists(st.integers(0, 12) | st.integers(0, MAX_COUNT), min_size=len(COUNTS), max_size=len(COUNTS))
ASK = duckdb.connect()


def ask(sql: str, **columns: int) -> tuple[object, ...]:
    """Return one row of SQL over a row with these columns."""
    given_row = ", ".join(
        f"{value}::{'BIGINT' if name == 'counts' else 'UTINYINT'} AS {name}" for name, value in columns.items()
    )
    return ASK.execute(f"SELECT {sql} FROM (SELECT {given_row})").fetchall()[0]


@given(ALL)
@settings(deadline=None, max_examples=60)
def test_sql_takes_out_what_was_packed(counts: list[int]) -> None:
    packed = pack_counts(counts)
    assert 0 <= packed < 2**63
    assert ask(", ".join(map(count_sql, COUNTS)), counts=packed) == tuple(counts)
    assert ask(f"{captured_sql(1)}, {captured_sql(2)}", counts=packed) == (sum(counts[3:6]), sum(counts[6:]))
    assert ask(packed_sql(), **dict(zip(COUNTS, counts, strict=True))) == (packed,)
    assert pack_counts([np.array([count], np.int64) for count in counts]).tolist() == [packed]


@given(ALL, ALL, st.sets(st.sampled_from(COUNTS)))
@settings(deadline=None, max_examples=60)
def test_conditions_on_some_counts(counts: list[int], others: list[int], names: set[str]) -> None:
    wanted = {name: count for name, count in zip(COUNTS, counts, strict=True) if name in names}
    held = dict(zip(COUNTS, others, strict=True))
    is_equal = all(held[name] == count for name, count in wanted.items())
    assert ask(match_counts(wanted), counts=pack_counts(others)) == (is_equal,)
    assert ask(match_counts(wanted), counts=pack_counts([{**held, **wanted}[name] for name in COUNTS])) == (True,)


@pytest.mark.parametrize(
    ("counts", "packed"), [([0] * 9, 0), ([1, *[0] * 8], 1), ([0, 1, *[0] * 7], 16), ([15] * 9, 2**36 - 1)]
)
def test_usual_counts_make_a_small_number(counts: list[int], packed: int) -> None:
    assert pack_counts(counts) == packed
