"""The statistic of forced wins divided by who moved and when, against the rows that the solver gave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import duckdb
import pytest

from tests.analyses import ANALYSED
from tests.queries.club import PLAYERS
from tests.queries.made_games import Made, build
from tests.queries.statistics.slow_statistics import add_up, tally
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.games.one_game import find_game
from zertz_db.queries.players.ratings import rating_history
from zertz_db.queries.statistics.forced_wins import count_forced_wins
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import from_text
from zertz_db.store.open_database import open_database
from zertz_db.store.ratings.model import KNOWN

Label = Callable[[str, int, int], Any]
"""What a move is grouped by: of the mover's chief name, the mover and the ply."""


@pytest.fixture(scope="module")
def made(judged: Database) -> list[Made]:
    games = [find_game(judged, game) for (game,) in list_games(judged, ANALYSED, columns=["id"]).rows]
    return [
        Made(
            moves=tuple(game.moves),
            board=game.row["board"],
            rules=game.row["rule_set"],
            first=game.row["player1"],
            second=game.row["player2"],
        )
        for game in games
        if game.row["start"] is None
    ]


def kind(name: str) -> str:
    return "guest" if name.startswith("guest") else "bot" if name.endswith("bot") else "human"


@pytest.mark.parametrize(
    ("group", "label"),
    [
        ("player", lambda name, _mover, _ply: name),
        ("mover-kind", lambda name, _mover, _ply: kind(name)),
        ("mover", lambda _name, mover, _ply: ("first", "second")[mover - 1]),
        ("phase", lambda _name, _mover, ply: "0-9" if ply < 10 else "10-19" if ply < 20 else "20+"),
    ],
)
def test_moves_are_divided(judged: Database, made: list[Made], group: str, label: Label) -> None:
    found: dict[Any, list[Counter[str]]] = {}
    for one in made:
        names = [PLAYERS.get(str(name), str(name)) for name in (one.first, one.second)]
        labels = [label(names[before.side - 1], before.side, ply) for ply, before in enumerate(one.positions[:-1])]
        for name in set(labels):
            found.setdefault(name, []).append(tally(one, lambda ply, name=name, labels=labels: labels[ply] == name))
    rows = {
        row[group]: {name: value for name, value in row.items() if name not in (group, "share", "low", "high")}
        for row in count_forced_wins(judged, "board:37,40,43,44,48,61", [group]).dicts()
    }
    assert rows.keys() == found.keys()
    for name, counts in found.items():
        expected = add_up(counts)
        if group == "phase":
            del expected["accuracies"], expected["accuracy"]
        assert list(rows[name]) == list(expected)
        assert rows[name] == {
            key: pytest.approx(value, abs=0.006) if isinstance(value, float) else value
            for key, value in expected.items()
        }


def test_groups_of_moves_and_of_games_combine(judged: Database) -> None:
    rows = count_forced_wins(judged, "", ["mover", "board"]).dicts()
    assert list(rows[0])[:2] == ["board", "mover"]
    assert [(row["board"], row["mover"]) for row in rows] == sorted((row["board"], row["mover"]) for row in rows)
    assert sum(row["free"] for row in rows) == count_forced_wins(judged).dicts()[0]["free"]


@pytest.mark.parametrize(
    ("by", "message"),
    [
        (["colour"], "moves can't be divided by 'colour'; valid: board, .*, rating, phase"),
        (["phase", "phase"], "name each group once: phase"),
        (["era:0"], "invalid width '0'"),
    ],
)
def test_what_can_t_be_asked_is_explained(judged: Database, by: list[str], message: str) -> None:
    with pytest.raises(QueryError, match=message):
        count_forced_wins(judged, "", by)


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Ninety games of two players: Ada wins three of five. Every game has an analysis without a forced win, and accuracies."""
    games = [
        Made(
            moves=("Wd4,d1", "Bd3,a1"),
            date=f"2010.{number // 28 + 1:02}.{number % 28 + 1:02}",
            broken_off=f"resigned by {2 if number % 5 < 3 else 1}",
        )
        for number in range(90)
    ]
    folder = build(tmp_path_factory.mktemp("rated"), games)
    with open_database(folder) as database:
        path = database.generation.path
    with duckdb.connect(path) as connection:
        connection.execute("INSERT INTO _analysis SELECT id, 1, 7, 20000, NULL, 90, 70, 1, 1 FROM _game")
    with open_database(folder) as opened:
        yield opened


def test_ratings_are_those_before_the_game(rated: Database) -> None:
    history = rating_history(rated).dicts()
    before: dict[str, tuple[int, int]] = {}
    expected = {}
    for row in history:
        rating, deviation = before.get(row["name"], (1500, 350))
        if deviation <= KNOWN:
            expected[from_text(row["game"]), 1 if row["name"] == "Ada" else 2] = rating
        before[row["name"]] = row["rating"], row["deviation"]
    found = known_ratings(rated)
    assert found == expected
    assert 0 < len(found) < len(history)


def known_ratings(rated: Database) -> dict[tuple[int, int], int]:
    """The stored ratings that say something, by game and mover."""
    rows = rated.connection().execute("SELECT game, rating1, deviation1, rating2, deviation2 FROM _rating").fetchall()
    return {
        (game, mover): numbers[2 * mover - 2]
        for game, *numbers in rows
        for mover in (1, 2)
        if numbers[2 * mover - 1] is not None and numbers[2 * mover - 1] <= KNOWN
    }


def test_moves_are_divided_by_rating(rated: Database) -> None:
    known = known_ratings(rated).values()
    bands = [(0, 1400, "<1400"), (1400, 1600, "1400-1599"), (1600, 1800, "1600-1799"), (1800, 2000, "1800-1999")]
    counts = {
        name: sum(low <= rating < high for rating in known) for low, high, name in [*bands, (2000, 9999, ">=2000")]
    }
    rows = {row["rating"]: row["free"] for row in count_forced_wins(rated, "", ["rating"]).dicts()}
    assert {name: count for name, count in rows.items() if name} == {name: n for name, n in counts.items() if n}
    assert list(rows) == [name for _, _, name in bands if name in rows] + [">=2000"] * (">=2000" in rows) + [None]


def test_accuracy_is_the_mean_over_games_of_players(rated: Database) -> None:
    (row,) = count_forced_wins(rated).dicts()
    assert (row["accuracies"], row["accuracy"]) == (180, 80.0)
    rows = count_forced_wins(rated, "", ["player"]).dicts()
    assert [(row["player"], row["accuracy"]) for row in rows] == [("Ada", 90.0), ("Ben", 70.0)]
    (few,) = count_forced_wins(rated, "date:2010.02.01").dicts()
    assert (few["accuracies"], few["accuracy"], few["per_100"], few["share"]) == (2, None, None, None)
