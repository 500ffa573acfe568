"""The schema in the database equals the one of the classes."""

from collections.abc import Iterator
from decimal import Decimal

import duckdb
import pyarrow as pa
import pytest

from tests.store.rows import rows
from zertz_db.store.ids import id_of, to_text
from zertz_db.store.loading.bulk_load import load
from zertz_db.store.schema import ddl, meta, table_columns
from zertz_db.store.schema.tables import Row


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        ddl.create(connection)
        yield connection


@pytest.mark.parametrize("table", table_columns.table_names())
def test_every_table_takes_rows_of_its_arrow_schema_and_gives_them_back(
    connection: duckdb.DuckDBPyConnection, table: str
) -> None:
    fields = table_columns.arrow_schema(table)
    written = rows(table, **{fields[0].name: ["7"] if str(fields[0].type) == "string" else [7]})
    if table != "meta":
        connection.execute("DELETE FROM _meta")
    assert load(connection, table, written) == 1
    read_back = connection.execute(f"SELECT * FROM _{table}").to_arrow_table()
    assert read_back.column_names == fields.names
    assert read_back.select([0]).to_pylist()[-1] == written.select([0]).to_pylist()[0]
    view = Row.metadata.tables[f"_{table}"].info["view"]
    assert connection.execute(f"SELECT * FROM {view} ORDER BY {table_columns.order_of(table)}").fetchall()


def test_every_table_and_column_is_explained(connection: duckdb.DuckDBPyConnection) -> None:
    bare = connection.execute(
        """SELECT table_name, column_name FROM duckdb_columns()
        WHERE NOT internal AND table_name LIKE '\\_%' ESCAPE '\\' AND coalesce(comment, '') = ''
        UNION ALL SELECT view_name, '' FROM duckdb_views() WHERE NOT internal AND coalesce(comment, '') = ''"""
    ).fetchall()
    assert bare == []


KEYS = {
    "_alias": ["name", "player"], "_import": ["run"], "_meta": ["name"], "_player": ["id"],
    "_revisit": ["run", "source"], "_source": ["id"],
}  # fmt: skip


def test_only_small_tables_have_a_primary_key(connection: duckdb.DuckDBPyConnection) -> None:
    found = connection.execute(
        "SELECT table_name, constraint_column_names FROM duckdb_constraints() WHERE constraint_type = 'PRIMARY KEY'"
    ).fetchall()
    assert dict(found) == KEYS
    stated = {name: [column.name for column in table.primary_key] for name, table in Row.metadata.tables.items()}
    assert {name: keys for name, keys in stated.items() if keys} == KEYS


def test_the_public_views(connection: duckdb.DuckDBPyConnection) -> None:
    views = connection.execute(
        "SELECT view_name FROM duckdb_views() WHERE NOT internal AND view_name <> '_ply' ORDER BY view_name"
    ).fetchall()
    assert [view for (view,) in views] == [
        *("aliases", "analyses", "corrections", "findings", "games", "imports", "marks", "meta", "nodes"),
        *(
            "players",
            "plies",
            "positions",
            "puzzles",
            "ratings",
            "records",
            "revisits",
            "sightings",
            "sources",
            "tactics",
            "tags",
        ),
    ]


def test_views_show_ids_as_letters_and_hide_the_bytes(connection: duckdb.DuckDBPyConnection) -> None:
    record, game = id_of(b"record"), id_of(b"game")
    blobs = [b"x", None]
    load(connection, "record", rows("record", id=[record] * 2, index=[0, 1], game=[game, None], bytes=blobs))
    shown = connection.execute("SELECT * FROM records ORDER BY index").to_arrow_table()
    assert "bytes" not in shown.column_names
    assert shown["id"].to_pylist() == [to_text(record)] * 2
    assert shown["game"].to_pylist() == [to_text(game), None]


def test_sightings_name_the_file_of_every_record_of_a_game(connection: duckdb.DuckDBPyConnection) -> None:
    load(connection, "source", rows("source", id=[5], path=["a.zip"]))
    status = ["stored", "duplicate", "rejected"]
    load(connection, "record", rows("record", source=[5] * 3, member=["x", "y", "z"], game=[1, 1, None], status=status))
    query = "SELECT path, member, status FROM sightings WHERE game = ? ORDER BY member"
    found = connection.execute(query, [to_text(1)])
    assert found.fetchall() == [("a.zip", "x", "stored"), ("a.zip", "y", "duplicate")]


def test_sets_of_rings_on_the_largest_board_survive(connection: duckdb.DuckDBPyConnection) -> None:
    rings = 2**128 - 1
    low, high = rings & 2**63 - 1, rings >> 63
    load(connection, "position", rows("position", key=[-(2**63)], rings=[low], rings_high=[Decimal(high)]))
    assert connection.execute("SELECT key, rings, rings_high FROM positions").fetchall() == [(-(2**63), low, high)]


@pytest.mark.parametrize(
    ("columns", "words"),
    [({"id": [1], "bord": ["37"]}, "bord"), ({"id": [None]}, "NOT NULL")],
)
def test_rows_that_do_not_fit_are_refused(
    connection: duckdb.DuckDBPyConnection, columns: dict[str, list[object]], words: str
) -> None:
    fitting = rows("game", id=[0] * len(columns["id"]))
    for name, values in columns.items():
        place = fitting.schema.get_field_index(name)
        changed = pa.array(values)
        fitting = fitting.set_column(place, name, changed) if place >= 0 else fitting.append_column(name, changed)
    with pytest.raises(duckdb.Error, match=words):
        load(connection, "game", fitting)


def test_facts_replace_each_other(connection: duckdb.DuckDBPyConnection) -> None:
    meta.write(connection, {"generation": 1, "created": "today"})
    meta.write(connection, {"generation": 2})
    assert meta.read(connection) == {"generation": "2", "created": "today", "schema_version": str(meta.SCHEMA_VERSION)}


def test_a_column_can_have_two_names_in_its_view(connection: duckdb.DuckDBPyConnection) -> None:
    shown = [name for name, *_ in connection.execute("DESCRIBE nodes").fetchall()]
    assert shown[shown.index("ties") + 1] == "draws"
    assert "ties" not in [name for name, *_ in connection.execute("DESCRIBE _node").fetchall()]
