"""Play with a program that speaks the protocol on its standard input and output.

Whatever the program does, a call returns in time: it may be silent, crash, write without end, or leave processes behind.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import IO, TYPE_CHECKING

from zertz_db.engine.matches.protocol_words import BESTMOVE, ERROR, NAME, READY, VERSION, write_go, write_position
from zertz_db.errors import BrokenEnvironment
from zertz_db.rules.position import Position

if TYPE_CHECKING:
    from zertz_db.engine.matches.players import Turn

START_SECONDS = 180.0
"""Time for the answer to `hello`: the program may have to load or compile much."""
GRACE_SECONDS = 2.0
"""Time for a move beyond the stated limit."""
_END_SECONDS = 1.0
"""Time for the program to end itself after `quit`."""
_LONGEST_LINE = 10_000
_MOST_LINES = 2_000
"""Maximum number of lines that are read for one answer."""
_LONGEST_NAME = 60


class PlayerFailed(BrokenEnvironment):
    """A program can't go on: it is silent, has ended, or breaks the protocol. is_late: whether its time ran out."""

    def __init__(self, message: str, is_late: bool = False) -> None:
        super().__init__(message)
        self.is_late = is_late


class ExternalPlayer:
    """A program as a player. It is started with its first game, and again after a failure."""

    def __init__(self, command: Sequence[str], seconds: float, nodes: int | None = None) -> None:
        self.name = _as_name(command[0])
        self._command, self._seconds, self._nodes = command, seconds, nodes
        self._program: _Program | None = None

    def begin(self, start: Position) -> None:
        """Begin a game. Raises PlayerFailed."""
        if self._program is None:
            self._program = _Program(self._command)
            try:
                self._greet(self._program)
            except PlayerFailed as error:
                raise PlayerFailed(
                    f"{error}. It must answer `hello` with `ready`: see docs/engine.md", error.is_late
                ) from error
        self._tell(f"newgame {start.board.name} {start.rules}")

    def choose(self, turn: Turn) -> str:
        """Return the program's move. Raises PlayerFailed."""
        self._tell(write_position(turn.start, turn.moves))
        self._tell(write_go(self._seconds, self._nodes, turn.seed))
        return self._wait_for(BESTMOVE, self._seconds + GRACE_SECONDS)

    def _greet(self, program: _Program) -> None:
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
                raise self._failed(f"reports an error: {_printable(rest)}")
        raise AssertionError("reading ends with a line or an error")

    def _tell(self, line: str) -> None:
        program = self._running()
        if not program.write(line):
            raise self._failed(program.describe_end())

    def _running(self) -> _Program:
        if self._program is None:
            raise PlayerFailed(f"{self.name} is not running")
        return self._program

    def _failed(self, what: str, is_late: bool = False) -> PlayerFailed:
        """End the program, and return the error."""
        self.close()
        return PlayerFailed(f"{self.name} {what}", is_late)

    def close(self) -> None:
        """End the program, with all processes that it has started."""
        if self._program is not None:
            self._program.end()
            self._program = None


class _Program:
    """A process, with a thread that reads its lines."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user's own command
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # it is ended with all processes that it starts
            )
        except (OSError, ValueError) as error:
            raise PlayerFailed(f"{command[0]} can't be started: {error}") from error
        self._lines: queue.Queue[bytes] = queue.Queue(_MOST_LINES)
        """What the program has written; the empty line is the end."""
        self._is_ended = threading.Event()
        self._complaints = b""
        """The end of what the program has written to standard error."""
        assert self._process.stdin and self._process.stdout and self._process.stderr  # noqa: S101 - they are pipes
        self._input = self._process.stdin
        self._listener = threading.Thread(target=self._listen, args=(self._process.stderr,), daemon=True)
        self._listener.start()
        self._reader = threading.Thread(target=self._fill, args=(self._process.stdout,), daemon=True)
        self._reader.start()

    def _fill(self, output: IO[bytes]) -> None:
        line = b"-"
        while line and not self._is_ended.is_set():
            try:
                line = output.readline(_LONGEST_LINE)
            except (OSError, ValueError):  # closed meanwhile
                line = b""
            while not self._is_ended.is_set():  # wait for the player to read, but not for ever
                with contextlib.suppress(queue.Full):
                    self._lines.put(line, timeout=0.2)
                    break

    def _listen(self, errors: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):  # closed meanwhile
            while piece := os.read(errors.fileno(), _LONGEST_LINE):
                self._complaints = (self._complaints + piece)[-_LONGEST_LINE:]

    def write(self, line: str) -> bool:
        """Send a line; return whether the program can still read."""
        try:
            self._input.write(f"{line}\n".encode())
            self._input.flush()
        except (OSError, ValueError):
            return False
        return True

    def read(self, deadline: float, seconds: float, fail: Callable[..., PlayerFailed]) -> Iterator[str]:
        """Yield lines until the caller has the one that it waits for; raise `fail`'s error for all that goes wrong."""
        for _ in range(_MOST_LINES):
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise fail(f"gave no answer within {seconds:g} s", True) from None
            if not line:
                raise fail(self.describe_end())
            if len(line) >= _LONGEST_LINE:
                raise fail(f"wrote a line of more than {_LONGEST_LINE:,} characters")
            yield line.decode("utf-8", "replace").strip()
        raise fail(f"wrote more than {_MOST_LINES:,} lines without an answer")

    def describe_end(self) -> str:
        """Return in words how the program ended, with the last line that it wrote to standard error."""
        try:
            status = self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            return "has closed its input or output"
        self._listener.join(_END_SECONDS)
        complaint = _printable(self._complaints.decode("utf-8", "replace").strip().rpartition("\n")[2])
        end = f"was ended by signal {-status}" if status < 0 else f"has ended, with status {status}"
        return f"{end}: {complaint}" if complaint else end

    def end(self) -> None:
        """Let the program quit, and kill it with its processes if it does not."""
        self._is_ended.set()
        self.write("quit")
        with contextlib.suppress(OSError):
            self._input.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        self._kill()
        self._process.wait()
        self._reader.join(_END_SECONDS)
        with contextlib.suppress(queue.Full):
            self._lines.put_nowait(b"")  # a thread that waits for an answer goes on
        self._listener.join(_END_SECONDS)
        for pipe, thread in ((self._process.stdout, self._reader), (self._process.stderr, self._listener)):
            if pipe and not thread.is_alive():
                pipe.close()

    def _kill(self) -> None:
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass  # all of them have ended
        except AttributeError:  # Windows has no groups of processes
            self._process.kill()


def _as_name(text: str) -> str:
    """Return a player's name: printable, not too long, and ending in `bot`, by which a database knows programs."""
    name = _printable(text)[:_LONGEST_NAME].strip() or "engine"
    return name if name.casefold().endswith("bot") else f"{name}-bot"


def _printable(text: str) -> str:
    return " ".join("".join(character if character.isprintable() else " " for character in text[:200]).split())
