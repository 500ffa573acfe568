"""Internal errors: exceptions of ours that a single record causes.

Such an exception rejects that record, with the code CODE, and is logged once, with its traceback. Everything else continues without it.
ENVIRONMENT passes: a full disk or a missing module is not a record's fault. So does KeyboardInterrupt, which is not an Exception.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import TypeVar

from zertz_db.parser.record import Record, Span, SyntaxFault

CODE = "E109"
"""The code of an internal error, in the catalogue of findings."""
ENVIRONMENT = (OSError, ImportError)
"""Exceptions about the machine or the installation. They are never a record's fault."""
LOGGER = "zertz_db.faults"
"""The name of the logger."""

PLACE: ContextVar[str] = ContextVar("place", default="")
"""The file or member being read, for the log. Readers see only its text."""

_MAX_LENGTH = 200
"""Characters of an exception's text in a message."""
_NOWHERE = Span(0, 0, 1, 1)

Item = TypeVar("Item")
Result = TypeVar("Result")


def message(error: Exception) -> str:
    """Return the message of an internal error: one line, equal for equal exceptions."""
    text = " ".join(str(error).split())[:_MAX_LENGTH]
    name = type(error).__name__ + (f": {text}" if text else "")
    return f"internal error in zertz ({name}); please report it with this record and the traceback in the error log"


def log(error: Exception, where: str) -> None:
    """Log an internal error with its traceback; `where` names the record or the step."""
    logging.getLogger(LOGGER).error("%s: %s", where, message(error), exc_info=error)


def fault(error: Exception, span: Span = _NOWHERE) -> SyntaxFault:
    """Return the fault of a record at `span` on which zertz failed."""
    return SyntaxFault(CODE, span._replace(end=span.start), message(error))


def unread(error: Exception, dialect: str, span: Span = _NOWHERE) -> Record:
    """Log an internal error of a reader, and return the rejected record in place of the one at `span`."""
    log(error, f"{PLACE.get() or 'a text'}: the {dialect} record at line {span.line}")
    return Record(dialect=dialect, span=span, fault=fault(error, span))


def guarded(work: Callable[[], Result], reject: Callable[[Exception], Result]) -> Result:
    """Return the result of `work`; if it fails with an internal error, that of `reject`. Raises ENVIRONMENT."""
    try:
        return work()
    except ENVIRONMENT:
        raise
    except Exception as error:  # noqa: BLE001 - this is the place where internal errors end
        return reject(error)


def each(
    work: Callable[[Sequence[Item]], Sequence[Result]],
    items: Sequence[Item],
    reject: Callable[[Item, Exception], Result],
) -> list[Result]:
    """Return a result for each item, in order. Call `work` on as many items together as possible.

    After an internal error, `work` is called on each half, down to single items. `reject` gives the result of an item on which it fails
    alone. Raises ENVIRONMENT.
    """

    def halved(error: Exception) -> list[Result]:
        if len(items) == 1:
            return [reject(items[0], error)]
        half = len(items) // 2
        return [*each(work, items[:half], reject), *each(work, items[half:], reject)]

    return guarded(lambda: list(work(items)), halved) if items else []
