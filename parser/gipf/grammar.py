"""Provide the grammar of the official notation: its two parsers, and patterns composed of its terminals.

`gipf.lark` defines the notation; nothing here does. Everything is built on first use. Lark is imported (see `lark_recovery`) only for
parsers: the terminals' expressions are stored (see `stored_grammars`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from zertz_db.parser.text.lark_recovery import Failure, read_by_character
from zertz_db.parser.text.stored_grammars import expressions_of, parser_of

if TYPE_CHECKING:
    from lark import Lark

    from zertz_db.parser.text.lark_recovery import Item

_GRAMMAR = "gipf/gipf.lark"


def fast_parser() -> Lark:
    """Return the parser that reads runs of well-formed plies and of tags as one token each."""
    return parser_of(_GRAMMAR, "record", "pieces")


def slow_parser() -> Lark:
    """Return the parser that reads character by character."""
    return parser_of(_GRAMMAR, "by_ply")


@cache
def pattern(template: str) -> re.Pattern[str]:
    """Compile a regular expression in which `<NAME>` is the grammar's terminal of that name."""
    return re.compile(re.sub(r"(?<!\(\?P)<([A-Z_]+)>", lambda name: _expression(name[1]), template))


@cache
def _expression(terminal: str) -> str:
    return f"(?:{expressions_of(_GRAMMAR)[terminal]})"


UNIT = (
    r"(?P<number><LATER>)?\s*(?P<ply>"
    r"(?P<colour><COLOUR>)(?P<ring><CELL>)(?:<COMMA>(?P<removed><CELL>))?"
    r"(?:\s+<CLAIM_X>\s+(?P<claim><COLOUR><CELL>(?><GLUED><CELL>)*+))?"
    r"|<CAPTURE_X>\s+(?P<start><CELL>)(?P<jumps>(?><GLUED><CELL>)++)"
    r"|<PASS>"
    r")\s*(?P<notes>(?>(?:<MARK>|<COMMENT>|<LINE_COMMENT>)\s*)*+)"
)
"""One ply of a RUN with its number and the notes after it."""

MARBLE = r"(<COLOUR>|<GLUED>)(<CELL>)"
NOTE = r"(?P<COMMENT><COMMENT>)|(?P<LINE_COMMENT><LINE_COMMENT>)|(?P<MARK><MARK>)"
TAG = r"\[\s*(?P<name><NAME>)[^\S\n]*(?P<value><STRING>)"

_TAG_LIKE = r"\[\s*\w"
_TAG_LINE = rf"[^\S\n]*{_TAG_LIKE}"
"""The start of a line that is meant as a tag, even an invalid one."""

_STUCK_RESULT = r"(?:1-0|0-1|1/2-1/2|0-0|\*)(?=<TAG>|1\.\s*(?:<COLOUR><CELL>|<CAPTURE_X>\s))"
"""A result with the next game's first tag or first move number attached."""
_BRACED = r"(?P<comment><COMMENT>)|(?P<half><HALF_TURN>)|"
_RUN = r"|(?P<run><RUN>)"
_LANDMARKS = (
    r"(?P<line_comment><LINE_COMMENT>)"
    # An open brace: up to the next text that certainly begins a game.
    rf"|(?P<torn>\{{(?>[^\n]++|\n(?!{_TAG_LINE}|[^\S\n]*\n<FIRST>))*+)"
    rf"|(?P<tags>(?<![^\n\ufeff])[^\S\n]*+(?:<TAGS>|{_TAG_LIKE}[^\n]*))"
    r"|(?P<glued_tags>(?<=[^\S\n])<TAGS>)"
    r"|(?P<stuck_tags>(?<=[^\s({])<TAGS>)"
    r"|(?P<resigns>(?<=[^\S\n])<RESIGNS_AFTER>)"
    r"|(?P<fresh>(?:(?<=\n\n)|(?<=\n\r\n))<FIRST>)"
    r"|(?P<first><FIRST>)"
    rf"{_RUN}"
    rf"|(?P<result>(?<![^\s}})])(?:<RESULT>|<RESULT_OTHER>|{_STUCK_RESULT}))"
    r"|(?P<opening>\()|(?P<closing>\))"
    r"|(?P<word>[^\s\ufeff{}();\[\]]+|[^\s\ufeff])"
)

