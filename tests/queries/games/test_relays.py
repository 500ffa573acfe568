"""Games with the same moves at about the same time: planted ones are found, turned or not, and chance is counted."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from random import Random

import pytest

from tests.queries.games.planted_relays import plant_relays
from tests.queries.sample import played, record
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games import relays
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.games.relays import MEANINGS, Relation, compare_with_chance, list_relays
from zertz_db.rules.board import standard_board
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

PLIES = 16
DAY = "2010.05.01"
Row = tuple[str, str, str, str, str | None, int, bool]
PLANTED: dict[str, tuple[Row, Row]] = {
    # event: (first mover, second, day, time, seed of the moves, turned) of both games
    "relayed": (("Ada", "Rex", DAY, "20:00", None, 1, False), ("Rex", "Ben", DAY, "20:10", None, 1, True)),
    "swapped": (("Cy", "Dora", DAY, "21:00", None, 2, False), ("Dora", "Cy", DAY, "21:30", None, 2, True)),
    "elsewhere": (("Emil", "Fay", DAY, "22:00", None, 3, True), ("Gus", "Hana", DAY, "22:01", None, 3, False)),
    "repeated": (("Ivo", "Jana", DAY, "23:00", None, 4, False), ("Ivo", "Kai", "2010.05.02", "01:00", None, 4, False)),
    "same players": (("Leo", "Max", DAY, "10:00", None, 5, False), ("Leo", "Max", "2010.05.02", "09:00", None, 5, False)),
    "another year": (("Nora", "Rex", DAY, "11:00", None, 6, False), ("Rex", "Olga", "2012.05.01", "11:00", None, 6, False)),
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Planted pairs among twenty games with moves of their own."""
    folder = tmp_path_factory.mktemp("relays")
    dice = Random(5)  # noqa: S311 - no secret
    records = [write(event, *row) for event, pair in PLANTED.items() for row in pair]
    records += [
        write("own", *dice.sample(["Ada", "Ben", "Rex", "Ivo", "Kai"], 2), f"201{seed % 4}.0{1 + seed % 9}.11", "12:00", None, seed, False)
        for seed in range(100, 120)
    ]  # fmt: skip
    (folder / "games.txt").write_text("".join(records), "utf-8")
    import_paths([folder / "games.txt"], folder / "db")
    return folder / "db"


def write(event: str, first: str, second: str, day: str, time: str, _: None, seed: int, turned: bool) -> str:
    moves = played(Position.start("37"), seed, PLIES)
    if turned:
        board = standard_board("37")
        rings = dict(zip(board.rings, (board.rings[there] for there in board.symmetries[5]), strict=True))
        moves = [re.sub(r"[a-g][1-7]", lambda ring: rings[ring[0]], move) for move in moves]
    return record(event, first, second, day, " ".join([*moves, "*"]), Board="37", UTCTime=time)


def test_planted_pairs_are_found_and_no_others(database: Database) -> None:
    events = {row["id"]: row["event"] for row in list_games(database, limit=1000).dicts()}
    found = list_relays(database).dicts()
    assert {(events[row["game"]], row["relation"]) for row in found} == {
        (relation.value, relation.value) for relation in Relation
    }
    assert len(found) == len(Relation)
    assert all(events[row["game"]] == events[row["other"]] for row in found)
    assert {row["shared"] for row in found} == {PLIES}
    assert {row["relation"]: row["hours"] for row in found} == {
        "relayed": 0.17, "swapped": 0.5, "elsewhere": 0.02, "repeated": 2.0,
    }  # fmt: skip
    assert [row["expected"] for row in found] == sorted(row["expected"] for row in found)


def test_cut_and_turned_records_are_found_but_not_other_games(tmp_path: Path) -> None:
    """`python -m tests.bench.players.bench_relays` has more of each."""
    planted = plant_relays(3, 1, ("no end", "no beginning", "turned, no beginning", "other beginning"), plies=16)
    (tmp_path / "games.txt").write_text("".join(text for pair in planted for text in pair.records), "utf-8")
    import_paths([tmp_path / "games.txt"], tmp_path / "db")
    with open_database(tmp_path / "db") as database:
        events = {row["id"]: row["event"] for row in list_games(database, limit=100).dicts()}
        found = list_relays(database).dicts()
    assert sorted(events[row["game"]] for row in found) == [
        "no beginning 0", "no end 0", "turned, no beginning 0",
    ]  # fmt: skip
    assert all(events[row["game"]] == events[row["other"]] for row in found)
    [cut] = [row for row in found if events[row["game"]] == "no beginning 0"]
    shift = abs(cut["plies"] - cut["other_plies"])
    assert shift > 0
    assert (
        f"{cut['plies']} plies of {cut['plies']} and {cut['other_plies']} of {cut['other_plies']} lead"
        in cut["evidence"]
    )


@pytest.mark.parametrize(
    ("filters", "hours", "shortest", "relations"),
    [
        ("player:ben", 24, 12, {"relayed"}),
        ("", 0.4, 12, {"relayed", "elsewhere"}),
        ("", 24, PLIES + 1, set()),
        ("", 24 * 800, 12, {"relayed", "swapped", "elsewhere", "repeated"}),
    ],
)
def test_filters_and_limits(database: Database, filters: str, hours: float, shortest: int, relations: set[str]) -> None:
    rows = list_relays(database, filters, hours=hours, shortest=shortest).dicts()
    assert {row["relation"] for row in rows} == relations


def test_pairs_are_compared_with_chance(database: Database) -> None:
    rows = {row["relation"]: row for row in compare_with_chance(database).dicts()}
    assert list(rows) == [relation.value for relation in MEANINGS]
    assert (rows["relayed"]["any_time"], rows["relayed"]["pairs"]) == (2, 1)
    assert rows["relayed"]["expected"] < 0.5
    whenever = {row["relation"]: row for row in compare_with_chance(database, hours=24 * 10_000).dicts()}
    assert all(row["pairs"] == row["any_time"] == row["expected"] == row["most"] for row in whenever.values())
    assert compare_with_chance(database).rows == compare_with_chance(database).rows, "the permutations are fixed"


@pytest.mark.parametrize(
    ("timed", "hours", "words"),
    [
        (True, 0.016, "in the same minute"),
        (True, 0.5, "30 minutes apart"),
        (True, 1.99, "119 minutes apart"),
        (True, 2, "2 hours apart"),
        (False, 0, "on the same day"),
        (False, 24, "1 day apart"),
        (False, 48, "2 days apart"),
    ],
)
def test_evidence_says_how_far_apart_the_games_are(timed: bool, hours: float, words: str) -> None:
    game = relays._Game(1, "Ada", "Ben", 1, 2, "37", 20, dt.datetime(2020, 1, 1, tzinfo=dt.UTC), timed)
    pair = relays._Pair(1, 2, 18, 0, Relation.relayed, ())
    assert [*relays._describe(pair, game, game._replace(timed=True), hours, 0.1)][1:] == [
        MEANINGS[Relation.relayed],
        words,
        "0.1 such pairs expected by chance",
    ]


def test_a_mistake_in_a_filter_is_a_sentence(database: Database) -> None:
    with pytest.raises(QueryError):
        list_relays(database, "board:99")
