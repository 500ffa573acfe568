"""Errors that stop a command: one sentence with the cause and the remedy, and an exit status."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from zertz_db.errors import ZertzError
from zertz_db.store.errors import explain, is_from_duckdb

if TYPE_CHECKING:
    import duckdb

FINDINGS = 1
"""Exit status: a record is illegal or unreadable."""
NO_GAMES = 1
"""Exit status: there are no games to export."""
FAILURE = 2
"""Exit status: wrong usage, or a failure of the environment (a missing path, a lock, a full disk)."""
INTERRUPTED = 130
"""Exit status: Ctrl-C, as in shells."""


class Stop(Exception):
    """Stop the command with this message on standard error."""

    def __init__(self, message: str, status: int = FAILURE) -> None:
        super().__init__(message)
        self.status = status


@contextmanager
def convert_errors() -> Iterator[None]:
    """Turn errors of the library and of the environment into a Stop."""
    try:
        yield
    except BrokenPipeError as error:
        raise Stop("the output was closed before the end") from error
    except KeyboardInterrupt as error:
        raise Stop("interrupted; nothing was changed", INTERRUPTED) from error
    except OSError as error:
        raise Stop(f"{error.strerror or error}: {error.filename or ''}".rstrip(": ")) from error
    except ZertzError as error:
        raise Stop(str(error)) from error
    except Exception as error:
        if is_from_duckdb(error) and (cause := explain(cast("duckdb.Error", error))):
            raise Stop(str(cause)) from error
        raise
