"""A data set has what the database has, the same bytes each time, a description of every column, and no redacted name."""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow.parquet as pq
import pytest

from zertz_db.cli.main import main
from zertz_db.export.dataset.dataset_writer import write_dataset
from zertz_db.export.dataset.dictionary import TABLES, describe_tables
from zertz_db.export.dataset.position_arrays import KINDS, SPLITS, describe_arrays
from zertz_db.export.dataset.readme import LOADER
from zertz_db.ingest.import_paths import import_paths
from zertz_db.maintain.anonymise import anonymise_player
from zertz_db.queries.games.one_game import find_game
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

DOCS = Path(__file__).parents[3] / "docs" / "dataset.md"


def write(opened: Database, target: Path, filters: str = "", licence: str | None = None) -> Path:
    target.mkdir()
    write_dataset(opened, target, filters, licence)
    return target


@pytest.fixture
def written(database: Database, tmp_path: Path) -> Path:
    return write(database, tmp_path / "set")


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(folder / f"{name}.parquet").to_pylist()
    return found


def load_arrays(file: Path) -> dict[str, Any]:
    with np.load(file) as arrays:
        return {name: arrays[name] for name in arrays.files}


def test_tables_have_the_rows_of_the_views(written: Path, database: Database) -> None:
    for file in TABLES:
        shown = (
            {key: value for key, value in rows(written, file)[0].items() if not key.endswith("_high")}
            if rows(written, file)
            else {}
        )
        expected = database.connection().execute(f"FROM {file}").fetchall()
        assert len(rows(written, file)) == len(expected)
        if shown:
            key = {"games": "id"}.get(file, "game")
            at = f"{key} = '{shown[key]}'" + ("" if file == "games" else f" AND ply = {shown['ply']}")
            columns = [name for name in shown if name != "split"]
            [view] = database.connection().execute(f"SELECT {', '.join(columns)} FROM {file} WHERE {at}").fetchall()
            assert dict(zip(columns, view, strict=True)) == {name: shown[name] for name in columns}


def test_rows_are_in_order_and_of_the_games(written: Path) -> None:
    games = [row["id"] for row in rows(written, "games")]
    assert games == sorted(games)
    assert "record" not in rows(written, "games")[0]
    assert {row["split"] for row in rows(written, "games")} <= {*SPLITS}
    for file in ("plies", "positions"):
        keys = [(row["game"], row["ply"]) for row in rows(written, file)]
        assert keys == sorted(keys)
        assert {game for game, _ in keys} == {*games}


def test_a_filter_selects_games_with_all_their_rows(database: Database, ids: dict[str, str], tmp_path: Path) -> None:
    some = write(database, tmp_path / "some", "board:48")
    for file, key in (("games", "id"), ("plies", "game"), ("positions", "game")):
        assert {row[key] for row in rows(some, file)} == {ids["large"]}
    assert [file.name for file in some.glob("*.npz")] == ["positions-48.npz"]
    assert json.loads((some / "dataset.json").read_text())["filter"] == "board:48"


def test_forced_wins_are_written(folder: Path, ids: dict[str, str], tmp_path: Path) -> None:
    copy = tmp_path / "copy.zertz"
    shutil.copytree(folder, copy)
    with open_database(copy) as opened:
        path = opened.generation.path
    with duckdb.connect(path) as connection:  # an analysis of the whole database takes seconds
        connection.execute(
            "INSERT INTO _tactic BY NAME SELECT id AS game, ply, 3 AS forced, false AS kept, true AS missed, false AS lost "
            "FROM _game, (VALUES (4), (2)) AS plies (ply) WHERE event = 'large'"
        )
    with open_database(copy) as opened:
        found = rows(write(opened, tmp_path / "set"), "tactics")
    assert [(row["game"], row["ply"], row["forced"], row["missed"]) for row in found] == [
        (ids["large"], 2, 3, True),
        (ids["large"], 4, 3, True),
    ]


def test_the_bytes_are_the_same_each_time(database: Database, written: Path, tmp_path: Path) -> None:
    again = write(database, tmp_path / "again")
    for file in sorted(written.iterdir()):
        assert file.read_bytes() == (again / file.name).read_bytes(), file.name