_ENDS_LINE = re.compile(r"[^\S\n]*(?:\n|\Z)")
_FIRST_NUMBER = re.compile(r"\s*1\s*\.")

_MAX_NAMES = 10_000
"""Maximum number of remembered tags of a record. Beyond it, a repeated tag no longer starts the next record."""
_TAG, _NUMBER, _PLY = 1, 2, 3
_REACHES = {
    "comment": 0,
    "line_comment": 0,
    "tags": _TAG,
    "glued_tags": _TAG,
    "stuck_tags": _TAG,
    "first": _NUMBER,
    "fresh": _NUMBER,
}
"""How far a record is after a landmark; after all others it has reached its plies."""


def split(text: str) -> Iterator[tuple[int, int]]:
    """Yield the segments of a text that hold one record each, as (start, end).

    A record begins
    - at a tag section after movetext: at the start of a line; attached to the movetext and alone on the rest of its line; after a space
      and before `1.`,
    - after a terminator,
    - at a section after an empty line that repeats a tag,
    - at a `1.` after plies.
    Inside a variation only a tag section and a `1.` after an empty line count, and an open comment ends there. So a bad game does not
    swallow the next one. Comments after a terminator, and a resignation on its line, belong to the game that it ends.
    """
    start, end, depth, reached, ended = -1, 0, 0, 0, False
    names: set[str] = set()
    for landmark in _landmarks(text):
        kind = landmark.lastgroup or ""
        here = landmark.start()
        tag_names: set[str] = set()
        if kind == "tags":
            here = landmark.end() - len(landmark[0].lstrip())
            tag_names = {tag["name"] for tag in pattern(TAG).finditer(landmark[0])}
            begins = reached >= _NUMBER or (not names.isdisjoint(tag_names) and text.count("\n", end, here) > 1)
        elif kind == "stuck_tags":
            begins = ended or (reached == _PLY and _ENDS_LINE.match(text, landmark.end()) is not None)
        elif kind == "glued_tags":
            begins = ended or (reached == _PLY and _FIRST_NUMBER.match(text, landmark.end()) is not None)
        elif kind == "first":
            begins = ended or (reached == _PLY and not depth)
        elif kind == "fresh":
            begins = reached == _PLY
        else:
            begins = ended and kind not in ("comment", "line_comment", "result", "resigns")
        if begins:
            yield start, end
            start, depth, reached, ended, names = -1, 0, 0, False, set()
        start = here if start < 0 else start
        end = landmark.end()
        if len(names) < _MAX_NAMES:
            names |= tag_names
        reached = max(reached, _REACHES.get(kind, _PLY))
        ended |= kind == "result" and not depth
        depth = depth + (kind == "opening") - (kind == "closing" and depth > 0)
    if reached:
        yield start, end


def _landmarks(text: str) -> Iterator[re.Match[str]]:
    """Yield the landmarks that separate records, in order.

    After an open brace, no comment can close before the next line that begins like a tag. Up to there no comment is searched, because each
    search would go that far.
    """
    any_landmark = pattern(_BRACED + _LANDMARKS)
    position = hopeless = 0
    while landmark := (pattern(_LANDMARKS.replace(_RUN, "")) if position < hopeless else any_landmark).search(
        text, position
    ):
        if landmark.lastgroup == "torn" and position >= hopeless:
            tag_line = re.compile(rf"\n{_TAG_LINE}").search(text, position)
            hopeless = tag_line.start() if tag_line else len(text)
        position = landmark.end()
        yield landmark


def parse(text: str) -> tuple[list[Item], Failure | None]:
    """Return a record's items in order, up to a failure if there is one: by the fast parser first, then character by character."""
    from lark import UnexpectedInput

    try:
        return list(fast_parser().parse(text, start="record").children), None
    except UnexpectedInput:
        return parse_by_character(text)


def parse_by_character(text: str) -> tuple[list[Item], Failure | None]:
    """Return the items of `parse`, read character by character from the start."""
    return read_by_character(slow_parser(), text)


def is_variation(text: str) -> bool:
    """Return whether a text can be in the parentheses of a variation."""
    whole = f"- ({text})"
    items, failure = parse_by_character(whole)
    return failure is None and len(items) == 2 and list(split(whole)) == [(0, len(whole))]
