"""Players of a match: those built in, and engines of others, which are programs that speak the protocol."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from zertz_db.engine.choose import SECONDS, choose_move
from zertz_db.engine.matches.external_player import ExternalPlayer
from zertz_db.engine.strengths import STRENGTHS
from zertz_db.errors import UserMistake
from zertz_db.play.moves import Game, to_move
from zertz_db.play.players import PLAYERS
from zertz_db.play.seeded_random import Dice
from zertz_db.rules.position import Position
from zertz_db.rules.start import rules_vector

EXTERNAL = "cmd:"
BUILT_IN = (*PLAYERS, *STRENGTHS)
"""Names of the players that are built in."""


class NoSuchPlayer(UserMistake):
    """The player does not exist; the message lists those that do."""


class Turn(NamedTuple):
    """What a player is asked: the first position of the game, the moves so far in notation, and the position now.

    seed: of the random choices of this turn.
    """

    start: Position
    moves: tuple[str, ...]
    position: Position
    seed: str


class Player(Protocol):
    """A player."""

    name: str

    def begin(self, start: Position) -> None:
        """Begin a game. Raises ProgramFailed."""

    def choose(self, turn: Turn) -> str:
        """Return a move in official notation, which may be illegal. Raises ProgramFailed."""

    def close(self) -> None:
        """End the program behind the player, if there is one."""


def open_player(spec: str, seconds: float = SECONDS, nodes: int | None = None) -> Player:
    """Return a player by its name in BUILT_IN, or the program of `cmd:COMMAND`. Raises NoSuchPlayer.

    seconds: the time for a move. nodes: a limit that is told to a program.
    """
    if spec in PLAYERS:
        return _ChanceOrGreedy(spec)
    if spec in STRENGTHS:
        return _EnginePlayer(spec, seconds)
    if spec.startswith(EXTERNAL):
        command = _split(spec.removeprefix(EXTERNAL))
        if command:
            return ExternalPlayer(command, seconds, nodes)
    raise NoSuchPlayer(f"no player is called {spec!r}; there are {', '.join(BUILT_IN)} and {EXTERNAL}COMMAND")


def _split(command: str) -> Sequence[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise NoSuchPlayer(f"the command {command!r} can't be read: {error}") from error


class _BuiltIn:
    """A player without a program behind it."""

    def __init__(self, kind: str) -> None:
        self.name = f"{kind}-bot"  # a database takes names that end in bot for programs

    def begin(self, start: Position) -> None:
        """Begin a game."""

    def close(self) -> None:
        """Do nothing."""


class _ChanceOrGreedy(_BuiltIn):
    """A player of `zertz generate`."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self._choose = PLAYERS[kind]

    def choose(self, turn: Turn) -> str:
        """Return a move."""
        position = turn.position
        game = Game(position.board.tables, rules_vector(position.rules), position.state)
        return position.notation(to_move(position.board, self._choose(game, Dice(turn.seed))))


class _EnginePlayer(_BuiltIn):
    """The engine with a strength."""

    def __init__(self, strength: str, seconds: float) -> None:
        super().__init__(strength)
        self._strength, self._seconds = strength, seconds

    def choose(self, turn: Turn) -> str:
        """Return a move."""
        return choose_move(turn.position, self._strength, turn.seed, self._seconds).notation
