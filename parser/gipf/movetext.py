"""Collect tags, plies, comments, clocks and the end of a game from the grammar's tokens."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from zertz_db.parser.gipf import grammar
from zertz_db.parser.gipf.results import result_of
from zertz_db.parser.gipf.tags import Tag
from zertz_db.parser.packed_plies import PackedPlies
from zertz_db.parser.record import CAPTURE, PASS, PLACEMENT, HalfTurn, Marble, Ply, Remark, Span
from zertz_db.parser.text.line_index import Places
from zertz_db.parser.text.normal_text import Label
from zertz_db.parser.text.size_limits import MAX_PLIES
from zertz_db.parser.vocabulary.terms import WINNERS, GameResult

if TYPE_CHECKING:
    from lark import Token, Tree

LENIENT = {
    "CLAIM_X_OTHER": ("W714", "is read as x"),
    "CAPTURE_X_OTHER": ("W714", "is read as x"),
    "JUMPS_OTHER": ("W714", "is read as x"),
    "PASS_OTHER": ("W715", "is read as a pass, -"),
    "RESULT_OTHER": ("W716", "is read as the result {}"),
    "NO_RING": ("W753", "is read as no ring"),
    "COLOUR_LOWER": ("W717", "is read as a colour letter"),
    "GLUED_LOWER": ("W717", "is read as a colour letter"),
    "CELL_UPPER": ("W718", "is read as a ring"),
    "NUMBER_OTHER": ("W721", "is read as a move number"),
    "RESIGNS_OTHER": ("W723", "is read as resigns"),
    "NOTE_AFTER": ("W757", "after the end is kept as a comment"),
}
"""The grammars' lenient terminals: the code and the message of each remark."""

_CLAIMS = ("CLAIM_X", "CLAIM_X_OTHER")
_CAPTURES = ("CAPTURE_X", "CAPTURE_X_OTHER")

_UNESCAPED_BRACE = re.compile(r"(?<!\\)\{")
_TRIMMED = re.compile(r"\s*((?:\\[\s\S]?|[^\\\s]++|\s+(?=\S))*)")
_PLAYER = re.compile(r"Player ?([12])")
_ESCAPED = r"\r\n|<ESCAPE>"


def plain(text: str) -> str:
    """Return a tag's value or a comment without escapes. A backslash escapes any character but a letter or digit."""
    if "\\" not in text and "\r" not in text:
        return text
    return grammar.pattern(_ESCAPED).sub(lambda found: "\n" if found[0] == "\r\n" else found[0][1:], text)


def _trimmed(text: str) -> str:
    """Return a comment without surrounding spaces; an escaped space stays."""
    found = _TRIMMED.match(text) if "\\" in text else None
    return found[1] if found else text.strip()


def _marbles(text: str) -> tuple[Marble, ...]:
    return tuple(Marble(*pair) for pair in grammar.pattern(grammar.MARBLE).findall(text))


class _Notes(NamedTuple):
    """Comments, marks and variations after a ply, in order."""

    comments: list[str]
    marks: list[str]
    variations: list[str]