def test_checksums_are_those_of_all_other_files(written: Path) -> None:
    lines = dict(line.split("  ")[::-1] for line in (written / "SHA256SUMS").read_text().splitlines())
    assert lines.keys() == {file.name for file in written.iterdir()} - {"SHA256SUMS"}
    for name, digest in lines.items():
        assert hashlib.sha256((written / name).read_bytes()).hexdigest() == digest


def test_the_dictionary_describes_every_column(written: Path) -> None:
    with (written / "dictionary.csv").open(encoding="utf-8", newline="") as file:
        dictionary = list(csv.DictReader(file))
    assert all(row["meaning"] and row["type"] for row in dictionary)
    described = {(row["file"], row["name"]): row["type"] for row in dictionary}
    for name in TABLES:
        for field in pq.read_schema(written / f"{name}.parquet"):
            assert described.pop((f"{name}.parquet", field.name)) == str(field.type)
            assert field.metadata[b"description"]
    assert {name for _, name in described} == load_arrays(next(iter(written.glob("*.npz")))).keys()
    assert "captured1_white" in (written / "README.md").read_text("utf-8")


def test_numbers_have_units() -> None:
    units = {(row.file.partition(".")[0], row.name): row.unit for row in (*describe_tables(), *describe_arrays())}
    assert [
        units[key]
        for key in (("plies", "clock"), ("games", "plies"), ("positions", "pool_grey"), ("positions", "white"))
    ] == [
        "milliseconds",
        "plies",
        "marbles",
        "set of rings (bits)",
    ]
    assert units["tactics", "forced"] == "plies"


def test_source_and_rejects_are_counted(written: Path, database: Database) -> None:
    found = json.loads((written / "dataset.json").read_text("utf-8"))
    statuses = dict(database.connection().execute("SELECT status, count(*) FROM records GROUP BY status").fetchall())
    assert found["source"]["records"] == statuses
    assert sum(row["records"] for row in found["rejects"]) == statuses.get("rejected", 0)
    assert found["rows"]["games.parquet"] == len(rows(written, "games"))
    assert found["versions"].keys() == {"format", "zertz_db", "schema"}
    assert found["version"].startswith(
        f"{found['versions']['format']}.{found['source']['created'][:10].replace('-', '')}."
    )
    assert found["licence"].startswith("not stated")


# Arrays


def content(position: Position) -> list[int]:
    return [{None: 0, "o": 1, "W": 2, "G": 3, "B": 4}[position.on(ring)] for ring in position.board.rings]


def test_arrays_are_the_positions_of_the_games(written: Path, database: Database) -> None:
    seen = 0
    for board in STANDARD_BOARDS:
        file = written / f"positions-{board}.npz"
        if not file.exists():
            continue
        arrays = load_arrays(file)
        for number, name in enumerate(arrays["games"]):
            game = find_game(database, str(name))
            at = np.flatnonzero(arrays["game"] == number)
            assert arrays["ply"][at].tolist() == list(range(len(game.positions)))
            for row, position in zip(at, game.positions, strict=True):
                assert arrays["board"][row].tolist() == content(position)
                assert arrays["counts"][row].tolist() == [list(count) for count in (position.pool, *position.captured)]
                assert arrays["side"][row] == position.side
            for row, move, following in zip(at, game.moves, pairwise(game.positions), strict=False):
                assert_move(arrays, row, move, *following)
            assert arrays["move"][at[-1]].tolist() == [0, -1, -1, -1]
            seen += len(at)
    assert seen == sum(row["board"] != "custom" for row in rows(written, "positions"))


def assert_move(arrays: dict[str, Any], row: int, text: object, before: Position, after: Position) -> None:
    kind, colour, ring, other = arrays["move"][row].tolist()
    move = before.move(str(text))
    names = [None if number < 0 else str(arrays["rings"][number]) for number in (ring, other)]
    end = move.jumps[-1].ring if move.jumps else move.removed
    assert KINDS[kind] == ("capture" if move.jumps else "placement" if move.ring else "pass")
    assert names == [move.ring or None, end]
    assert colour == ("WGB".index(move.colour) if move.colour else -1)
    assert str(before.play(move)) == str(after)


