"""What could stand where somebody is writing a filter: fields, values to choose from, and names that the database has."""

from __future__ import annotations

import re
from typing import NamedTuple

from zertz_db.queries.filters.fields import FIELDS
from zertz_db.queries.filters.player_conditions import PLAYER_ROLES
from zertz_db.queries.filters.terms import quote_value
from zertz_db.queries.sql_params import execute
from zertz_db.store.folder.database import Database
from zertz_db.store.names import fold_name

MAX_SUGGESTIONS = 10
_WORDS = {"and": "both hold, as without it", "or": "one of them holds", "not": "what follows does not hold"}

_UNFINISHED = re.compile(
    r"""(?:(?P<field>[^\W\d]\w*):(?:(?:"[^"]*"|[^\s"(),]+),)*)?(?P<value>"[^"]*|[^\s"(),]*)$""",
)
"""What stands before the cursor and is not at an end: a field's value, or a word that may become a field."""

_PLAYERS = """
    SELECT p.name, count(g.name) AS games
    FROM _player p JOIN _alias a ON a.player = p.id AND a.status = 'accepted'
    LEFT JOIN (SELECT player1 AS name FROM _game UNION ALL SELECT player2 FROM _game) g ON g.name = a.name
    WHERE contains(a.folded, ?) GROUP BY p.id, p.name ORDER BY games DESC, lower(p.name) LIMIT ?
"""
_BEGUN = "contains(lower({column}), lower(?))"
_OF_GAMES = "SELECT {column}, count(*) AS games FROM _game WHERE " + _BEGUN + " GROUP BY {column}"
_TEXTS = {
    **{column: _OF_GAMES.format(column=column) for column in ("event", "site", "round")},
    "label": f"""
        SELECT label, count(DISTINCT game) AS games FROM _mark WHERE {_BEGUN.format(column="label")} GROUP BY label""",
    "code": """
        SELECT code, count(DISTINCT game) AS games FROM _finding JOIN _record ON _record.id = record
        WHERE game IS NOT NULL AND contains(lower(code), lower(?)) GROUP BY code""",
}


class Suggestion(NamedTuple):
    """A text to put in the place of what stands from `start` to `end`, and what it means."""

    text: str
    meaning: str
    start: int
    end: int


def complete_filter(database: Database, text: str, cursor: int | None = None) -> list[Suggestion]:
    """What could be put at the cursor (or at the text's end), the likeliest first: ten at most.

    A word may become a field, which is suggested with its colon; behind a field stand the values to choose from, or the
    names, events, … that the database has, those with most games first.
    """
    end = len(text) if cursor is None else cursor
    before = _UNFINISHED.search(text[:end])
    if before is None:
        return []
    begun = before["value"].removeprefix('"').casefold()
    start = before.start("value")
    if before["field"] is not None:
        found = _values(database, before["field"].casefold(), begun)
    elif before["value"].startswith('"'):
        found = []
    else:
        found = _words(begun)
    return [Suggestion(word, meaning, start, end) for word, meaning in found[:MAX_SUGGESTIONS]]


def _words(begun: str) -> list[tuple[str, str]]:
    fields = [(f"{name}:", field.meaning) for name, field in FIELDS.items()]
    return [(word, meaning) for word, meaning in [*fields, *_WORDS.items()] if word.startswith(begun)]


def _values(database: Database, field: str, begun: str) -> list[tuple[str, str]]:
    if field in FIELDS and FIELDS[field].choices:
        return [(choice, "") for choice in FIELDS[field].choices if choice.casefold().startswith(begun)]
    if field in PLAYER_ROLES or field == "vs":
        query, begun = _PLAYERS, fold_name(begun)
    elif field in _TEXTS:
        query = f"{_TEXTS[field]} ORDER BY games DESC LIMIT ?"
    else:
        return []
    rows = execute(database.connection(), query, [begun, MAX_SUGGESTIONS]).fetchall()
    return [(quote_value(name), f"{games:,} game{'' if games == 1 else 's'}") for name, games in rows]
