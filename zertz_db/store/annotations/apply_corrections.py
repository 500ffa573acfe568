"""Apply corrections to the rows of games whenever a generation is built, so that readers pay nothing for them.

A generation under construction has its games as their records have them, because records identify a game: `revert` restores that
at the start, `apply` corrects at the end. The table of corrections lists the values that differ, and the values in the records.
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
from zertz_db.store.schema.table_columns import arrow_schema

_FACT = "corrections"
"""The fact with the state of the file that is applied."""
_DATES = "corrected_dates"
"""The fact with the dates that are corrected: the sums of continuations have the latest date."""

Key = tuple[int, str]
"""The id of a game, and a tag."""
Values = Mapping[Key, str | None]


def revert(connection: duckdb.DuckDBPyConnection) -> None:
    """Restore the values that the records have in a database under construction. Do nothing if they are restored already."""
    old = _list_recorded(connection)
    if old:
        _set(connection, "_game", old)
        connection.execute("DELETE FROM _correction")


def apply(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Apply the corrections of the folder to the games of a database under construction. `revert` must come first."""
    state = _state(folder)  # before the file is read, so that a later change is noticed
    by_tag = corrections.in_force(folder)
    old = list_recorded(connection, [*by_tag])
    counting = {key: one for key, one in by_tag.items() if key in old and old[key] != one.new}
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
    """Return whether a generation has applied the current corrections file, which people may have edited."""
    return meta.read(connection).get(_FACT, "") == _state(folder)


def list_recorded(connection: duckdb.DuckDBPyConnection, wanted: Sequence[Key]) -> Values:
    """Return tags of those games that exist, from their rows or their representative records; None for a missing tag."""
    games, tags = [game for game, _ in wanted], [tag for _, tag in wanted]
    own = " ".join(f"WHEN '{tag}' THEN g.{column}" for tag, column in COLUMNS.items())
    query = f"""
        SELECT g.id, tag, CASE tag {own} ELSE (SELECT any_value(value) FROM _tag t WHERE t.record = g.record AND name = tag) END
        FROM (SELECT unnest(?::BIGINT[]) AS game, unnest(?::VARCHAR[]) AS tag) JOIN _game g ON g.id = game
    """
    rows = connection.execute(query, [games, tags]).fetchall() if wanted else []
    values = {(game, tag): value for game, tag, value in rows}
    return {key: values[key] for key in wanted if key in values}


def show_recorded(connection: duckdb.DuckDBPyConnection) -> None:
    """Show a reading connection all games as their records have them."""
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
    """Set the columns of games to these values."""
    for tag, column in COLUMNS.items():
        own = {game: value for (game, name), value in values.items() if name == tag}
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
