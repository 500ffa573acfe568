"""How large a record can be: what is larger is no record of a game, and is refused before anything is made of it."""

from __future__ import annotations

from parser.record import Span, SyntaxFault

MAX_RECORD_LENGTH = 500_000
"""Characters. The longest real records have some 40,000; a hundred plies, each with a page of comments, have 300,000."""
MAX_PLIES = 2_000
"""A board has at most 128 rings, and all placements but few remove one; every capture takes a marble that was placed before or
lay there at the start. That makes some 400 plies, of which no real game has had more than 130."""

CODES = {
    "E260": "a record with more plies than a game can have",
    "E261": "a record longer than records are",
}
"""What every reader finds where a record exceeds a bound."""


def too_many_plies(span: Span) -> SyntaxFault:
    """The fault of a record whose first ply beyond the bound is at `span`."""
    message = f"no game has more than {MAX_PLIES:,} plies, but here stands another one"
    return SyntaxFault("E260", span, message, suggestion="if a new game begins here, write its tags or 1. before it")


def is_too_long(span: Span) -> bool:
    """Whether a stretch of a text is longer than a record can be."""
    return span.end - span.start > MAX_RECORD_LENGTH


def too_long(span: Span) -> SyntaxFault:
    """The fault of a record that is too long; nothing of it is read."""
    message = f"the record has {span.end - span.start:,} characters, and no more than {MAX_RECORD_LENGTH:,} are read as one game"
    suggestion = "if it holds many games, begin each as its notation wants it; if it is all comment, cut it"
    return SyntaxFault("E261", span, message, suggestion=suggestion)
