"""Play with a program that speaks the protocol on its standard input and output."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from zertz_db.engine.matches.line_program import LineProgram, ProgramFailed, make_printable
from zertz_db.engine.matches.protocol_words import BESTMOVE, ERROR, NAME, READY, VERSION, write_go, write_position
from zertz_db.rules.position import Position

if TYPE_CHECKING:
    from zertz_db.engine.matches.players import Turn

START_SECONDS = 180.0
"""Time for the answer to `hello`: the program may have to load or compile much."""
GRACE_SECONDS = 2.0
"""Time for a move beyond the stated limit."""
_LONGEST_NAME = 60


class ExternalPlayer:
    """A program as a player. It is started with its first game, and again after a failure."""

    def __init__(self, command: Sequence[str], seconds: float, nodes: int | None = None) -> None:
        self.name = _as_name(command[0])
        self._command, self._seconds, self._nodes = command, seconds, nodes
        self._program: LineProgram | None = None

    def begin(self, start: Position) -> None:
        """Begin a game. Raises ProgramFailed."""
        if self._program is None:
            self._program = LineProgram(self._command)
            try:
                self._greet(self._program)
            except ProgramFailed as error:
                raise ProgramFailed(
                    f"{error}. It must answer `hello` with `ready`: see docs/engine.md", error.is_late
                ) from error
        self._tell(f"newgame {start.board.name} {start.rules}")

    def choose(self, turn: Turn) -> str:
        """Return the program's move. Raises ProgramFailed."""
        self._tell(write_position(turn.start, turn.moves))
        self._tell(write_go(self._seconds, self._nodes, turn.seed))
        return self._wait_for(BESTMOVE, self._seconds + GRACE_SECONDS)

    def _greet(self, program: LineProgram) -> None:
        self._tell(f"hello {VERSION}")
        deadline = time.monotonic() + START_SECONDS
        for line in program.read(deadline, START_SECONDS, self._failed):
            word, _, rest = line.partition(" ")
            if word == NAME and rest.strip():
                self.name = _as_name(rest)
            if word == READY:
                return

    def _wait_for(self, word: str, seconds: float) -> str:
        for line in self._running().read(time.monotonic() + seconds, seconds, self._failed):
            first, _, rest = line.partition(" ")
            if first == word:
                return rest.strip()
            if first == ERROR:
                raise self._failed(f"reports an error: {make_printable(rest)}")
        raise AssertionError("reading ends with a line or an error")

    def _tell(self, line: str) -> None:
        program = self._running()
        if not program.write(line):
            raise self._failed(program.describe_end())

    def _running(self) -> LineProgram:
        if self._program is None:
            raise ProgramFailed(f"{self.name} is not running")
        return self._program

    def _failed(self, what: str, is_late: bool = False) -> ProgramFailed:
        """End the program, and return the error."""
        self.close()
        return ProgramFailed(f"{self.name} {what}", is_late)

    def close(self) -> None:
        """End the program, with all processes that it has started."""
        if self._program is not None:
            self._program.end()
            self._program = None


def _as_name(text: str) -> str:
    """Return a player's name: printable, not too long, and ending in `bot`, by which a database knows programs."""
    name = make_printable(text)[:_LONGEST_NAME].strip() or "engine"
    return name if name.casefold().endswith("bot") else f"{name}-bot"
