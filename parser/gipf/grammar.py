"""The grammar of the official notation as Python uses it: its two parsers, and patterns composed of its terminals.

Nothing here defines notation: `gipf.lark` does. Lark is imported, and everything built, when first asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from parser.text.lark_recovery import Failure, parser_of, read_by_character

if TYPE_CHECKING:
    from lark import Lark

    from parser.text.lark_recovery import Item

_GRAMMAR = "gipf/gipf.lark"


def fast_parser() -> Lark:
    """The parser that takes runs of well-formed plies and of tags as one token each."""
    return parser_of(_GRAMMAR, "record", "pieces")


def slow_parser() -> Lark:
    """The parser that reads sign by sign."""
    return parser_of(_GRAMMAR, "by_ply")


@cache
def pattern(template: str) -> re.Pattern[str]:
    """Compiles a regular expression in which `<NAME>` stands for the grammar's terminal of that name."""
    return re.compile(re.sub(r"(?<!\(\?P)<([A-Z_]+)>", lambda name: _expression(name[1]), template))


@cache
def _expression(terminal: str) -> str:
    return f"(?:{fast_parser().get_terminal(terminal).pattern.to_regexp()})"


UNIT = (
    r"(?P<number><LATER>)?\s*(?P<ply>"
    r"(?P<colour><COLOUR>)(?P<ring><CELL>)(?:<COMMA>(?P<removed><CELL>))?"
    r"(?:\s+<CLAIM_X>\s+(?P<claim><COLOUR><CELL>(?><GLUED><CELL>)*+))?"
    r"|<CAPTURE_X>\s+(?P<start><CELL>)(?P<jumps>(?><GLUED><CELL>)++)"
    r"|<PASS>"
    r")\s*(?P<notes>(?>(?:<MARK>|<COMMENT>|<LINE_COMMENT>)\s*)*+)"
)
"""One ply of a RUN with its number and what is noted behind it."""

MARBLE = r"(<COLOUR>|<GLUED>)(<CELL>)"
NOTE = r"(?P<COMMENT><COMMENT>)|(?P<LINE_COMMENT><LINE_COMMENT>)|(?P<MARK><MARK>)"
TAG = r"\[\s*(?P<name><NAME>)[^\S\n]*(?P<value><STRING>)"

_TAG_LIKE = r"\[\s*\w"
_TAG_LINE = rf"[^\S\n]*{_TAG_LIKE}"
"""How a line begins that is meant for a tag, even if it is none."""

_STUCK_RESULT = r"(?:1-0|0-1|1/2-1/2|0-0|\*)(?=<TAG>|1\.\s*(?:<COLOUR><CELL>|<CAPTURE_X>\s))"
"""A result with the next game's first tag or first move number stuck to it."""
_BRACED = r"(?P<comment><COMMENT>)|(?P<half><HALF_TURN>)|"
_RUN = r"|(?P<run><RUN>)"
_LANDMARKS = (
    r"(?P<line_comment><LINE_COMMENT>)"
    # A brace left open: up to the next thing that surely begins a game.
    rf"|(?P<torn>\{{(?>[^\n]++|\n(?!{_TAG_LINE}|[^\S\n]*\n<FIRST>))*+)"
    rf"|(?P<tags>(?<![^\n\ufeff])[^\S\n]*+(?:<TAGS>|{_TAG_LIKE}[^\n]*))"
    r"|(?P<glued_tags>(?<=[^\S\n])<TAGS>)"
    r"|(?P<stuck_tags>(?<=[^\s({])<TAGS>)"
    r"|(?P<fresh>(?:(?<=\n\n)|(?<=\n\r\n))<FIRST>)"
    r"|(?P<first><FIRST>)"
    rf"{_RUN}"
    rf"|(?P<result>(?<![^\s}})])(?:<RESULT>|<RESULT_OTHER>|{_STUCK_RESULT}))"
    r"|(?P<opening>\()|(?P<closing>\))"
    r"|(?P<word>[^\s\ufeff{}();\[\]]+|[^\s\ufeff])"
)

_ENDS_LINE = re.compile(r"[^\S\n]*(?:\n|\Z)")

_MAX_NAMES = 10_000
"""Tags of a record that are remembered: where there are more, it is not for them that a section is known to begin the next one."""
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
"""How far a record has come with a landmark; with all others it has come to its plies."""


def split(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of a text that hold one record each, as (start, end).

    A record begins at a tag section after movetext (at the start of a line, or stuck to the movetext and alone on the rest of its
    line), after a terminator, where a section behind an empty
    line repeats a tag, and where numbering starts again at `1.` after plies. Inside a variation only a tag section and a `1.` behind
    an empty line count, and a comment left open ends there: so no bad game takes the next one along. Comments behind a terminator
    belong to the game it ends.
    """
    start, end, depth, reached, ended = -1, 0, 0, 0, False
    names: set[str] = set()
    for landmark in _landmarks(text):
        kind = landmark.lastgroup or ""
        here = landmark.start()
        found: set[str] = set()
        if kind == "tags":
            here = landmark.end() - len(landmark[0].lstrip())
            found = {tag["name"] for tag in pattern(TAG).finditer(landmark[0])}
            begins = reached >= _NUMBER or (not names.isdisjoint(found) and text.count("\n", end, here) > 1)
        elif kind == "stuck_tags":
            begins = ended or (reached == _PLY and _ENDS_LINE.match(text, landmark.end()) is not None)
        elif kind == "first":
            begins = ended or (reached == _PLY and not depth)
        elif kind == "fresh":
            begins = reached == _PLY
        else:
            begins = ended and kind not in ("comment", "line_comment", "result")
        if begins:
            yield start, end
            start, depth, reached, ended, names = -1, 0, 0, False, set()
        start = here if start < 0 else start
        end = landmark.end()
        if len(names) < _MAX_NAMES:
            names |= found
        reached = max(reached, _REACHES.get(kind, _PLY))
        ended |= kind == "result" and not depth
        depth = depth + (kind == "opening") - (kind == "closing" and depth > 0)
    if reached:
        yield start, end


def _landmarks(text: str) -> Iterator[re.Match[str]]:
    """What tells records apart, in order.

    Where a brace is left open, no comment can close before the next line that begins like a tag: up to there none is looked for, as
    every look would go that far.
    """
    any_landmark, unbraced = pattern(_BRACED + _LANDMARKS), pattern(_LANDMARKS.replace(_RUN, ""))
    position = hopeless = 0
    while landmark := (unbraced if position < hopeless else any_landmark).search(text, position):
        if landmark.lastgroup == "torn" and position >= hopeless:
            tag_line = re.compile(rf"\n{_TAG_LINE}").search(text, position)
            hopeless = tag_line.start() if tag_line else len(text)
        position = landmark.end()
        yield landmark


def parse(text: str) -> tuple[list[Item], Failure | None]:
    """A record's items in order, up to a failure if there is one: tried fast first, then sign by sign."""
    from lark import UnexpectedInput

    try:
        return list(fast_parser().parse(text, start="record").children), None
    except UnexpectedInput:
        return parse_by_character(text)


def parse_by_character(text: str) -> tuple[list[Item], Failure | None]:
    """The same as `parse`, sign by sign from the start."""
    return read_by_character(slow_parser(), text)


def is_variation(text: str) -> bool:
    """Whether a text can stand between the parentheses of a variation."""
    whole = f"- ({text})"
    items, failure = parse_by_character(whole)
    return failure is None and len(items) == 2 and list(split(whole)) == [(0, len(whole))]
