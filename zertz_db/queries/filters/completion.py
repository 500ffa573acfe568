"""Complete filters: fields, values of closed fields, and names that the database has."""

from __future__ import annotations

from typing import NamedTuple

from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.queries.filters.fields import FIELDS
from zertz_db.queries.filters.player_conditions import PLAYER_ROLES
from zertz_db.queries.filters.tactic_conditions import TACTIC_PLAYERS
from zertz_db.queries.filters.terms import quote_value
from zertz_db.queries.sql_params import execute
from zertz_db.queries.tournament_editions import TOURNAMENTS
from zertz_db.store.folder.database import Database
from zertz_db.store.names import fold_name

MAX_SUGGESTIONS = 10
_WORDS = {"and": "both hold (the default)", "or": "one of both holds", "not": "the next term does not hold"}

_UNFINISHED = compile_on_use(
    r"""(?:(?P<field>[^\W\d]\w*(?:-\w+)*):(?:(?:"[^"]*"|[^\s"(),]+),)*)?(?P<value>"[^"]*|[^\s"(),]*)$""",
)
"""Unfinished text before the cursor: the value of a field, or a word that may become a field."""

_PLAYERS = """
    SELECT p.name, count(g.name) AS games
    FROM _player p JOIN _alias a ON a.player = p.id AND a.status = 'accepted'
    LEFT JOIN (SELECT player1 AS name FROM _game UNION ALL SELECT player2 FROM _game) g ON g.name = a.name
    WHERE contains(a.folded, ?) GROUP BY p.id, p.name ORDER BY bool_or(starts_with(a.folded, ?)) DESC, games DESC, lower(p.name) LIMIT ?
"""
_CONTAINS = "contains(lower({column}), lower(?))"
_OF_GAMES = "SELECT {column}, count(*) AS games FROM _game WHERE " + _CONTAINS + " GROUP BY {column}"
_TEXTS = {
    **{column: _OF_GAMES.format(column=column) for column in ("event", "site", "round")},
    "edition": f"""
        SELECT tournament_name, count(*) AS games FROM ({TOURNAMENTS}) WHERE {_CONTAINS.format(column="tournament_name")}
        GROUP BY tournament_name""",
    "label": f"""
        SELECT label, count(DISTINCT game) AS games FROM _mark WHERE {_CONTAINS.format(column="label")} GROUP BY label""",
    "code": """
        SELECT code, count(DISTINCT game) AS games FROM _finding JOIN _record ON _record.id = record
        WHERE game IS NOT NULL AND contains(lower(code), lower(?)) GROUP BY code""",
}


class Suggestion(NamedTuple):
    """Text that replaces the characters from `start` to `end`, and its meaning."""

    text: str
    meaning: str
    start: int
    end: int


def complete_filter(database: Database, text: str, cursor: int | None = None) -> list[Suggestion]:
    """Return at most ten suggestions for the cursor (default: the end of the text), likeliest first.

    For a word these are fields with their colons. After a field they are its values, or names, events, … of the database: first
    those that begin with the text, then those that contain it, each with most games first.
    """
    end = len(text) if cursor is None else cursor
    before = _UNFINISHED.search(text[:end])
    if before is None:
        return []
    prefix = before["value"].removeprefix('"').casefold()
    start = before.start("value")
    if before["field"] is not None:
        found = _values(database, before["field"].casefold(), prefix)
    elif before["value"].startswith('"'):
        found = []
    else:
        found = _words(prefix)
    return [Suggestion(word, meaning, start, end) for word, meaning in found[:MAX_SUGGESTIONS]]


def _words(prefix: str) -> list[tuple[str, str]]:
    fields = [(f"{name}:", field.meaning) for name, field in FIELDS.items()]
    return [(word, meaning) for word, meaning in [*fields, *_WORDS.items()] if word.startswith(prefix)]


def _values(database: Database, field: str, prefix: str) -> list[tuple[str, str]]:
    if field in FIELDS and FIELDS[field].choices:
        return [(choice, "") for choice in FIELDS[field].choices if choice.casefold().startswith(prefix)]
    if field in {*PLAYER_ROLES, *TACTIC_PLAYERS, "vs"}:
        query, prefix = _PLAYERS, fold_name(prefix)
    elif field in _TEXTS:
        query = f"FROM ({_TEXTS[field]}) t(name, games) ORDER BY starts_with(lower(name), lower(?)) DESC, games DESC, name LIMIT ?"
    else:
        return []
    rows = execute(database.connection(), query, [prefix, prefix, MAX_SUGGESTIONS]).fetchall()
    return [(quote_value(name), f"{games:,} game{'' if games == 1 else 's'}") for name, games in rows]
