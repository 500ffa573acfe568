"""Talk with a program by lines on its standard input and output.

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
from typing import IO

from zertz_db.errors import BrokenEnvironment

_END_SECONDS = 1.0
"""Time for the program to end itself once its input is closed."""
LONGEST_LINE = 10_000
_LONGEST_COMPLAINT = 10_000
_MOST_LINES = 2_000
"""Maximum number of lines that are read for one answer."""


class ProgramFailed(BrokenEnvironment):
    """A program can't go on: it is silent, has ended, or breaks the protocol. is_late: whether its time ran out."""

    def __init__(self, message: str, is_late: bool = False) -> None:
        super().__init__(message)
        self.is_late = is_late


class LineProgram:
    """A process, with a thread that reads its lines."""

    def __init__(
        self, command: Sequence[str], longest_line: int = LONGEST_LINE, last_line: str | None = "quit"
    ) -> None:
        """Start the program. last_line: written before its input is closed; None: nothing. Raises ProgramFailed."""
        self._longest_line, self._last_line = longest_line, last_line
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user's own command
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # it is ended with all processes that it starts
            )
        except (OSError, ValueError) as error:
            raise ProgramFailed(f"{command[0]} can't be started: {error}") from error
        self._lines: queue.Queue[bytes] = queue.Queue(_MOST_LINES)
        """What the program has written; the empty line is the end."""
        self._is_ended = threading.Event()
        self._is_deaf = False
        """Whether it was killed because it did not read."""
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
                line = output.readline(self._longest_line)
            except (OSError, ValueError):  # closed meanwhile
                line = b""
            while not self._is_ended.is_set():  # wait for the player to read, but not for ever
                with contextlib.suppress(queue.Full):
                    self._lines.put(line, timeout=0.2)
                    break

    def _listen(self, errors: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):  # closed meanwhile
            while piece := os.read(errors.fileno(), _LONGEST_COMPLAINT):
                self._complaints = (self._complaints + piece)[-_LONGEST_COMPLAINT:]

    def write(self, line: str, seconds: float | None = None) -> bool:
        """Send a line; return whether the program can still read. seconds: after this time a program that does not read is killed."""
        if seconds is None:
            return self._write(line)
        timer = threading.Timer(seconds, self._stop_waiting)
        timer.start()
        try:
            return self._write(line)
        finally:
            timer.cancel()

    def _write(self, line: str) -> bool:
        try:
            self._input.write(f"{line}\n".encode())
            self._input.flush()
        except (OSError, ValueError):
            return False
        return True

    def _stop_waiting(self) -> None:
        self._is_deaf = True
        self._kill()

    def read(self, deadline: float, seconds: float, fail: Callable[..., ProgramFailed]) -> Iterator[str]:
        """Yield lines until the caller has the one that it waits for; raise `fail`'s error for all that goes wrong."""
        for _ in range(_MOST_LINES):
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise fail(f"gave no answer within {seconds:g} s", True) from None
            if not line:
                raise fail(self.describe_end())
            if len(line) >= self._longest_line:
                raise fail(f"wrote a line of more than {self._longest_line:,} characters")
            yield line.decode("utf-8", "replace").strip()
        raise fail(f"wrote more than {_MOST_LINES:,} lines without an answer")

    def describe_end(self) -> str:
        """Return in words how the program ended, with the last line that it wrote to standard error."""
        if self._is_deaf:
            return "did not read its input"
        try:
            status = self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            return "has closed its input or output"
        self._listener.join(_END_SECONDS)
        complaint = make_printable(self._complaints.decode("utf-8", "replace").strip().rpartition("\n")[2])
        end = f"was ended by signal {-status}" if status < 0 else f"has ended, with status {status}"
        return f"{end}: {complaint}" if complaint else end

    def end(self) -> None:
        """Let the program quit, and kill it with its processes if it does not."""
        self._is_ended.set()
        if self._last_line is not None:
            self.write(self._last_line)
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


def make_printable(text: str) -> str:
    """Return the first 200 characters of a text that a program wrote, without control characters and with single spaces."""
    return " ".join("".join(character if character.isprintable() else " " for character in text[:200]).split())
