"""Globs: `*` stands for any letters, all other characters for themselves, and the time grows with the text alone."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Iterator
from multiprocessing import get_context

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.rows import rows
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.filters.fields import FIELDS
from zertz_db.queries.filters.player_conditions import fits, matches
from zertz_db.queries.sql_params import execute
from zertz_db.store.loading.bulk_load import load
from zertz_db.store.names import fold_name
from zertz_db.store.schema.ddl import create

HANGING = 600
"""Seconds that only a search through all ways to divide a text could take: the whole takes about one."""

LETTERS = "ab%_\\*?[]. \n\x00éÉßİ\U0001f600'"
TEXTS = st.text(LETTERS.replace("*", ""), max_size=12)
GLOBS = st.text(LETTERS + "***", max_size=8)


def is_match(text: str, glob: str) -> bool:
    """The obvious way: all ends of a match of the glob's first letters, letter by letter."""
    ends = {0}
    for letter in glob:
        if letter == "*":
            ends = set(range(min(ends), len(text) + 1)) if ends else ends
        else:
            ends = {end + 1 for end in ends if text[end : end + 1] == letter}
    return len(text) in ends


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        yield opened


@settings(deadline=None)
@given(TEXTS, GLOBS)
def test_a_glob_means_what_it_says(connection: duckdb.DuckDBPyConnection, text: str, glob: str) -> None:
    where, values = matches("value", glob)
    assert execute(connection, f"SELECT {where} FROM (SELECT ? AS value)", [*values, text]).fetchall() == [
        (is_match(text, glob),)
    ]


@settings(deadline=None)
@given(TEXTS, GLOBS)
def test_capital_and_small_letters_are_alike(connection: duckdb.DuckDBPyConnection, text: str, glob: str) -> None:
    """So are composed and decomposed accents of what is asked for."""
    where, values = fits("value", glob)
    forms = [unicodedata.normalize(form, glob) for form in ("NFC", "NFD")]
    small, *wanted = execute(connection, "SELECT lower(?), lower(?), lower(?)", [text, *forms]).fetchall()[0]
    expected = any(is_match(small, form) if "*" in form else small == form for form in wanted)
    assert execute(connection, f"SELECT {where} FROM (SELECT ? AS value)", [*values, text]).fetchall() == [(expected,)]


@settings(deadline=None)
@given(st.lists(TEXTS, max_size=4))
def test_a_text_is_found_by_its_parts(connection: duckdb.DuckDBPyConnection, parts: list[str]) -> None:
    where, values = matches("value", "*".join(parts))
    assert execute(connection, f"SELECT {where} FROM (SELECT ? AS value)", [*values, "".join(parts)]).fetchall() == [
        (True,)
    ]


DICE = random.Random(7)  # noqa: S311 - no secret
LONG = [
    "*" + " *" * 15 + "zz",
    "*" + "a*" * 900 + "b",
    "a*" * 900 + "b",
    "*" + "*".join(DICE.choice(["ab", "ba", "aab", "b_a", "a%"]) for _ in range(400)) + "*zz",
    "*" + "_*" * 500 + "zz",
    "*" * 1900 + "zz",
    "*" + "a" * 900 + "*b" + "*" + "a" * 900 + "*zz",
    "*" + "".join(DICE.choice("ab") + DICE.choice(["", "", "*"]) for _ in range(1000)) + "zz",
]
WORDS = [name for name, field in FIELDS.items() if not field.choices and field.between is None and name not in
         ("id", "code", "since", "until", "vs", "edition")]  # fmt: skip


def test_the_fields_that_take_globs_are_known() -> None:
    expected = {
        "player",
        "first",
        "second",
        "won",
        "lost",
        "event",
        "site",
        "round",
        "moves",
        "text",
        "source",
        "label",
        "missed-by",
        "blunder-by",
    }
    assert set(WORDS) == expected


def test_no_glob_takes_long_whatever_the_text() -> None:
    process = get_context("spawn").Process(target=ask_all)
    process.start()
    process.join(HANGING)
    has_ended = process.exitcode is not None
    process.kill()
    process.join()
    assert has_ended
    assert process.exitcode == 0


def ask_all() -> None:
    """Ask every field for every glob, of games with long texts everywhere; in a process of its own, since nothing else could end it."""
    chance = random.Random(8)  # noqa: S311 - no secret
    texts = [
        " ".join(["Wd4,d1"] * 500),
        "a" * 4000,
        *("".join(chance.choice("ab") for _ in range(4000)) for _ in range(20)),
        "_%" * 2000,
    ]
    with duckdb.connect() as opened:
        create(opened)
        numbers = list(range(1, len(texts) + 1))
        columns = ("player1", "player2", "event", "site", "round", "flags", "movetext")
        load(opened, "game", rows("game", id=numbers, **dict.fromkeys(columns, texts), winner=[1] * len(texts)))
        load(opened, "player", rows("player", id=numbers, name=texts, kind=["human"] * len(texts)))
        load(
            opened,
            "alias",
            rows(
                "alias", name=texts, player=numbers, status=["accepted"] * len(texts), folded=[*map(fold_name, texts)]
            ),
        )
        load(opened, "source", rows("source", id=numbers, path=texts))
        load(opened, "record", rows("record", id=numbers, source=numbers, game=numbers, member=texts))
        load(opened, "mark", rows("mark", game=numbers, label=texts))
        for glob in LONG:
            for name in WORDS:
                where, values = condition(f'{name}:"{glob}"')
                execute(opened, f"SELECT count(*) FROM _game WHERE {where}", values).fetchall()
            where, values = condition(f'player:"{glob}" vs:"{glob}"')
            execute(opened, f"SELECT count(*) FROM _game WHERE {where}", values).fetchall()


def test_the_pattern_has_no_character_that_makes_it_slow() -> None:
    for glob in ("a_*b", "100%*", "*\\*", "***"):
        where, [pattern] = matches("value", glob)
        assert "ESCAPE" not in where
        assert not re.search(r"_|%%", str(pattern))
