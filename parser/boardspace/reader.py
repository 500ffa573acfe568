"""Read the game server's own SGF, the form of the only large archive of real games. Source: formats, section 3.

The grammar (`boardspace.lark`) finds the nodes and actions of a game; `game_builder` makes a Record of them. Each game of a file is parsed
separately, so a damaged game does not affect the others. Long runs of ordinary nodes are one token; the grammar's own expressions split
them. A turn ends with Done, or when the seat changes, as the server wrote until 2006. Corrections inside a turn and the viewer's own notes
are part of the form, not leniencies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from zertz_db.parser import faults
from zertz_db.parser.boardspace.brackets import Masked, escaped, mask, may_swallow, unmask
from zertz_db.parser.boardspace.fast_path import FastPath, take_turns
from zertz_db.parser.boardspace.game_builder import Game
from zertz_db.parser.boardspace.header import Property
from zertz_db.parser.boardspace.turns import Unreadable
from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.parser.record import Ply, Record, Remark, Span, SyntaxFault
from zertz_db.parser.text import size_limits
from zertz_db.parser.text.line_index import PlacesInOrder
from zertz_db.parser.text.size_limits import is_too_long, too_long
from zertz_db.parser.text.stored_grammars import expressions_of, parser_of

if TYPE_CHECKING:
    from lark import Lark
    from lark.exceptions import UnexpectedInput

CODES = {
    "E240": "no game begins here",
    "E241": "the text can't be read as a game of the server",
    "E242": "the text ends in the middle of a node",
    "E243": "it is a record of another game",
    "E244": "the server has no such action",
    "E350": "two marbles are placed in one turn",
    "E351": "two rings are removed in one turn",
    "E352": "the jumps of a turn are not made by one marble",
    "E353": "a turn both captures and places a marble",
    "E354": "an undone action was never done",
    "E355": "a turn in which nothing is done",
    "E356": "a turn that removes a ring and places no marble",
    "E357": "the stocks or the board are changed by hand in the middle of the game",
    "E358": "the game goes on after its end",
    "E360": "a ring is removed in a turn that captures",
    "N540": "the file's name has the day after the game's",
    "W540": "the date is impossible, in part or whole",
    "W541": "the date can't be read",
    "W542": "the result can't be read",
    "W560": "a bracket or a backslash in a value is not escaped",
    "W443": "the result contradicts how the game ended",
    "W444": "a resignation is withdrawn",
    "W545": "the variant is unknown",
    "W746": "the game's closing parenthesis is missing",
    "W747": "text outside of the game is not read",
    "W748": "what follows the abandoned game is not read",
    **size_limits.CODES,
}
"""The reader's findings: E faults (`Record.fault`), W remarks (`Record.remarks`)."""

_EXPECTED = {
    "ACTIONS": "an action such as `; P0[RtoB 2 0 D 4]`",
    "PROPERTIES": "properties such as `SU[Zertz]`",
    "SEMICOLON": "`;` and a node",
    "LPAR": "`(`, which opens a game",
    "RPAR": "`)`, which closes the game",
}
"""The grammar's tokens in words."""

_BEGINNING_OF_PROPERTY = re.compile(r"[A-Za-z0-9-]*\s*(?:\[[^\]]*)?")


class Grammar(NamedTuple):
    """The expressions that split the parser's larger tokens.

    `game` finds the start of a game (in its group, after a line feed); `action` gives (seat, action, clock), `property` (name, value in its
    brackets).
    """

    game: re.Pattern[str]
    action: re.Pattern[str]
    property: re.Pattern[str]
    fast_path: FastPath


_GRAMMAR = "boardspace/boardspace.lark"


def _parser() -> Lark:
    """Return the parser, which few games need. It is built, and Lark imported, on first use."""
    return parser_of(_GRAMMAR, "start", "pieces")


@cache
def grammar() -> Grammar:
    """Return the expressions, compiled on first use."""
    expressions = expressions_of(_GRAMMAR)

    def grouped(name: str, *parts: str) -> re.Pattern[str]:
        """Return a terminal's expression with a group around each named terminal in it."""
        expression = expressions[name]
        for part in parts:
            expression = expression.replace(expressions[part], f"({expressions[part]})", 1)
        return compile_on_use(expression)

    step, done, node = (
        grouped("STEP_NODE", "SEAT", "STEP", "CLOCK").pattern,
        grouped("DONE_NODE", "SEAT", "CLOCK").pattern,
        grouped("NODE", "SEAT", "COMMAND", "CLOCK").pattern,
    )
    seat, same_seat = f"({expressions['SEAT']})", r"\1"
    further, last = step.replace(seat, same_seat, 1), done.replace(seat, same_seat, 1)
    turn = f"{step}(?:{further})?{last}"
    action = grouped("ACTION", "SEAT", "COMMAND", "CLOCK")
    return Grammar(
        grouped("GAME"),
        action,
        grouped("PROPERTY", "NAME", "VALUE"),
        FastPath(grouped("HEAD"), compile_on_use(f"{turn}|{node}|({expressions['TIMES']})|([\\s\\S])"), action),
    )


