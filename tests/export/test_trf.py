"""TRF16: every column where the format has it, read back."""

import datetime as dt
import random

import pytest

from zertz_db.export.trf import format_trf
from zertz_db.queries.tournaments.round_names import number_rounds
from zertz_db.queries.tournaments.standings import TournamentGame, rank_players
from zertz_db.queries.tournaments.tournament_games import Tournament

POINTS = {"1": 1.0, "=": 0.5, "0": 0.0, " ": None}


def day(number: int) -> dt.date:
    return dt.date(2010, 5, number)


CUP = Tournament(
    "Cup\n 2010",
    [
        TournamentGame(("Ada", "Ben"), (1.0, 0.0), "1", (1600, None), day(1), "club"),
        TournamentGame(("Cy", "Ada"), (0.5, 0.5), "2", (None, 1650), day(3), "club"),
        TournamentGame(("Ben", "Cy"), None, "3", (1444, 1500), day(2), "club"),
    ],
)


def test_the_columns_as_the_format_has_them() -> None:
    assert format_trf(CUP).splitlines() == [
        "012 Cup 2010",
        "022 club",
        "042 2010/05/01",
        "052 2010/05/03",
        "062 3",
        "072 3",
        "132" + " " * 88 + "10/05/01  10/05/03  10/05/02",
        "001    1      Ada                               1600" + " " * 28 + " 1.5    1     3 w 1     2 b =  0000 - Z",
        "001    2      Cy                                1500" + " " * 28 + " 0.5    2  0000 - Z     1 w =     3 b",
        "001    3      Ben                               1444" + " " * 28 + " 0.0    3     1 b 0  0000 - Z     2 w",
    ]


def test_what_is_written_is_read_back() -> None:
    for seed in range(20):
        require_read_back(seed)


def require_read_back(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - no secret
    names = [f"{'É' * chance.randint(1, 33 - len(str(number)))}{number}" for number in range(chance.randint(2, 12))]
    games = [
        TournamentGame(
            (*chance.sample(names, 2),),  # type: ignore[arg-type]
            chance.choice([(1.0, 0.0), (0.0, 1.0), (0.5, 0.5), (0.0, 0.0), None]),
            ratings=(chance.choice([None, 987, 1800]), None),
        )
        for _ in range(chance.randint(1, 40))
    ]
    players, read = read_trf(format_trf(Tournament("Open", games)))
    standings = rank_players(games)
    assert [(name, points, rank) for name, _, points, rank in players] == [
        (one.player, one.points, one.rank) for one in standings
    ]
    written = zip(number_rounds(games), games, strict=True)
    assert sorted(read, key=repr) == sorted(((at, *game.players, game.points) for at, game in written), key=repr)


def read_trf(text: str) -> tuple[list[tuple[str, str, float, int]], list[tuple[int, str, str, object]]]:
    """Players (name, rating, points, rank) and games (round, first, second, points of both), by the columns of TRF16, from 1."""
    lines = [line for line in text.splitlines() if line.startswith("001")]
    players = [(line[14:47].strip(), line[48:52].strip(), float(line[80:84]), int(line[85:89])) for line in lines]
    assert [int(line[4:8]) for line in lines] == list(range(1, len(lines) + 1))
    cells = {}
    for line in lines:
        for at, column in enumerate(range(91, len(line), 10), 1):
            opponent, side, result = line[column : column + 4], line[column + 5], line[column + 7 : column + 8] or " "
            if opponent == "0000":
                assert (side, result) == ("-", "Z")
            else:
                cells[at, int(line[4:8]), side] = int(opponent), POINTS[result]
    games = []
    for (at, number, side), (opponent, points) in cells.items():
        mirrored, theirs = cells[at, opponent, "b" if side == "w" else "w"]
        assert mirrored == number
        if side == "w":
            both = None if points is None else (points, theirs)
            games.append((at, players[number - 1][0], players[opponent - 1][0], both))
    return players, games


@pytest.mark.parametrize(
    ("games", "fits"),
    [(999, True), (1000, False)],
)
def test_scores_that_do_not_fit_are_refused(games: int, fits: bool) -> None:
    tournament = Tournament("Long", [TournamentGame(("Ada", "Ben"), (1.0, 0.0))] * games)
    if fits:
        assert "999.0" in format_trf(tournament)
    else:
        with pytest.raises(ValueError, match="below 1,000 points"):
            format_trf(tournament)


def test_facts_that_are_not_known_are_left_out() -> None:
    text = format_trf(Tournament("A" * 50, [TournamentGame(("B" * 40, "Ben"), None)]))
    assert [line[:3] for line in text.splitlines()] == ["012", "062", "072", "001", "001"]
    assert [len(line) for line in text.splitlines() if line.startswith("001")] == [97, 97]
