"""Read the transcripts of the program Zertz3D, which are Python's own output of its actions. Source: formats, section 4.

The grammar accepts dictionaries of quoted texts and nothing else, so nothing is ever evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from zertz_db.parser.gipf import derived_dialect
from zertz_db.parser.gipf.derived_dialect import Notation, Piece, list_segments
from zertz_db.parser.gipf.movetext import tokens_of
from zertz_db.parser.minor.zertz3d import Zertz3dMovetext, with_facts
from zertz_db.parser.record import CAPTURE, PASS, PLACEMENT, Marble, Ply, Record, Span, SyntaxFault
from zertz_db.parser.text.normal_text import Departure, NormalText

if TYPE_CHECKING:
    from lark import Token, Tree

CODES = {
    "E253": "an invalid action of a transcript",
    "N530": "lines of a log that are not actions are skipped",
} | derived_dialect.OTHER_CASE
"""Codes that only this reader reports."""

_BEGIN = re.compile(r"^(?:#\s*(?:Seed|Rings):|#!|[^\S\n]*(?P<action>Player [12]))", re.MULTILINE)
_NAME = r"Player [12](?: \([^)\n]*\))?:"
_READ = re.compile(
    r"^[^\S\n]*\#[^\n]*"
    rf"|{_NAME}\s*\{{[^{{}}]*\}}(?:[^\S\n]*\#[^\n]*)?"
    r"|^Player \w+[^\n:]*:[^\n{']*[{'][^\n]*",
    re.MULTILINE,
)
"""The parts of a log that are read: comments, actions, and texts meant as actions."""
_NEW_GAME = re.compile(r"[^\S\n]*(?:\*+ New game|-- Current Seed (?P<seed>[0-9]+))")
_LINE = re.compile(r"\S[^\n]*")
_PLAYER = re.compile(r"Player ([12])(?: \((.*)\))?:")
_CELL = re.compile(r"[A-Ja-j](?:1[0-2]|[1-9])")
_RINGS, _COLOURS = ("src", "dst", "remove", "cap"), ("marble", "capture")
"""The entries of an action that name rings, in capitals, and colours, in small letters."""
_NOWHERE = Span(0, 0, 1, 1)
_COLOUR = re.compile(r"[WGBwgb]")


class _NoAction(ValueError):
    """The dictionary is not an action; the message names the error."""


class _Transcript(Zertz3dMovetext):
    """The actions of a transcript, up to one that is not understood."""

    broken: SyntaxFault | None = None

    def _take_turn(self, tree: Tree[Token]) -> None:
        if self.broken:
            return
        actor, *rest = tokens_of(tree)
        texts = [token[1:-1] for token in rest if token.type in ("KEY", "VALUE")]
        action = dict(zip(texts[::2], texts[1::2], strict=True))
        player = _PLAYER.fullmatch(actor)
        number, name = (player[1], player[2]) if player else ("1", None)
        if name:
            self.facts.setdefault(f"player {number}", name)
        span = self.at_all(tokens_of(tree))
        self._compare_cases(action, span)
        try:
            self.plies.append(_ply(action)._replace(span=span, mover=int(number)))
        except _NoAction as cause:
            self.broken = SyntaxFault("E253", span, str(cause), ("PUT, CAP or PASS",))
        self.join_chain()

    def _compare_cases(self, action: dict[str, str], span: Span) -> None:
        """Remark upon colours in capitals and rings in small letters."""
        for key, value in action.items():
            usual = value.upper() if key in _RINGS else value.lower() if key in _COLOURS else value
            if value != usual:
                self.remark("W724", span, f"{value!r} is read as {usual!r}")


def _ply(action: dict[str, str]) -> Ply:
    kind = action.get("action")
    if kind == "PUT":
        removed = _cell(action, "remove") if action.get("remove") else None
        return Ply(PLACEMENT, _NOWHERE, _cell(action, "dst"), _colour(action, "marble"), removed)
    if kind == "CAP":
        colour = _colour(action, "marble") if "marble" in action else None
        jumped = _colour(action, "capture") if action.get("capture") else None
        return Ply(CAPTURE, _NOWHERE, _cell(action, "src"), colour, jumps=(Marble(jumped, _cell(action, "dst")),))
    if kind == "PASS":
        return Ply(PASS, _NOWHERE)
    raise _NoAction(f"there is no action {kind!r}" if kind else "the action is not named")


def _cell(action: dict[str, str], key: str) -> str:
    value = action.get(key, "")
    if not _CELL.fullmatch(value):
        raise _NoAction(f"{key} should be a ring such as D4, not {value!r}")
    return value.lower()


def _colour(action: dict[str, str], key: str) -> str:
    value = action.get(key, "")
    if not _COLOUR.fullmatch(value):
        raise _NoAction(f"{key} should be w, g or b, not {value!r}")
    return value.upper()


def _split(text: str) -> Iterator[tuple[int, int]]:
    """Return the segments that begin at a comment with the seed or the board after actions."""
    starts, has_actions = [0], False
    for landmark in _BEGIN.finditer(text):
        if has_actions and not landmark["action"]:
            starts.append(landmark.start())
        has_actions = bool(landmark["action"])
    return list_segments(text, starts)


def _without_log(text: str) -> NormalText:
    """Return a text with spaces for all lines of a log that are not actions. A line that announces a game becomes a comment."""
    parts: list[str] = []
    passed: list[Departure] = []
    last_end = 0
    for read in (*_READ.finditer(text), None):
        start, end = read.span() if read else (len(text), len(text))
        parts.append(_LINE.sub(lambda line: _in_log(line, passed, last_end), text[last_end:start]))  # noqa: B023 - at once
        parts.append(text[start:end])
        last_end = end
    return NormalText("".join(parts), text, tuple(passed))


def _in_log(line: re.Match[str], passed: list[Departure], offset: int) -> str:
    """Return the replacement of a log's line, or of a part of it between actions."""
    begins = _NEW_GAME.match(line[0])
    start, end = line.start() + offset, line.end() + offset
    passed.append(Departure("N530", start, end, "a line that is not an action is skipped"))
    seen = "" if begins is None else f"# Seed: {begins['seed']}" if begins["seed"] else "#!"
    return seen.ljust(len(line[0]))


_NOTATION = Notation(
    "transcript",
    "minor/grammars/transcript.lark",
    _Transcript,
    _split,
    {
        "PLY_OF": "an action such as Player 1: {'action': 'PUT', …}",
        "LBRACE": "an action in braces",
        "KEY": "a name in quotes",
        "VALUE": "a text in quotes",
        "_COLON": "a colon",
        "RBRACE": "a closing brace",
    },
    normal=_without_log,
)


def _record(piece: Piece) -> Record:
    movetext = piece.movetext
    assert isinstance(movetext, _Transcript)  # noqa: S101 - as the notation says
    record = piece._replace(fault=movetext.broken or piece.fault).record("transcript")
    facts = movetext.facts
    return with_facts(record, facts.get("rings", ""), facts.get("variant", "").lower() == "blitz", facts)


read = derived_dialect.reader(_NOTATION, _record)