class Movetext:
    """The content of one record's text, piece by piece; `take` gets the grammar's items in order."""

    plain: Callable[[str], str] = staticmethod(plain)
    """Function that removes the escapes from a tag's value or a comment."""

    def __init__(self, text: str, places: Places, written: str | None = None, labels: Sequence[Label] = ()) -> None:
        """Store a record's text as the grammar reads it, and (`written`) as comments and values are taken from it."""
        self._text = text
        self._written = text if written is None else written
        self._labels = labels
        self.span = places.span
        self.tags: list[Tag] = []
        self.comments: list[str] = []
        """Comments before the first ply."""
        self.plies: list[Ply] = []
        self.packed: PackedPlies | None = None
        """All plies of the fast path, instead of `plies`."""
        self.numbers: list[tuple[int, str, int]] = []
        """Move numbers: the number of plies before each, its text, its offset."""
        self.half_turn: HalfTurn | None = None
        self.resignation: tuple[int | None, Span] | None = None
        """The player who resigned (None: the side to move), and the span of the statement."""
        self.terminator: tuple[str, Span] | None = None
        self.remarks: list[Remark] = []
        self._notes: dict[int, _Notes] = {}
        """Notes after plies, by index. There may be many, so `take_all` adds them to the plies at the end."""

    @property
    def length(self) -> int:
        """Return the number of plies."""
        return len(self.plies if self.packed is None else self.packed)

    def take(self, item: Token | Tree[Token]) -> None:
        """Take the next token, or the tree of a ply, variation or resignation; skip the rest of a broken one."""
        kind: str = getattr(item, "type", None) or item.data  # type: ignore[union-attr]
        method = getattr(self, f"_take_{kind.lower()}", None)
        if method is not None:
            method(item)

    def take_all(self, items: Iterable[Token | Tree[Token]]) -> None:
        """Take a record's tokens and trees, until one ply more than a game can have."""
        for item in items:
            self.take(item)
            if len(self.plies) > MAX_PLIES:
                break
        for index, notes in self._notes.items():
            ply = self.plies[index]
            comment = "\n".join(notes.comments) if notes.comments else None
            self.plies[index] = ply._replace(
                comment=comment, marks=tuple(notes.marks), variations=tuple(notes.variations)
            )
        self._name_movers()

    def _name_movers(self) -> None:
        """Set the mover of plies after a player's name."""
        starts = [ply.span.start for ply in self.plies] if self._labels else []
        for start, mover in self._labels:
            place = bisect_left(starts, self.span(start, start).start)
            if mover is not None and place < len(self.plies):
                self.plies[place] = self.plies[place]._replace(mover=mover)

    def remark(self, code: str, span: Span, message: str, suggestion: str | None = None) -> None:
        """Add a remark."""
        self.remarks.append(Remark(code, span, message, suggestion))

    def at(self, token: Token) -> Span:
        """Return the span of a token."""
        return self.span(start_of(token), end_of(token))

    def lenient(self, token: Token, meaning: str = "") -> None:
        """Remark upon a token if it is one of LENIENT. `meaning` fills the message's braces."""
        if token.type in LENIENT:
            code, message = LENIENT[token.type]
            self.remark(code, self.at(token), f"{str(token)!r} {message.format(meaning)}")

    # ---- tags

    def _take_tags(self, token: Token) -> None:
        self.take_tags(start_of(token), end_of(token))

    def take_tags(self, start: int, end: int) -> None:
        """Take the tags in a range of the piece."""
        for tag in grammar.pattern(grammar.TAG).finditer(self._text, start, end):
            value = self.plain(self._between(tag.start("value") + 1, tag.end("value") - 1))
            self.tags.append(Tag(tag["name"], value, self.span(*tag.span())))

    def _take_tag(self, tree: Tree[Token]) -> None:
        opening, name, value, _ = tokens_of(tree)
        text = self.plain(self._between(start_of(value) + 1, end_of(value) - 1))
        self.tags.append(Tag(str(name), text, self.span(start_of(opening), end_of(value))))

    def _between(self, start: int, end: int) -> str:
        """Return the written text between two offsets."""
        return self._written[start:end]

    # ---- plies

    def _take_number(self, token: Token) -> None:
        self.numbers.append((len(self.plies), str(token), start_of(token)))

    def _take_number_other(self, token: Token) -> None:
        self.lenient(token)
        self._take_number(token)

    def _take_run(self, token: Token) -> None:
        self.take_run(start_of(token), end_of(token))

    def take_run(self, start: int, end: int) -> None:
        """Take the well-formed plies in a range of the piece, with their numbers and notes."""
        for unit in grammar.pattern(grammar.UNIT).finditer(self._text, start, end):
            number, _, colour, ring, removed, claim, origin, jumps, notes = unit.groups()
            if number:
                self.numbers.append((len(self.plies), number, unit.start("number")))
            span = self.span(*unit.span("ply"))
            if colour:
                ply = Ply(PLACEMENT, span, ring, colour, removed, (), _marbles(claim) if claim else ())
            elif origin:
                ply = Ply(CAPTURE, span, origin, jumps=_marbles(jumps))
            else:
                ply = Ply(PASS, span)
            self.plies.append(ply)
            if notes:
                self._take_notes(*unit.span("notes"))

    def _take_notes(self, start: int, end: int) -> None:
        for note in grammar.pattern(grammar.NOTE).finditer(self._text, start, end):
            if note.lastgroup == "MARK":
                self._mark(note[0])
            else:
                self._comment(note[0], note.start())

    def _take_placement(self, tree: Tree[Token]) -> None:
        tokens = self._spelt(tree)
        claim = next((place for place, token in enumerate(tokens) if token.type in _CLAIMS), len(tokens))
        colour, ring, *rest = (_value(token) for token in tokens[:claim] if token.type != "NO_RING")
        self.plies.append(
            Ply(
                PLACEMENT,
                self.at_all(tokens),
                ring,
                colour,
                rest[1] if len(rest) > 1 else None,
                (),
                pairs_of(tokens[claim + 1 :]),
            )
        )

    def _take_capture(self, tree: Tree[Token]) -> None:
        tokens = self._spelt(tree)
        self.plies.append(Ply(CAPTURE, self.at_all(tokens), _value(tokens[1]), jumps=pairs_of(tokens[2:])))

    def _take_pass(self, tree: Tree[Token]) -> None:
        self.plies.append(Ply(PASS, self.at_all(self._spelt(tree))))

    def at_all(self, tokens: list[Token]) -> Span:
        """Return the span of consecutive tokens."""
        return self.span(start_of(tokens[0]), end_of(tokens[-1]))

    def _spelt(self, tree: Tree[Token]) -> list[Token]:
        """Return a ply's tokens; remark upon lenient spellings and missing or superfluous spaces."""
        tokens = tokens_of(tree)
        for token in tokens:
            self.lenient(token)
        for one, other in pairwise(tokens):
            is_separate = end_of(one) < start_of(other)
            if is_separate != (_is_x(one) or _is_x(other)):
                code, what = ("W719", "a space is skipped") if is_separate else ("W720", "a space around x is missing")
                self.remark(code, self.span(start_of(one), end_of(other)), what)
        return tokens

    # ---- what is noted behind a ply

    def _last_notes(self) -> _Notes:
        """Return the notes after the last ply."""
        return self._notes.setdefault(len(self.plies) - 1, _Notes([], [], []))

    def _take_mark(self, token: Token) -> None:
        self._mark(str(token))

    def _mark(self, mark: str) -> None:
        self._last_notes().marks.append(mark)

    def _take_variation(self, tree: Tree[Token]) -> None:
        opening, *_, closing = tokens_of(tree)
        text = self._between(end_of(opening), start_of(closing)).strip()
        self._last_notes().variations.append(text)

    def _take_comment(self, token: Token) -> None:
        self._comment(str(token), start_of(token))

    _take_line_comment = _take_comment

    def _comment(self, written: str, start: int) -> None:
        if written[0] == "{" and (brace := _UNESCAPED_BRACE.search(written, 1)):
            place = self.span(start + brace.start(), start + brace.end())
            self.remark(
                "W225", place, "a brace opens inside a comment: was it never closed?", "write \\{ for a brace in it"
            )
        end = start + len(written)
        text = self._between(start + 1, end - 1 if written[0] in "{(" else end)
        timed = "%clk" in text and bool(self.plies)
        if timed:
            text = self._without_clock(text, start + 1)
        text = _trimmed(text)
        if timed and not text:
            return
        self._add_comment(self.plain(text))

    def _add_comment(self, text: str) -> None:
        """Add a comment to the last ply, or to the game before the first one."""
        if not self.plies:
            self.comments.append(text)
        else:
            self._last_notes().comments.append(text)

    def _without_clock(self, text: str, start: int) -> str:
        """Return a comment's text without its clock, which goes to the ply. An unreadable or second clock stays."""
        clock_match = None
        for written in grammar.pattern("<CLOCK_OTHER>").finditer(text):
            if self.plies[-1].clock is None and grammar.pattern("<CLOCK>").fullmatch(written[0]):
                self.plies[-1] = self.plies[-1]._replace(clock=milliseconds(written[0]))
                clock_match = written
            else:
                place = self.span(start + written.start(), start + written.end())
                self.remark(
                    "W524", place, f"the clock {written[0]} is not read", "write one per ply, as {[%clk 0:01:02]}"
                )
        return text if clock_match is None else text[: clock_match.start()] + text[clock_match.end() :]

    # ---- the end

    def _take_half_turn(self, token: Token) -> None:
        head, _, text = self._between(start_of(token) + 1, end_of(token) - 1).partition(":")
        mover = head.removeprefix("half turn").strip()
        self.half_turn = HalfTurn(self.plain(_trimmed(text)), self.at(token), int(mover) if mover else None)

    def _take_resignation(self, tree: Tree[Token]) -> None:
        *player, word = tokens_of(tree)
        self.lenient(word)
        if player and " " in player[0]:
            self.remark("W723", self.at(player[0]), f"{str(player[0])!r} is read as {player[0].replace(' ', '')}")
        self.resignation = (int(player[0][-1]) if player else None, self.at_all(tokens_of(tree)))

    def _take_result(self, token: Token) -> None:
        self.terminator = (str(token), self.at(token))

    def _take_result_other(self, token: Token) -> None:
        result = result_of(token) or GameResult.UNKNOWN
        self.lenient(token, result)
        self.terminator = (result, self.at(token))

    def _take_resigns_after(self, token: Token) -> None:
        """Take a resignation after the result: the loser's, unless it names the player."""
        result = self.terminator[0] if self.terminator else ""
        named = _PLAYER.search(token)
        loser = int(named[1]) if named else 3 - WINNERS[result] if result in WINNERS else None
        by = f"the resignation of player {loser}" if loser else "a resignation"
        self.remark("W723", self.at(token), f"{str(token)!r} after the result is read as {by}")
        if self.resignation is None:
            self.resignation = loser, self.at(token)

    def _take_note_after(self, token: Token) -> None:
        """Take a comment after the result that is not in braces."""
        self.lenient(token)
        start, end = start_of(token), end_of(token)
        words = self._between(start, end)
        if words[0] == "(" and words[-1] == ")":
            words = words[1:-1]
        if words := words.lstrip("-–—,:/#").strip():
            self._add_comment(self.plain(words))


def milliseconds(clock: str) -> int:
    """Return the milliseconds of a clock, `[%clk 0:01:02.500]`."""
    hours, minutes, seconds, fraction = re.findall(r"[0-9]+", f"{clock}.0")[:4]
    return ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(fraction.ljust(3, "0"))


def tokens_of(tree: Tree[Token]) -> list[Token]:
    """Return the tokens of a rule without subrules."""
    return tree.children  # type: ignore[return-value]


def start_of(token: Token) -> int:
    """Return the start of a token in the piece."""
    return token.start_pos or 0


def end_of(token: Token) -> int:
    """Return the end of a token in the piece."""
    return token.end_pos or 0


def _is_x(token: Token) -> bool:
    return token.type in _CLAIMS or token.type in _CAPTURES


def _value(token: Token) -> str:
    """Return a colour letter or ring in its proper case."""
    return token.upper() if token.type.startswith(("COLOUR", "GLUED")) else token.lower()


def pairs_of(tokens: list[Token]) -> tuple[Marble, ...]:
    """Return marbles from alternating colours and rings."""
    return tuple(Marble(_value(colour), _value(ring)) for colour, ring in zip(tokens[::2], tokens[1::2], strict=True))
