"""Limit the size of a record: a larger one is not a record of a game, and is rejected before it is built."""

from __future__ import annotations

from zertz_db.parser.record import Span, SyntaxFault

MAX_RECORD_LENGTH = 500_000
"""Maximum number of characters. The longest real records have some 40,000; a hundred plies, each with a page of comments, have 300,000."""
MAX_PLIES = 2_000
"""Maximum number of plies. A board has at most 128 rings, and nearly all placements remove one. Every capture takes a marble that was
placed before or was there at the start. That makes some 400 plies; no real game has had more than 130."""

CODES = {
    "E260": "a record with more plies than a game can have",
    "E261": "a record longer than records are",
}
"""Codes of every reader for a record beyond a limit."""


def too_many_plies(span: Span) -> SyntaxFault:
    """Return the fault of a record whose first ply beyond the limit is at `span`."""
    message = f"no game has more than {MAX_PLIES:,} plies, but here stands another one"
    return SyntaxFault("E260", span, message, suggestion="if a new game begins here, write its tags or 1. before it")


def is_too_long(span: Span) -> bool:
    """Return whether a segment of a text is longer than a record can be."""
    return span.end - span.start > MAX_RECORD_LENGTH


def too_long(span: Span) -> SyntaxFault:
    """Return the fault of a record that is too long; nothing of it is read."""
    message = f"the record has {span.end - span.start:,} characters; one game has at most {MAX_RECORD_LENGTH:,}"
    suggestion = "if it has many games, begin each as its notation requires; if it is all comment, shorten it"
    return SyntaxFault("E261", span, message, suggestion=suggestion)