def read(text: str, name: str = "") -> Iterator[Record]:
    """Return a Record for each game of a file; a game that is there twice gives two.

    `name` is the file's name, whose stamp gives the date. Spans count in `text`. A text without a game gives one Record with a fault, an
    empty one none.
    """
    return _read(text, name, lambda piece: _read_fast(piece) or _parse_fully(piece))


def parse_fully(text: str, name: str = "") -> Iterator[Record]:
    """Read like `read`, but node by node."""
    return _read(text, name, _parse_fully)


class _Piece(NamedTuple):
    """A game's segment of a text without spaces at its end; `masked` is the text with separable values."""

    text: str
    name: str
    span: Span
    masked: str | None = None

    def game(self) -> Game:
        """Return a new game, of which nothing is read yet."""
        return Game(self.text, PlacesInOrder(self.text, self.span), self.name)


def _read(text: str, name: str, read_game: Callable[[_Piece], Record]) -> Iterator[Record]:
    places, starts = PlacesInOrder(text), _starts(text)
    if not starts and text.strip():
        yield _no_game(text, places)
    for start, end in pairwise([*starts, len(text)]):
        span = places.span(start, start + len(text[start:end].rstrip()))
        one = partial(_too_long, span) if is_too_long(span) else partial(read_game, _Piece(text, name, span))
        record = faults.guarded(one, partial(faults.unread, dialect="boardspace", span=span))
        if start == starts[0] and text[:start].strip():
            before = Remark("W747", Span(0, start, 1, 1), "the text before the game is not read")
            record = replace(record, remarks=(before, *record.remarks))
        yield record


def _too_long(span: Span) -> Record:
    return Record(dialect="boardspace", span=span, fault=too_long(span))


_AT_ONCE = re.compile(r"[ \t\n]*+(\()\s*+;")
"""A game at the start of a text."""
_GLUED = compile_on_use(r"\(\s*+;\s*+GM\[22\]")
"""A game that may begin within a line: after one that was cut off."""


def _starts(text: str) -> list[int]:
    """Return the offsets of the games."""
    first = _AT_ONCE.match(text)
    if first and text.find("(", first.end()) < 0:  # as in most files, no other game can begin
        return [first.start(1)]
    starts = {match.start(1) - 1 for match in grammar().game.finditer(f"\n{text}")}
    glued = (match.start() for match in _GLUED.finditer(text))
    return sorted(starts.union(start for start in glued if not _is_in_comment(text, start)))


def _is_in_comment(text: str, at: int) -> bool:
    opening = text.rfind("[", 0, at)
    return text.rfind("]", 0, at) < opening and re.search(r"C\s*\Z", text[max(0, opening - 3) : opening]) is not None


def _read_fast(piece: _Piece) -> Record | None:
    """Return the record of a plain game, or None for any other."""
    patterns, text, (start, end, *_) = grammar().fast_path, piece.text, piece.span
    if may_swallow(text, start, end):
        return None
    head = patterns.head.match(text, start, end)
    if head is None:
        return None
    game = piece.game()
    root = (text.index(";", start) + 1, head.end())
    try:
        game.open(_properties(text, *root))
    except Unreadable:
        return None
    if not game.is_plain:
        return None
    if not take_turns(patterns, game, text, (head.end(), end), partial(_read_plies, piece, root)):
        return None
    return game.record(start, end)


def _read_plies(piece: _Piece, root: tuple[int, int]) -> tuple[Ply, ...]:
    """Return the plies of a plain game, those of the full parse, without the parser. root: the range of its properties."""
    game, (start, end, *_) = piece.game(), piece.span
    try:
        game.open(_properties(piece.text, *root))
        game.act(grammar().action.finditer(piece.text, root[1], end))
        game.finish()
    except Unreadable:
        return tuple(_parse_fully(piece).plies)
    return tuple(game.record(start, end).plies)


def _parse_fully(piece: _Piece) -> Record:
    """Return the record of a game, parsed node by node."""
    record = _read_nodes(piece)
    found = _read_masked(piece) if _may_lack_escapes(piece, record) else None
    if found is None:
        return record
    places = PlacesInOrder(piece.text, piece.span)
    message = "brackets or backslashes in this value are not escaped; the text after it shows where it ends"
    remarks = [Remark("W560", places.span(*value), message, "write \\] and \\\\") for value in found[1].values]
    return replace(found[0], remarks=(*remarks, *found[0].remarks))


