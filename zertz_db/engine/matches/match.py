"""Run matches: many games between two players, who take turns to begin.

Two games in a row have the same opening, of random plies, with colours exchanged. Game n of a seed depends neither on the number of games
nor on that of jobs, as long as no time limit ends a search.
"""

from __future__ import annotations

import datetime
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, NamedTuple

from zertz_db.engine.choose import SECONDS, warm_up
from zertz_db.engine.matches.elo import Difference, difference
from zertz_db.engine.matches.line_program import ProgramFailed
from zertz_db.engine.matches.played_game import Course, Finish, write_record
from zertz_db.engine.matches.players import Player, Turn, open_player
from zertz_db.engine.strengths import STRENGTHS
from zertz_db.parser.record import Record
from zertz_db.parser.vocabulary.terms import Ending
from zertz_db.play.moves import Game, random_move, to_move
from zertz_db.play.seeded_random import Dice
from zertz_db.rules.errors import IllegalMove
from zertz_db.rules.position import Position
from zertz_db.rules.start import rules_vector

LONGEST_GAME = 300
"""Maximum number of plies of a game: then it is a tie. With no ring left to remove, two players could go on for ever."""
OPENING_PLIES = 2
_LONGEST_FAULT = 300
"""Maximum number of characters of a fault: an illegal move can be of any length."""


