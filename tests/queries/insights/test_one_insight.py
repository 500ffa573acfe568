"""Insights against the slow oracle, in a database of made-up games with made-up forced wins and accuracies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pandas as pd
import pytest

from tests.queries.insights.slow_insights import GROUPS, OF_MOVES, VALUES, band, means, valued
from tests.queries.made_games import Made, build, games
from zertz_db.queries.errors import QueryError
from zertz_db.queries.insights.dimensions import DIMENSIONS
from zertz_db.queries.insights.metrics import METRICS
from zertz_db.queries.insights.one_insight import TOO_FEW, find_insight
from zertz_db.queries.insights.presets import OF_ALL, OF_ONE
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database
from zertz_db.store.ratings.model import KNOWN

PLAYERS = [f"P{number}" for number in range(12)]


def made_games() -> Iterator[Made]:
    """Games of all kinds; twelve players who each meet twice; and ninety games of two of them, so that their ratings are known."""
    dice = Random(7)  # noqa: S311 - no secret
    yield from games()
    pairs = [*combinations(PLAYERS, 2)] * 2 + [("P0", "P1")] * 90
    for number, (first, second) in enumerate(pairs):
        if dice.random() < 0.5:
            first, second = second, first
        moves = (("Wd4,d1", "Bd3,a1"), ("Bd4,d1", "Wd3,a1", "x d3Bd5"))[number % 2]
        end = dice.choice(("resigned by 1", "resigned by 2", "tie"))
        clocks = tuple(3 + 5 * ply + number % 3 for ply in range(len(moves)))
        yield Made(
            moves=moves, first=first, second=second, date=f"20{10 + number // 90}.{number // 28 % 12 + 1:02}.{number % 28 + 1:02}",
            broken_off=end, clocks=clocks, direction="up",
        )  # fmt: skip


def judge(dice: Random, game: int, ply: int) -> tuple[Any, ...]:
    """A row of forced wins, thrown with dice."""
    forced = dice.choice((None, 1, 3, 5))
    kept = None if forced is None else dice.choice((True, False, None))
    missed = forced is not None and kept is False and forced >= 3 and dice.random() < 0.8
    return game, ply, forced, kept, missed, None, None if forced else dice.choice((None, None, 3)), None, False


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = build(tmp_path_factory.mktemp("insights"), [*made_games()])
    with open_database(built) as database:
        path = database.generation.path
    dice = Random(8)  # noqa: S311 - no secret
    with duckdb.connect(path) as connection:
        connection.execute(
            "UPDATE _game SET time = printf('%02d:15', (plies * 7 + captured1_white) % 3 + 20) WHERE plies <> 3"
        )
        ids = [game for (game,) in connection.execute("SELECT id FROM _game ORDER BY id").fetchall()]
        new_analyses = pd.DataFrame(
            [
                (
                    game,
                    1,
                    7,
                    20000,
                    "large-board" if number % 11 == 0 else None,
                    dice.choice((None, 70.5, 88.25)),
                    66.0,
                    12,
                    12,
                )
                for number, game in enumerate(ids)
                if number % 4
            ]
        )
        assert len(new_analyses)
        connection.execute("INSERT INTO _analysis FROM new_analyses")
        plies = connection.execute(
            "SELECT game, ply FROM _ply WHERE game IN (SELECT game FROM _analysis) ORDER BY ALL"
        ).fetchall()
        new_tactics = pd.DataFrame([judge(dice, *place) for place in plies if dice.random() < 0.6]).astype(object)
        assert len(new_tactics)
        connection.execute("INSERT INTO _tactic FROM new_tactics")
    return built


@pytest.fixture(scope="module")
def database(folder: Path) -> Iterator[Database]:
    with open_database(folder) as opened:
        yield opened


@pytest.fixture(scope="module")
def oracle(database: Database) -> dict[str, pd.DataFrame]:
    """The rows of each metric."""
    return {metric: valued(database, metric) for metric in VALUES}


def mean_of(row: dict[str, Any]) -> Any:
    return row["share"] if "share" in row else row["mean"]


CASES = [(metric, by) for metric in VALUES for by in GROUPS if by != "phase" or metric in OF_MOVES]


@pytest.mark.parametrize(("metric", "by"), CASES)
def test_all_players(database: Database, oracle: dict[str, pd.DataFrame], metric: str, by: str) -> None:
    rows = oracle[metric]
    is_first = METRICS[metric].of_games and by != "side"
    if is_first:
        rows = rows[rows["mover"] == 1]
    expected = means(rows, GROUPS[by])
    found = find_insight(database, metric, by)
    assert found.total.mean == pytest.approx(rows["value"].mean())
    assert ("of the first mover" in found.title) == (is_first and metric == "points")
    table = {row[by]: row for row in found.table.dicts()}
    assert table.keys() == expected.keys()
    for key, (number, count, mean) in expected.items():
        row = table[key]
        assert (row["games"], row["count"]) == (number, count)
        assert mean_of(row) == (None if mean is None else pytest.approx(mean, abs=6e-5))
        assert row["note"] == (TOO_FEW if mean is None else None)
        if mean is not None:
            assert row["low"] <= mean_of(row) <= row["high"]


@pytest.mark.parametrize(
    ("metric", "by"), [("points", "board"), ("points", "side"), ("missed", "phase"), ("captures", "year")]
)
def test_one_player_beside_the_field(database: Database, oracle: dict[str, pd.DataFrame], metric: str, by: str) -> None:
    rows = oracle[metric]
    found = find_insight(database, metric, by, player="p0")
    assert found.player is not None
    own = means(rows[rows["player"] == found.player.id], GROUPS[by])
    field = means(rows, GROUPS[by])
    table = {row[by]: row for row in found.table.dicts()}
    for key, (number, count, mean) in own.items():
        assert (table[key]["games"], table[key]["count"]) == (number, count)
        assert mean_of(table[key]) == (None if mean is None else pytest.approx(mean, abs=6e-5))
        assert table[key]["field"] == pytest.approx(field[key][2], abs=6e-5)
    assert found.field == pytest.approx(rows["value"].mean())


def test_a_percentile_is_the_place_among_players_with_ten_games(
    database: Database, oracle: dict[str, pd.DataFrame]
) -> None:
    rows = oracle["points"]
    rows = rows[rows["kind"] != "guest"]
    played = rows.groupby("player")["id"].nunique()
    averages = rows.groupby("player")["value"].mean()[played[played >= 10].index]
    found = find_insight(database, "points", "board", player="P3")
    assert found.player is not None
    own = averages[found.player.id]
    others = averages.drop(found.player.id)
    assert found.total.players == len(others) >= 11
    assert found.total.percentile == pytest.approx(((others < own).sum() + (others == own).sum() / 2) / len(others))
    few = find_insight(database, "missed", "side", "date:2011", player="P3")
    assert (few.total.percentile, few.total.mean) == (None, None)


@pytest.mark.parametrize(("by", "of_opponent"), [("rating", False), ("opponent", True)])
def test_ratings_before_the_game(
    database: Database, oracle: dict[str, pd.DataFrame], by: str, of_opponent: bool
) -> None:
    before = {
        (game, side): rating
        for game, *ratings in database.connection()
        .execute("SELECT game, rating1, deviation1, rating2, deviation2 FROM _rating")
        .fetchall()
        for side, (rating, deviation) in enumerate((ratings[:2], ratings[2:]), 1)
        if deviation is not None and deviation <= KNOWN
    }
    rows = oracle["points"]
    expected = means(rows, lambda row: band(before.get((row["id"], 3 - row["mover"] if of_opponent else row["mover"]))))
    table = {row[by]: row for row in find_insight(database, "points", by).table.dicts()}
    assert {key: (row["games"], row["count"]) for key, row in table.items()} == {
        key: one[:2] for key, one in expected.items()
    }
    assert len(table) > 2


def test_thinking_time(database: Database) -> None:
    """Clocks show 3, 8, 13 … seconds and 0 to 2 more: the first turns took that, the third one, of player 1, ten seconds."""
    found = find_insight(database, "time", "side", "player:P0 vs:P1")
    expected = {"first": [], "second": []}
    for number in range(66 * 2 + 90):
        pair = ([*combinations(PLAYERS, 2)] * 2 + [("P0", "P1")] * 90)[number]
        if pair == ("P0", "P1"):
            expected["first"] += [3 + number % 3] + [10] * (number % 2)
            expected["second"] += [8 + number % 3]
    table = {row["side"]: row["mean"] for row in found.table.dicts()}
    assert table == {side: pytest.approx(sum(seconds) / len(seconds), abs=6e-5) for side, seconds in expected.items()}
    assert found.coverage == "92 of these games have clocks of known direction."


def test_what_was_not_analysed_is_stated(database: Database) -> None:
    coverage = find_insight(database, "missed", "phase").coverage
    assert coverage is not None
    assert "have been analysed for forced wins; zertz analyse searches the others" in coverage
    assert (
        find_insight(database, "points", "side").coverage is find_insight(database, "points", "rating").coverage is None
    )


@pytest.mark.parametrize(
    ("metric", "by", "player", "message"),
    [
        ("wins", "side", None, "unknown metric 'wins'; valid: points, missed"),
        ("points", "colour", None, "unknown dimension 'colour'; valid: side, opponent"),
        (
            "points",
            "phase",
            None,
            "points is a metric of whole games, which phase can't divide; valid: missed, blunders",
        ),
        ("points", "side", "nobody", "no player is called 'nobody'"),
    ],
)
def test_what_can_t_be_divided_is_explained(
    database: Database, metric: str, by: str, player: str | None, message: str
) -> None:
    with pytest.raises(QueryError, match=message):
        find_insight(database, metric, by, player=player)


def test_questions_are_answered(database: Database) -> None:
    for preset in OF_ALL:
        assert preset.question.endswith("?")
        assert find_insight(database, preset.metric, preset.by).dimension is DIMENSIONS[preset.by]
    for preset in OF_ONE:
        assert find_insight(database, preset.metric, preset.by, player="P0").metric is METRICS[preset.metric]