def _may_lack_escapes(piece: _Piece, record: Record) -> bool:
    is_broken = record.fault is not None and record.fault.code in ("E241", "E242")
    return is_broken or may_swallow(piece.text, *piece.span[:2])


def _read_masked(piece: _Piece) -> tuple[Record, Masked] | None:
    """Return the record of a game with unescaped brackets or backslashes in its values, or None if masking does not make it readable."""
    found = []
    for are_paired in (True, False):
        masked = mask(piece.text, *piece.span[:2], are_paired=are_paired)
        if masked and (record := _read_nodes(piece._replace(masked=masked.text))).fault is None:
            found.append((record, masked))
    return max(found, key=lambda one: len(one[0].plies), default=None)


def escape_values(text: str) -> str:
    """Return the text of a game with unescaped brackets and backslashes in its values escaped; any other text unchanged."""
    piece = _Piece(text, "", Span(0, len(text.rstrip()), 1, 1))
    if "]" not in text or is_too_long(piece.span) or not _may_lack_escapes(piece, _read_nodes(piece)):
        return text
    found = _read_masked(piece)
    return escaped(found[1]) if found else text


def _read_nodes(piece: _Piece) -> Record:
    game = piece.game()
    start, end = piece.span[:2]
    try:
        _parse(game, piece.masked or piece.text, start, end, is_masked=piece.masked is not None)
        game.finish()
    except Unreadable as error:
        game.break_off(error)
    return game.record(start, end)


def _no_game(text: str, places: PlacesInOrder) -> Record:
    start = len(text) - len(text.lstrip())
    fault = SyntaxFault("E240", places.span(start, start + 1), "no game begins here", ("`(;` and a game's properties",))
    return Record(dialect="boardspace", span=places.span(0, len(text)), fault=fault)


def _parse(game: Game, text: str, start: int, end: int, *, is_masked: bool) -> None:
    """Hand the tokens of one game's segment to the game, as the parser accepts them.

    Raises Unreadable; the game's `at` is then its range.
    """
    from lark import UnexpectedInput

    properties = _unmasked_properties if is_masked else _properties
    parser = _parser().parse_interactive(text[start:end], "start")
    kind, at, read_to, nodes = "", start, start, 0
    try:
        for token in parser.iter_parse():
            kind, at, read_to = token.type, start + (token.start_pos or 0), start + (token.end_pos or 0)
            if kind in ("ACTIONS", "SEMICOLON"):
                game.end_node()
                nodes += 1
            if kind == "ACTIONS":
                game.act(grammar().action.finditer(text, at, read_to))
            elif kind == "PROPERTIES" and nodes == 1:
                game.open(properties(text, at, read_to))
            elif kind == "PROPERTIES":
                for item in properties(text, at, read_to):
                    _add(game, text, item)
    except UnexpectedInput as error:
        at = start + (error.pos_in_stream or 0)
        game.at = (at, at + 1)
        if kind != "RPAR":
            raise _unreadable(error, text[at:end]) from error
        game.remark("W747", *game.at, "the text after the game is not read")
    else:
        if kind != "RPAR":
            game.remark("W746", read_to - 1, read_to, "the game's closing parenthesis is missing")


def _add(game: Game, text: str, item: Property) -> None:
    if action := grammar().action.fullmatch(text, item.start, item.end):
        game.act([action])
    else:
        game.add(item)


def _properties(text: str, start: int, end: int) -> list[Property]:
    found = [
        Property(match[1], match[2][1:-1], *match.span()) for match in grammar().property.finditer(text, start, end)
    ]
    if "\\" in text[start:end]:
        return [item._replace(value=re.sub(r"\\([\s\S])", r"\1", item.value)) for item in found]
    return found


def _unmasked_properties(text: str, start: int, end: int) -> list[Property]:
    return [item._replace(value=unmask(item.value)) for item in _properties(text, start, end)]


def _unreadable(error: UnexpectedInput, rest: str) -> Unreadable:
    from lark import UnexpectedCharacters, UnexpectedToken

    names = error.allowed if isinstance(error, UnexpectedCharacters) else ()
    if isinstance(error, UnexpectedToken):
        names = error.expected
    expected = tuple(sorted({_EXPECTED[name] for name in names or () if name in _EXPECTED}))
    if _BEGINNING_OF_PROPERTY.fullmatch(rest):
        return Unreadable("E242", "the text breaks off here", expected)
    return Unreadable("E241", "the server writes no such part of a game", expected)