def test_the_loader_of_the_page_is_that_of_the_data_set(written: Path) -> None:
    assert f"```python\n{LOADER}```" in DOCS.read_text("utf-8")
    assert (written / "load_positions.py").read_text("utf-8") == LOADER
    assert len([line for line in LOADER.splitlines() if line.strip()]) <= 10
    names: dict[str, Any] = {}
    exec(LOADER, names)  # noqa: S102 - our own text
    loaded = [names["load"](written, "37", split) for split in range(3)]
    arrays = load_arrays(written / "positions-37.npz")
    assert sum(len(planes) for planes, *_ in loaded) == np.count_nonzero(arrays["score"] != -2)
    for planes, counts, side, move, score in loaded:
        assert planes.shape[1:] == (4, 37)
        assert len({len(one) for one in (planes, counts, side, move, score)}) == 1
        assert ((planes.sum(axis=1) <= 1) & (planes.sum(axis=1) >= 0)).all()


# Redacted names


def test_a_redacted_name_is_nowhere_and_its_games_have_other_ids(
    folder: Path, ids: dict[str, str], tmp_path: Path
) -> None:
    copy = tmp_path / "copy.zertz"
    shutil.copytree(folder, copy)
    anonymise_player(copy, "Čeněk")
    with open_database(copy) as opened:
        target = write(opened, tmp_path / "set")
        again = write(opened, tmp_path / "again")
    published = {row["event"]: row["id"] for row in rows(target, "games")}
    assert {name for name in ids if published[name] != ids[name]} == {"large"}
    assert (
        {row["game"] for row in rows(target, "positions")}
        == {row["game"] for row in rows(target, "plies")}
        == {*published.values()}
    )
    assert load_arrays(target / "positions-48.npz")["games"].tolist() == [published["large"]]
    assert (target / "SHA256SUMS").read_bytes() == (again / "SHA256SUMS").read_bytes()
    assert json.loads((target / "dataset.json").read_text())["games_with_redacted_players"] == 1
    everything = "".join(str(rows(target, file)) for file in TABLES) + "".join(
        file.read_text("utf-8") for file in target.iterdir() if file.suffix in (".md", ".json", ".csv", ".txt")
    )
    for trace in ("eněk", ids["large"]):
        assert trace not in everything


# The command


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["zertz", "export", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


@pytest.mark.parametrize(
    ("before", "arguments", "status", "message"),
    [
        (None, ("--licence", "CC0-1.0"), 0, "with 6 games in"),
        (None, (), 0, "the licence is not stated"),
        (None, ("board:40",), 1, "Nothing written."),
        ("empty", (), 0, "with 6 games in"),
        ("dataset", (), 2, "use --force to replace the data set"),
        ("dataset", ("--force",), 0, "with 6 games in"),
        ("other", ("--force",), 2, "exists and is not a data set; name another folder"),
    ],
)
def test_the_command_writes_a_folder(
    before: str | None,
    arguments: tuple[str, ...],
    status: int,
    message: str,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    target = tmp_path / "set"
    if before:
        target.mkdir()
        names = {"empty": [], "dataset": ["SHA256SUMS", "positions-61.npz"], "other": ["thesis.txt"]}[before]
        for name in names:
            (target / name).write_text("")
    assert run(monkeypatch, "--to", "dataset", "-o", target, "--db", folder, *arguments) == status
    assert message in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir() if file.name.endswith(".part")] == []
    if status == 0:
        assert not (target / "positions-61.npz").exists()
        assert (target / "dataset.json").is_file()
    elif before:
        assert (target / names[0]).exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--to", "dataset"), "dataset needs a folder, before any filter: zertz export --to dataset site"),
        (("--to", "csv", "--licence", "MIT"), "--licence belongs to --to dataset"),
        (("-o", "games.dataset"), "can't tell the format from 'games.dataset'"),
    ],
)
def test_a_mistake_is_one_sentence(
    arguments: tuple[str, ...],
    message: str,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(monkeypatch, *arguments, "--db", folder) == 2
    assert message in capsys.readouterr().err


def test_an_empty_database_has_no_data_set(tmp_path: Path) -> None:
    (tmp_path / "no.txt").write_text("1. Wd4,d1 Zz9+", "utf-8")
    import_paths([tmp_path / "no.txt"], tmp_path / "db")
    with open_database(tmp_path / "db") as opened:
        target = write(opened, tmp_path / "set")
    assert rows(target, "games") == []
    assert list(target.glob("*.npz")) == []
    assert sum(row["records"] for row in json.loads((target / "dataset.json").read_text())["rejects"]) == 1
