"""Values get into SQL in one way: one function writes literals."""

from pathlib import Path

import duckdb
import pytest

from zertz_db.store.sql_literals import literal

ROOT = Path(__file__).parents[2]
HAND_MADE = ('replace("\'", "\'\'")', "from_hex(")
"""Signs of a literal: doubled quotes, hexadecimal digits."""


def test_one_module_writes_literals() -> None:
    sources = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "zertz_db").rglob("*.py")}
    found = {name for name, path in sources.items() if any(sign in path.read_text("utf-8") for sign in HAND_MADE)}
    assert found == {"zertz_db/store/sql_literals.py"}


@pytest.mark.parametrize(
    "text", ["", "Ada's", "''", "\\", "\\'", "a\n--b", "/*", "$$", "?", "{0}", "a\0b'", "Žeton ½", "x'41'", "'; DROP"]
)
def test_a_literal_is_the_text_that_it_was_made_of(text: str) -> None:
    assert duckdb.execute(f"SELECT {literal(text)}").fetchall() == [(text,)]
