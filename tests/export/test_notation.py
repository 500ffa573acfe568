"""Games exported as official notation, and imported again."""

from pathlib import Path
from typing import Any

import pytest

from tests.queries.sample import CUSTOM, played, record
from zertz_db.export.notation import write_notations
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.games.game_list import game_ids
from zertz_db.queries.games.one_game import find_game
from zertz_db.rules.position import Position
from zertz_db.store.ids import to_text
from zertz_db.store.open_database import open_database

ANNOTATED = record(
    "annotated", "Ada", "Ben", "2020.01.02",
    "{before} 1. Wd4,d1!? $14 {[%clk 0:01:02]} {why \\} not} (1. Gd4,d1 (1. Bd4,d1) Bd3,a1) Bd3,a1 2. x d3Wd5 Player2 resigns 1-0",
    Board="37", Annotator="Cy \\\"C\\\" Low",
)  # fmt: skip
RECORDS = [
    ANNOTATED,
    record(
        "custom", "Ada", "Ben", "2020.01.03", " ".join(played(Position.parse(CUSTOM), 8, 6)), SetUp="1", Position=CUSTOM
    ),
    record(
        "blitz",
        "Ada",
        "Čeněk",
        "2020.??.??",
        " ".join(played(Position.start("37", "blitz"), 5)),
        RuleSet="blitz",
        Board="37",
    ),
    record(
        "large", "Ada", "Ben", "2020.01.04", " ".join(played(Position.start("61"), 2)), Board="61", RuleSet="standard"
    ),
    record("tied", "Ada", "Ben", "2020.01.05", "1. Wd4,d1 1/2-1/2", Board="37", Termination="agreed"),
    record(
        "declined",
        "Ada",
        "Ben",
        "2021.01.06",
        " ".join(played(Position.start("37", "standard+written"), 14)),
        Board="37",
        RuleSet="standard",
        Claims="written",
    ),
]
TABLES = {
    "games": "SELECT * EXCLUDE (record, result_claimed) FROM games ORDER BY id",
    "positions": "SELECT * FROM positions ORDER BY game, ply",
    "plies": "SELECT * FROM plies ORDER BY game, ply",
    "tags": "SELECT name, value FROM tags JOIN games ON games.record = tags.record ORDER BY games.id, name",
}


def exported(folder: Path) -> str:
    with open_database(folder) as database:
        texts = [text for _, text in write_notations(database, game_ids(database))]
    assert None not in texts
    return "\n".join(text or "" for text in texts)


def contents(folder: Path) -> dict[str, list[Any]]:
    with open_database(folder) as database:
        return {name: database.connection().execute(query).fetchall() for name, query in TABLES.items()}


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the records. Only to be read."""
    folder = tmp_path_factory.mktemp("exported")
    (folder / "games.txt").write_text("".join(RECORDS), "utf-8")
    import_paths([folder / "games.txt"], folder / "first")
    return folder / "first"


def test_imported_again_the_games_and_positions_are_equal(first: Path, tmp_path: Path) -> None:
    (tmp_path / "exported.txt").write_text(exported(first), "utf-8")
    balance = import_paths([tmp_path / "exported.txt"], tmp_path / "second")
    assert (balance.stored, balance.read) == (len(RECORDS), len(RECORDS))
    assert contents(tmp_path / "second") == contents(first)
    assert exported(tmp_path / "second") == exported(first)


@pytest.mark.parametrize(
    "text",
    [
        "{before}",
        "!?",
        "$14",
        "[%clk 0:01:02]",
        "why \\} not",
        "(1. Gd4,d1 (1. Bd4,d1) Bd3,a1)",
        r'[Annotator "Cy \"C\" Low"]',
    ],
)
def test_data_that_no_table_has_is_exported(first: Path, text: str) -> None:
    assert text in exported(first)


def test_games_come_in_the_requested_order_and_unread_ones_are_none(first: Path) -> None:
    with open_database(first) as database:
        ids = game_ids(database)[::-1]
        assert [text for text, _ in write_notations(database, ids)] == [to_text(number) for number in ids]
        assert [text for _, text in write_notations(database, [12345])] == [None]


def test_declined_groups_stay_declined(first: Path, tmp_path: Path) -> None:
    (tmp_path / "exported.txt").write_text(exported(first), "utf-8")
    import_paths([tmp_path / "exported.txt"], tmp_path / "second")
    with open_database(tmp_path / "second") as database:
        (number,) = game_ids(database, "since:2021")
        found = find_game(database, to_text(number))
    assert found.row["claims"] == "written"
    assert found.positions[-1].full_groups
