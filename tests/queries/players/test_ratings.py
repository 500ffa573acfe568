"""Ratings: which games count, and how they move."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import BradleyTerryFull

from tests.queries import club
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.errors import QueryError
from zertz_db.queries.players.ratings import HISTORY, RATINGS, rate_players, rating_history
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database
from zertz_db.store.ratings.model import Belief, update_beliefs
from zertz_db.store.ratings.rating_kernel import DRIFT, SPREAD, START, UNKNOWN

RATED = {"ada": "human", "ben": "human", "Cy": "human", "greedybot": "bot"}


@pytest.fixture
def folder(of_club: Path) -> Path:
    return of_club


def test_dated_games_with_a_result_of_two_who_are_no_guests_count(database: Database) -> None:
    counted: dict[str, list[int | None]] = {}
    for seat in club.seats(database):
        rated = seat.player in RATED and seat.opponent in RATED and seat.row["date_from"] == seat.row["date_to"]
        if rated and seat.score is not None:
            counted.setdefault(seat.player, []).append(seat.score)
    found = {row["name"]: row for row in rate_players(database).dicts()}
    assert {name: (row["games"], row["wins"], row["ties"], row["losses"]) for name, row in found.items()} == {
        name: (len(scores), scores.count(1), scores.count(0), scores.count(-1)) for name, scores in counted.items()
    }
    assert {name: row["kind"] for name, row in found.items()} == RATED


def test_humans_come_first_and_then_whose_rating_is_at_least_most(database: Database) -> None:
    rows = rate_players(database).dicts()
    assert rows == sorted(rows, key=lambda row: (row["kind"] == "bot", -row["at_least"]))
    assert [row["name"] for row in rate_players(database, kind="bot").dicts()] == ["greedybot"]
    assert all(row["at_least"] == pytest.approx(row["rating"] - 2 * row["deviation"], abs=2) for row in rows)
    with pytest.raises(QueryError, match="are not rated; valid: human, bot"):
        rate_players(database, kind="guest")


def test_the_history_ends_with_the_rating(database: Database) -> None:
    last = {row["name"]: row for row in rating_history(database).dicts()}
    for row in rate_players(database).dicts():
        assert (last[row["name"]]["rating"], last[row["name"]]["deviation"]) == (row["rating"], row["deviation"])
        assert last[row["name"]]["number"] == row["games"]


def test_a_history_is_tidy(database: Database) -> None:
    found = rating_history(database, players=["ADAH", "ben"])
    assert {row["name"] for row in found.dicts()} == {"ada", "ben"}
    dates = [row["date"] for row in found.dicts()]
    assert dates == sorted(dates)
    numbers = [row["number"] for row in found.dicts() if row["name"] == "ben"]
    assert numbers == list(range(1, len(numbers) + 1))
    assert list(found.df().columns) == [column.name for column in HISTORY]
    assert all(column.meaning for column in (*HISTORY, *RATINGS))


def test_an_opponent_has_the_rating_of_the_last_game_before(database: Database) -> None:
    rating: dict[str, float] = {}
    rows = rating_history(database).dicts()
    assert len(rows) > 20
    for one, other in zip(rows[::2], rows[1::2], strict=True):
        assert one["game"] == other["game"]
        for row in (one, other):
            assert row["opponent_rating"] == rating.get(row["opponent"], START)
        rating |= {row["name"]: row["rating"] for row in (one, other)}


def test_a_filter_chooses_the_games(database: Database) -> None:
    assert {row["opponent"] for row in rating_history(database, "kind:human-human").dicts()} <= {"ada", "ben", "Cy"}


BELIEFS = st.builds(Belief, st.floats(0, 4000), st.floats(1, 1000))


@given(st.tuples(BELIEFS, BELIEFS), st.sampled_from([0, 1, 2]))
def test_a_game_moves_ratings_as_openskill_says(before: tuple[Belief, Belief], winner: int) -> None:
    model = BradleyTerryFull(mu=START, sigma=UNKNOWN, beta=SPREAD, tau=DRIFT)
    teams = [[model.rating(mu=belief.strength, sigma=belief.deviation)] for belief in before]
    ranks = [1.0, 1.0] if winner == 0 else [float(winner), float(3 - winner)]
    for (theirs,), ours in zip(model.rate(teams, ranks=ranks), update_beliefs(before, winner), strict=True):
        assert (theirs.mu, theirs.sigma) == pytest.approx(ours)


def series(folder: Path, results: list[str]) -> Path:
    """Games of ada and ben, a day each, with these results."""
    text = "".join(
        f'[Player1 "ada"]\n[Player2 "ben"]\n[Board "37"]\n[Date "2010.05.{day:02}"]\n\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 {result}\n\n'
        for day, result in enumerate(results, 1)
    )
    (folder / "a.txt").write_text(text, "utf-8")
    import_paths([folder / "a.txt"], folder / "db")
    return folder / "db"


@pytest.mark.parametrize(
    ("results", "winner"), [(["1-0"] * 3, "ada"), (["0-1"] * 3, "ben"), (["1-0", "0-1", "0-1"], "ben")]
)
def test_who_wins_rises_the_other_falls_and_both_are_known_better(
    tmp_path: Path, results: list[str], winner: str
) -> None:
    ends = {"1-0": "Player2 resigns 1-0", "0-1": "Player1 resigns 0-1"}
    with open_database(series(tmp_path, [ends[result] for result in results])) as database:
        rating = {row["name"]: row for row in rate_players(database).dicts()}
        moves = [row["rating"] for row in rating_history(database, players=["ada"]).dicts()]
    loser = {"ada": "ben", "ben": "ada"}[winner]
    assert rating[winner]["rating"] > START > rating[loser]["rating"]
    assert all(row["deviation"] < UNKNOWN for row in rating.values())
    steps = [after > before for before, after in zip([START, *moves], moves, strict=False)]
    assert steps == [result == "1-0" for result in results]


TIMES = ["23:50", "08:30", "08:30:05", None, "00:10"]


def test_games_of_one_day_are_rated_in_the_order_of_their_times(tmp_path: Path) -> None:
    ends = ["Player2 resigns 1-0", "Player1 resigns 0-1"]
    text = ""
    for at, time in enumerate(TIMES):
        clock = f'[Time "{time}"]\n' if time else ""
        text += f'[Player1 "ada"]\n[Player2 "ben{at}"]\n[Board "37"]\n[Date "2010.05.01"]\n{clock}\n'
        text += f"1. Wd4,d1 Bd3,a1 2. x d3Wd5 {ends[at % 2]}\n\n"
    (tmp_path / "a.txt").write_text(text, "utf-8")
    import_paths([tmp_path / "a.txt"], tmp_path / "db")
    with open_database(tmp_path / "db") as database:
        opponents = [row["opponent"] for row in rating_history(database, players=["ada"]).dicts()]
        times = database.connection().execute("SELECT time FROM games ORDER BY player2").fetchall()
    assert [time for (time,) in times] == TIMES
    assert opponents == ["ben4", "ben1", "ben2", "ben0", "ben3"]