class MatchOptions(NamedTuple):
    """A match. first, second: names of players (`open_player`). start: the first position of all games.

    opening: random plies at the beginning of each pair of games. seconds, nodes: limits for a move. jobs: games that are played at once.
    """

    first: str
    second: str
    games: int
    start: Position
    seed: int = 1
    opening: int = OPENING_PLIES
    seconds: float = SECONDS
    nodes: int | None = None
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A finished game of a match.

    number: from 1. beginner: the player who began, 0 for the match's first, 1 for its second. winner: the same, None without a winner.
    fault: what a player did to lose the game without being beaten, or None.
    """

    number: int
    beginner: int
    winner: int | None
    ending: Ending
    plies: int
    names: tuple[str, str]
    record: Record
    fault: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the game as plain values, without its moves."""
        return {
            "number": self.number,
            "beginner": self.names[self.beginner],
            "winner": None if self.winner is None else self.names[self.winner],
            "ending": self.ending,
            "plies": self.plies,
            "fault": self.fault,
        }


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The games of a match, by number, and its score."""

    names: tuple[str, str]
    games: tuple[MatchGame, ...]

    def _count(self, winner: int | None) -> int:
        return sum(game.winner == winner for game in self.games)

    @property
    def wins(self) -> int:
        """Return the games that the first player won."""
        return self._count(0)

    @property
    def losses(self) -> int:
        """Return the games that the second player won."""
        return self._count(1)

    @property
    def ties(self) -> int:
        """Return the games without a winner."""
        return self._count(None)

    @property
    def wins_of_beginners(self) -> int:
        """Return the games that the player won who began."""
        return sum(game.winner == game.beginner for game in self.games)

    @property
    def faults(self) -> tuple[MatchGame, ...]:
        """Return the games that a player lost without being beaten."""
        return tuple(game for game in self.games if game.fault)

    @property
    def elo(self) -> Difference | None:
        """Return the difference of ratings that the score suggests; None without a game."""
        return difference(self.wins, self.ties, self.losses)

    def as_json(self) -> dict[str, Any]:
        """Return the result as plain values; an infinite difference is None."""
        elo = self.elo
        return {
            "players": list(self.names),
            "games": [game.as_json() for game in self.games],
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "wins_of_beginners": self.wins_of_beginners,
            "elo": None if elo is None else [number if abs(number) < float("inf") else None for number in elo],
        }


def run_match(options: MatchOptions, tick: Callable[[int], None] = lambda _: None) -> MatchResult:
    """Play a match; `tick` is called with 1 after each game. Raises NoSuchPlayer and ProgramFailed if a player can't be opened or started.

    The search of built-in players is compiled, and runs beside that of other games; programs are processes of their own.
    """
    specs = (options.first, options.second)
    if any(spec in STRENGTHS for spec in specs):
        warm_up()  # compiled once, before jobs that would all compile it
    with ExitStack() as stack:
        tables: queue.SimpleQueue[tuple[Player, Player]] = queue.SimpleQueue()
        players: list[Player] = []
        is_stopped = threading.Event()
        for _ in range(min(options.jobs, options.games)):
            first, second = (open_player(spec, options.seconds, options.nodes) for spec in specs)
            for player in (first, second):
                players.append(player)
                stack.callback(player.close)
                player.begin(options.start)  # what can't be started stops the match; later it loses games
            tables.put((first, second))

        def play(number: int) -> MatchGame:
            pair = tables.get()
            try:
                return _play_game(options, number, pair, is_stopped)
            finally:
                tables.put(pair)

        pool = stack.enter_context(ThreadPoolExecutor(options.jobs))
        games = []
        try:
            for done in as_completed([pool.submit(play, number) for number in range(1, options.games + 1)]):
                games.append(done.result())
                tick(1)
        except BaseException:
            is_stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            for player in players:
                player.close()  # games that wait for a program end at once
            raise
    games.sort(key=lambda game: game.number)
    return MatchResult(games[-1].names, tuple(games))


def _distinct(names: Sequence[str]) -> tuple[str, str]:
    first, second = names
    return (first, second) if first != second else (first, f"{second.removesuffix('-bot')}-2-bot")


class _Stopped(Exception):
    """The match was stopped: nobody waits for the rest of this game."""


def _play_game(
    options: MatchOptions, number: int, pair: tuple[Player, Player], is_stopped: threading.Event
) -> MatchGame:
    beginner = (number - 1) % 2
    course = Course(options.start)
    _play_opening(course, options.opening, Dice(f"{options.seed}/{(number - 1) // 2}"))
    finish, fault = _play_out(course, pair if beginner == 0 else pair[::-1], f"{options.seed}/{number}", is_stopped)
    names = _distinct((pair[0].name, pair[1].name))
    by_turn = names if beginner == 0 else names[::-1]
    record = write_record(
        course,
        by_turn if options.start.side == 1 else by_turn[::-1],
        finish,
        event=f"match {names[0]} - {names[1]}, seed {options.seed}",
        date=datetime.datetime.now(tz=datetime.UTC).strftime("%Y.%m.%d"),
        number=number,
        comment=fault,
    )
    winner = 3 - finish.loser if finish.loser else finish.winner
    won_by = None if not winner else beginner if winner == options.start.side else 1 - beginner
    return MatchGame(number, beginner, won_by, finish.ending, len(course.moves), names, record, fault)


def _play_opening(course: Course, plies: int, dice: Dice) -> None:
    """Play random moves that don't end the game."""
    for _ in range(plies):
        position = course.position
        game = Game(position.board.tables, rules_vector(position.rules), position.state)
        course.play(to_move(position.board, random_move(game, dice)))
        if course.position.is_over:
            course.undo()
            return


def _play_out(
    course: Course, by_turn: Sequence[Player], seed: str, is_stopped: threading.Event
) -> tuple[Finish, str | None]:
    """Play a game to its end; return the end, and what its loser did wrong apart from playing badly, or None."""
    for player in by_turn:
        try:
            player.begin(course.start)
        except ProgramFailed as error:
            side = course.start.side if player is by_turn[0] else 3 - course.start.side
            return _lose(side, error.is_late), str(error)
    while True:
        if is_stopped.is_set():
            raise _Stopped
        finish = course.finish()
        if finish is None and len(course.moves) >= LONGEST_GAME:
            finish = Finish(Ending.AGREED, 0)
        if finish:
            return finish, None
        side = course.position.side
        player = by_turn[0 if side == course.start.side else 1]
        turn = Turn(course.start, course.notations, course.position, f"{seed}/{len(course.moves)}")
        try:
            course.play(player.choose(turn))
        except ProgramFailed as error:
            return _lose(side, error.is_late), str(error)
        except IllegalMove as error:
            return _lose(side), f"{player.name} played an illegal move: {error}"[:_LONGEST_FAULT]


def _lose(side: int, is_late: bool = False) -> Finish:
    return Finish(Ending.TIME if is_late else Ending.RESIGN, 3 - side, side)
