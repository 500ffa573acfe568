"""Ids and their letters."""

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zertz_db.store import ids
from zertz_db.store.schema import ddl

NUMBERS = st.integers(-(2**63), 2**63 - 1)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0000000000000"),
        (1, "0000000000001"),
        (31, "000000000000Z"),
        (32, "0000000000010"),
        (2**63 - 1, "7ZZZZZZZZZZZZ"),
        (-(2**63), "8000000000000"),
        (-1, "FZZZZZZZZZZZZ"),
    ],
)
def test_numbers_and_letters(number: int, text: str) -> None:
    assert ids.to_text(number) == text
    assert ids.from_text(text) == number


@given(NUMBERS)
def test_letters_convert_back_to_the_number(number: int) -> None:
    text = ids.to_text(number)
    assert len(text) == ids.LETTERS
    assert ids.from_text(text) == number
    assert ids.from_text(f" {text.lower()} ") == number


@pytest.mark.parametrize(("written", "meant"), [("ooooooooooooL", 1), ("OOOOOOOOOOOOi", 1), ("000000000000l", 1)])
def test_letters_that_look_alike_are_read_as_digits(written: str, meant: int) -> None:
    assert ids.from_text(written) == meant


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "13 letters, this has 0"),
        ("00000000000000", "13 letters, this has 14"),
        ("000000000000U", "no U"),
        ("00-0000000000", "no -"),
        ("G000000000000", "at most F"),
    ],
)
def test_an_invalid_id_is_rejected_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        ids.from_text(text)


def test_an_id_is_the_start_of_the_sha256() -> None:
    assert ids.to_text(ids.id_of(b"")) == "E7C648ACFR70M"
    assert ids.id_of(b"a") != ids.id_of(b"b")


def test_views_write_ids_with_the_same_letters() -> None:
    numbers = [0, 1, -1, 2**63 - 1, -(2**63), *(ids.id_of(bytes([n])) for n in range(100))]
    with duckdb.connect() as connection:
        ddl.create(connection)
        for number in numbers:
            assert connection.execute("SELECT id_text(?::BIGINT)", [number]).fetchall() == [(ids.to_text(number),)]
