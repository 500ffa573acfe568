"""Matches: who begins, openings, scores, records, and the same games whatever the number of jobs."""

from __future__ import annotations

import io
import re
from math import inf

import pytest

from zertz_db.check.check_many import check_text
from zertz_db.engine.matches import match as matches
from zertz_db.engine.matches.elo import difference, to_elo
from zertz_db.engine.matches.match import MatchOptions, MatchResult, run_match
from zertz_db.parser.gipf import writer
from zertz_db.parser.vocabulary.terms import Ending
from zertz_db.play.write_files import write_text
from zertz_db.rules.position import Position

START = Position.start("37")


def texts(result: MatchResult) -> list[str]:
    return [writer.write(game.record) for game in result.games]


def undated(result: MatchResult) -> list[str]:
    """Return the texts without the day, which may be the next one in another match."""
    return [re.sub(r'\[Date "[0-9.]+"\]\n', "", text) for text in texts(result)]


def test_players_take_turns_to_begin_and_pairs_have_one_opening() -> None:
    result = run_match(MatchOptions("greedy", "random", 6, START, opening=3))
    assert [game.beginner for game in result.games] == [0, 1] * 3
    assert [game.record.player1 for game in result.games] == ["greedy-bot", "random-bot"] * 3
    openings = [[(ply.ring, ply.colour) for ply in game.record.plies[:3]] for game in result.games]
    assert openings[::2] == openings[1::2]
    assert len({str(opening) for opening in openings}) == 3
    assert result.wins + result.ties + result.losses == 6
    assert result.wins >= 5


def test_games_depend_on_the_seed_alone() -> None:
    options = MatchOptions("easy", "greedy", 4, START, seconds=600)
    one = undated(run_match(options))
    assert one == undated(run_match(options._replace(jobs=3)))
    assert one[:2] == undated(run_match(options._replace(games=2)))
    assert one != undated(run_match(options._replace(seed=2)))


@pytest.mark.parametrize("rules", ["standard", "blitz", "standard+written", "standard+tournament+noties+repetition2"])
def test_records_are_verified_and_state_the_result(rules: str) -> None:
    result = run_match(MatchOptions("greedy", "random", 4, Position.start("40", rules)))
    text = io.StringIO()
    write_text((game.record for game in result.games), text)
    checked = list(check_text(text.getvalue()))
    assert [one.verdict for one in checked] == ["verified"] * 4
    assert [one.ending for one in checked] == [game.ending for game in result.games]
    assert [one.result_computed for one in checked] == [game.record.result for game in result.games]


def test_a_match_from_a_position_with_player_2_to_move() -> None:
    start = Position.start("37").play("Wd4,d1")
    result = run_match(MatchOptions("greedy", "random", 2, start, opening=0))
    assert [game.record.player2 for game in result.games] == ["greedy-bot", "random-bot"]
    [checked] = check_text(texts(result)[0])
    assert checked.verdict == "verified"
    winner = result.games[0].record.player1 if checked.result_computed == "1-0" else result.games[0].record.player2
    assert result.names[result.games[0].winner or 0] == winner


def test_a_game_that_does_not_end_is_a_tie(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "LONGEST_GAME", 4)
    result = run_match(MatchOptions("random", "random", 2, START))
    assert (result.ties, [game.ending for game in result.games]) == (2, [Ending.AGREED] * 2)
    assert result.names == ("random-bot", "random-2-bot")
    assert [one.verdict for one in check_text(texts(result)[0])] == ["verified"]


def test_progress_counts_games() -> None:
    counted: list[int] = []
    run_match(MatchOptions("random", "random", 3, START), counted.append)
    assert counted == [1, 1, 1]


@pytest.mark.parametrize(
    ("wins", "ties", "losses", "elo", "low", "high"),
    [
        (60, 0, 40, 70, 1, 139),
        (50, 0, 50, 0, -68, 68),
        (40, 20, 40, 0, -68, 68),
        (10, 0, 0, inf, 166, inf),
        (0, 0, 10, -inf, -inf, -166),
    ],
)
def test_the_difference_of_ratings(wins: int, ties: int, losses: int, elo: float, low: float, high: float) -> None:
    found = difference(wins, ties, losses)
    assert found
    assert tuple(number if abs(number) == inf else round(number) for number in found) == (elo, low, high)


def test_no_games_have_no_difference_and_differences_are_symmetric() -> None:
    assert difference(0, 0, 0) is None
    assert to_elo(0.7) == pytest.approx(-to_elo(0.3))
