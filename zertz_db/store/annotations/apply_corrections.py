"""Games as people have corrected them: the corrections that count are laid on the rows of games whenever a generation is built.

So readers pay nothing for them. While a generation is under construction its games are as their records have them, since that is what
makes a game the one it is; `revert` sees to it at the beginning, `apply` at the end. The table of corrections says which values differ,
and what the records say instead.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import duckdb
import pyarrow as pa

from zertz_db.store import regular_files
from zertz_db.store.annotations import corrections
from zertz_db.store.annotations.corrections import COLUMNS, Correction
from zertz_db.store.loading import opening_nodes
from zertz_db.store.loading.bulk_load import load
from zertz_db.store.partial_dates import date_range
from zertz_db.store.schema import meta
from zertz_db.store.schema.ddl import arrow_schema

_FACT = "corrections"
"""The fact that says which state of the file is laid on."""
_DATES = "corrected_dates"
"""The fact that says which dates are corrected: the sums over what followed positions have the latest."""

Key = tuple[int, str]
"""A game and a tag."""
Values = Mapping[Key, str | None]


def revert(connection: duckdb.DuckDBPyConnection) -> None:
    """Let the games of a database under construction be as their records have them. Does no harm if it was done before."""
    old = _list_recorded(connection)
    if old:
        _set(connection, "_game", old)
        connection.execute("DELETE FROM _correction")


def apply(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Let the games of a database under construction be as what is said in its folder corrects them; `revert` comes before."""
    state = _state(folder)  # before the file is read, so that a change meanwhile is noticed
    said = corrections.in_force(folder)
    old = list_recorded(connection, [*said])
    counting = {key: one for key, one in said.items() if key in old and old[key] != one.new}
    _set(connection, "_game", {key: one.new for key, one in counting.items()})
    _note(connection, counting, old)
    dates = sorted((game, one.new or "") for (game, tag), one in counting.items() if tag == "Date")
    digest = hashlib.sha256(repr(dates).encode()).hexdigest() if dates else ""
    if digest != meta.read(connection).get(_DATES, ""):
        meta.write(connection, {_DATES: digest})
        opening_nodes.forget(connection)
    if meta.read(connection).get(_FACT, "") != state:
        meta.write(connection, {_FACT: state})


def is_followed(connection: duckdb.DuckDBPyConnection, folder: Path) -> bool:
    """Whether a generation knows what is in the file by now, which people may have edited."""
    return meta.read(connection).get(_FACT, "") == _state(folder)


def list_recorded(connection: duckdb.DuckDBPyConnection, wanted: Sequence[Key]) -> Values:
    """The values of tags in the rows of those games that there are, or in their leading records; None for a tag that is not there."""
    games, tags = [game for game, _ in wanted], [tag for _, tag in wanted]
    own = " ".join(f"WHEN '{tag}' THEN g.{column}" for tag, column in COLUMNS.items())
    query = f"""
        SELECT g.id, tag, CASE tag {own} ELSE (SELECT any_value(value) FROM _tag t WHERE t.record = g.record AND name = tag) END
        FROM (SELECT unnest(?::BIGINT[]) AS game, unnest(?::VARCHAR[]) AS tag) JOIN _game g ON g.id = game
    """
    found = connection.execute(query, [games, tags]).fetchall() if wanted else []
    values = {(game, tag): value for game, tag, value in found}
    return {key: values[key] for key in wanted if key in values}


def show_recorded(connection: duckdb.DuckDBPyConnection) -> None:
    """Let a reading connection see all games as their records have them."""
    old = _list_recorded(connection)
    if not old:
        return
    database = connection.execute("SELECT current_database()").fetchall()[0][0]
    connection.execute("CREATE TEMP TABLE recorded_game AS FROM _game WHERE id IN (SELECT game FROM _correction)")
    _set(connection, "recorded_game", old)
    connection.execute(f"""
        CREATE TEMP VIEW _game AS
        FROM "{database}".main._game WHERE id NOT IN (SELECT id FROM recorded_game) UNION ALL FROM recorded_game
    """)


def _state(folder: Path) -> str:
    try:
        return hashlib.sha256(regular_files.read(folder / corrections.FILE)).hexdigest()
    except FileNotFoundError:
        return ""


def _list_recorded(connection: duckdb.DuckDBPyConnection) -> Values:
    return {
        (game, tag): old for game, tag, old in connection.execute("SELECT game, tag, old FROM _correction").fetchall()
    }


def _set(connection: duckdb.DuckDBPyConnection, table: str, values: Values) -> None:
    """Let the columns of games have these values."""
    for tag, column in COLUMNS.items():
        own = {game: value for (game, said), value in values.items() if said == tag}
        if not own:
            continue
        rows = {"game": pa.array(own, pa.int64()), "value": pa.array(own.values(), pa.string())}
        assigned = f"{column} = value"
        if tag == "Date":
            first, last = zip(*(date_range(value) for value in own.values()), strict=True)
            rows |= {"first": pa.array(first, pa.date32()), "last": pa.array(last, pa.date32())}
            assigned += ', date_from = "first", date_to = "last"'
        connection.register("changes", pa.table(rows))
        connection.execute(f"UPDATE {table} SET {assigned} FROM changes WHERE {table}.id = game")
        connection.unregister("changes")


def _note(connection: duckdb.DuckDBPyConnection, counting: Mapping[Key, Correction], old: Values) -> None:
    rows = [
        {"game": key[0], "tag": one.tag, "old": old[key], "new": one.new, "author": one.author, "made_at": one.made_at}
        for key, one in counting.items()
    ]
    load(connection, "correction", pa.Table.from_pylist(rows, arrow_schema("correction")))
