"""Suggest terms for a filter that no game matches: names, events, labels, and ids without their field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.ast import All, Either, Node, Plain, Term
from zertz_db.queries.filters.close_texts import close_ids, close_to
from zertz_db.queries.filters.coverage import describe_coverage, describe_missing_ratings, needs_analyses
from zertz_db.queries.filters.fields import PLACE, condition_of
from zertz_db.queries.filters.player_conditions import PLAYER_ROLES
from zertz_db.queries.filters.tactic_conditions import TACTIC_PLAYERS
from zertz_db.queries.filters.terms import quote_value, write_term
from zertz_db.queries.filters.trees import parse_filter
from zertz_db.queries.sql_params import execute
from zertz_db.queries.tournament_editions import TOURNAMENTS
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import LETTERS, beginning_with
from zertz_db.store.names import fold_name

_SEPARATOR = compile_on_use(r"([/!])")
_ENDING = compile_on_use(r"(?<=[^/!])\.[^./!]*$")
_MAX_SUGGESTIONS = 5
"""Maximum number of examined terms."""
_NAMES = """
    SELECT name FROM _player UNION
    SELECT name FROM _alias WHERE status = 'accepted' AND lower(name) NOT IN (SELECT lower(name) FROM _player)"""
_EDITIONS = f"SELECT tournament_name FROM ({TOURNAMENTS})"
_EVENTS = f"SELECT event FROM _game UNION {_EDITIONS}"
_KNOWN = {
    **dict.fromkeys((*PLAYER_ROLES, *TACTIC_PLAYERS, "vs"), _NAMES),
    "event": _EVENTS,
    "edition": _EDITIONS,
    "site": "SELECT site FROM _game",
    "label": "SELECT label FROM _mark WHERE game IS NOT NULL",
    "code": "SELECT code FROM _finding JOIN _record ON _record.id = record WHERE game IS NOT NULL",
    "source": f"SELECT {PLACE} FROM _record JOIN _source s ON s.id = source WHERE game IS NOT NULL",
    "text": f"{_NAMES} UNION {_EVENTS} UNION SELECT site FROM _game",
}
"""Queries of the values that the database has, by field."""


def absence(database: Database, filters: str) -> str:
    """Return a message for a filter that no game matches, with suggestions; or for a database without games.

    If the filter asks for forced wins, the message also says how many games have been analysed, unless all have; if it asks for
    ratings, how to add them to a database without ratings.
    """
    if not filters.strip():
        return "The database has no games yet."
    close = suggest_values(database, filters)
    message = f"No games match. Did you mean {' or '.join(close)}?" if close else "No games match."
    notes = (
        describe_missing_ratings(database, filters),
        describe_coverage(database, filters) if needs_analyses(filters) else None,
    )
    return " ".join((message, *filter(None, notes)))


def suggest_values(database: Database, filters: str) -> list[str]:
    """Return terms close to those terms of a filter that match no game by themselves."""
    found = []
    for field, value in list(_values(parse_filter(filters)))[:_MAX_SUGGESTIONS]:
        if not _has_games(database, field, value):
            found += _likely(database, field, value)
    return list(dict.fromkeys(found))


def _values(node: Node) -> Iterator[tuple[str, str]]:
    """Yield the plain values of a tree with their fields, without negated parts."""
    if isinstance(node, All | Either):
        for part in node.parts:
            yield from _values(part)
    elif isinstance(node, Term):
        yield from ((node.field, value.text.strip()) for value in node.values if isinstance(value, Plain))


def _has_games(database: Database, field: str, value: str) -> bool:
    """Check if a game matches a term; an opponent and a player who erred count as players."""
    try:
        where, values = condition_of("player" if field in {*TACTIC_PLAYERS, "vs"} else field, Plain(value))
    except QueryError:
        return True
    return bool(execute(database.connection(), f"SELECT 1 FROM _game WHERE {where} LIMIT 1", values).fetchall())


def _likely(database: Database, field: str, value: str) -> list[str]:
    if field == "text" and _is_id(database, value):
        return [f"id:{value}"]
    if field == "id" or (field == "text" and _is_like_an_id(value)):
        return [f"id:{one}" for one in close_ids(database.connection(), value)]
    query = _KNOWN.get(field)
    value = value.strip("*")
    if query is None or not value or "*" in value:
        return []
    rows = database.connection().execute(f"SELECT DISTINCT * FROM ({query}) ORDER BY ALL").fetchall()
    known = [name for (name,) in rows if name]
    close = close_to(value, _path_parts(known, value) if field == "source" else known)
    if fold_name(value) in map(fold_name, close):  # not misspelt: the player never won, for example
        return []
    return [quote_value(name) if field == "text" else write_term(field, name) for name in close]


def _path_parts(paths: Iterable[str], value: str) -> list[str]:
    """Return the parts of paths that have as many names as a value, with the last name's ending and without it."""
    count = len(_SEPARATOR.findall(value)) + 1
    parts: dict[str, None] = {}
    for path in paths:
        names = _SEPARATOR.split(path)  # separators have odd places
        for start in range(0, len(names) - 2 * (count - 1), 2):
            part = "".join(names[start : start + 2 * count - 1])
            parts |= {part: None, _ENDING.sub("", part): None}
    return [part for part in parts if part]


def _is_like_an_id(value: str) -> bool:
    """Return whether a word has the form of a whole id, or of one with a letter more or less."""
    return abs(len(value) - LETTERS) <= 1 and value.isascii() and value.isalnum()


def _is_id(database: Database, value: str) -> bool:
    try:
        first, last = beginning_with(value)
    except ValueError:
        return False
    query = "SELECT 1 FROM _game WHERE id BETWEEN ? AND ? LIMIT 1"
    return len(value) >= 4 and bool(execute(database.connection(), query, [first, last]).fetchall())
