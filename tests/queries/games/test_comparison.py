"""Two games side by side: where they differ, in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.queries.sample import played, record
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.games.comparison import GamePair, compare_games
from zertz_db.rules.position import Position
from zertz_db.store.open_database import open_database

MOVES = ["Wd4,d1", "Bd3,a1", "x d3Wd5"]


@pytest.mark.parametrize(
    ("one", "two", "alike", "words"),
    [
        (MOVES, MOVES, 3, ["All 3 plies are the same."]),
        (
            MOVES[:2],
            MOVES,
            2,
            [
                "The first 2 plies are the same.",
                "Then the first game ends. The second goes on with x d3Wd5 (ply 3) and has 3 plies.",
            ],
        ),
        (
            MOVES,
            ["Wd4,a1", *MOVES[1:]],
            0,
            [
                "The positions are the same for 3 plies. The moves are turned, mirrored or written in another way from ply 1 on: "
                "Wd4,d1 and Wd4,a1."
            ],
        ),
    ],
)
def test_sentences(one: list[str], two: list[str], alike: int, words: list[str]) -> None:
    assert GamePair({}, {}, min(len(one), len(two)), alike, (one, two)).sentences == words


def test_facts_of_both_games(tmp_path: Path) -> None:
    moves = played(Position.start("37"), 3)
    (tmp_path / "a.txt").write_text(record("one", "Ada", "Ben", "2010.01.01", " ".join(moves)), "utf-8")
    (tmp_path / "b.txt").write_text(record("two", "Ada", "Ben", "2010.01.02", " ".join(moves[:-1])), "utf-8")
    import_paths([tmp_path / "a.txt", tmp_path / "b.txt"], tmp_path / "db")
    with open_database(tmp_path / "db") as database:
        query = "SELECT id FROM games ORDER BY date"
        one, two = (game for (game,) in database.connection().execute(query).fetchall())
        found = compare_games(database, [(one, two), (one, "A05S0N8XJ2Q7C")])
    [(pair, comparison)] = found.items()
    assert pair == (one, two)
    assert (comparison.common, comparison.written_alike) == (len(moves) - 1, len(moves) - 1)
    assert [Path(game["files"][0]).name for game in (comparison.first, comparison.second)] == ["a.txt", "b.txt"]
    assert comparison.first["event"] == "one"
