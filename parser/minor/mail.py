"""Read mails of a game server, and combine those of one game. Experimental. Source: formats, section 2."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from zertz_db.parser import faults
from zertz_db.parser.gipf import derived_dialect
from zertz_db.parser.gipf.derived_dialect import EXPERIMENTAL, Notation, Piece, list_segments
from zertz_db.parser.gipf.movetext import Movetext
from zertz_db.parser.record import Ply, Record, Remark, Span, SyntaxFault

if TYPE_CHECKING:
    from lark import Token, Tree

CODES = {
    "E254": "moves are missing from the mails of a game",
    "W756": "two mails of a game contradict each other about a move: the later one counts",
    **EXPERIMENTAL,
}
"""Codes that only this reader reports; for all else it has the codes of `gipf.CODES`."""

_HEADER = re.compile(r"(?:Summary of|A new) Zertz(\+11)? [Bb]oard \(?([0-9]{1,9})\)?")

_MAX_INTERLEAVED = 50
"""Maximum ratio of the games' joint length, each from its first mail to its last, to the length of the text. A player by mail has some
dozens of games at a time. Beyond it, mails are not combined, because that would take too long."""


class _Mail(Movetext):
    """The moves of one mail by their numbers."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.game = ("", "")
        """`+11` or nothing, and the game's number."""
        self.players: tuple[str, ...] = ()
        self.moves: dict[int, Ply] = {}

    def _take_header(self, token: Token) -> None:
        header = _HEADER.fullmatch(token)
        self.game = (header[1] or "", header[2]) if header else self.game

    def _take_players(self, token: Token) -> None:
        self.players = tuple(token.split()[-2:])

    def _take_move(self, tree: Tree[Token]) -> None:
        number, ply, *_ = tree.children
        count = int(str(number).strip().rstrip("."))
        if isinstance(ply, str):
            self.resignation = (2 - count % 2, self.at(ply))
            return
        self.take(ply)
        self.moves[count] = self.plies[-1]


def _split(text: str) -> Iterator[tuple[int, int]]:
    """Return a segment for each mail, from one header to the next."""
    return list_segments(text, [header.start() for header in _HEADER.finditer(text)])


_NOTATION = Notation(
    "mail",
    "minor/grammars/mail.lark",
    _Mail,
    _split,
    {"PLY_NUMBER": "a numbered move such as 1 Wd4,d1", "GLUED": "a jump such as Gd3"},
    is_experimental=True,
)


def read(text: str) -> Iterator[Record]:
    """Yield a Record for each game, in the order of their first mails. It spans all of its mails. Nothing in a text raises."""
    games: dict[tuple[str, str], list[int]] = defaultdict(list)
    every = list(derived_dialect.pieces(_NOTATION, text))
    for number, piece in enumerate(every):
        games[_mail(piece).game].append(number)
    left = _MAX_INTERLEAVED * len(text)
    for game, numbers in games.items():
        left -= _across([every[number] for number in numbers]).end - every[numbers[0]].span.start
        for some in [numbers] if left >= 0 else [[number] for number in numbers]:
            mails = [every[number] for number in some]
            reject = partial(faults.unread, dialect="mail", span=_across(mails))
            yield replace(faults.guarded(partial(_record, game, mails), reject), gaps=_gaps(every, some))


def _gaps(every: list[Piece], numbers: list[int]) -> tuple[Span, ...]:
    """Return the segments of other games' mails between those of one."""
    return tuple(_across(every[one + 1 : other]) for one, other in pairwise(numbers) if other > one + 1)


def _mail(piece: Piece) -> _Mail:
    assert isinstance(piece.movetext, _Mail)  # noqa: S101 - as the notation says
    return piece.movetext


def _record(game: tuple[str, str], mails: list[Piece]) -> Record:
    moves: dict[int, Ply] = {}
    remarks: list[Remark] = []
    for mail in map(_mail, mails):
        for number, ply in mail.moves.items():
            if number in moves and _without_place(moves[number]) != _without_place(ply):
                message = f"an earlier mail has another move {number}; this one counts"
                remarks.append(Remark("W756", ply.span, message))
        moves |= mail.moves
    last = mails[-1]
    plies = [moves[number] for number in range(1, len(moves) + 1) if number in moves]
    fault = next((mail.fault for mail in mails if mail.fault), None)
    if len(plies) < len(moves):
        plies, fault = plies[: _gap(moves) - 1], fault or _missing(moves)
    last.movetext.plies = plies
    last.movetext.remarks = [remark for mail in mails for remark in mail.movetext.remarks]
    record = last._replace(span=_across(mails), fault=fault).record("mail")
    players = next((mail.players for mail in map(_mail, mails) if mail.players), (None, None))
    return replace(
        record,
        board="48" if game[0] else "37",
        player1=players[0],
        player2=players[1],
        tags=(("GameNumber", game[1]),),
        remarks=(*record.remarks, *remarks),
    )


def _without_place(ply: Ply) -> Ply:
    return ply._replace(span=Span(0, 0, 0, 0))


def _gap(moves: dict[int, Ply]) -> int:
    """Return the first number without a move."""
    return next(number for number in range(1, len(moves) + 2) if number not in moves)


def _missing(moves: dict[int, Ply]) -> SyntaxFault:
    gap = _gap(moves)
    after_gap = min(number for number in moves if number > gap)
    missing = f"move {gap} is" if after_gap == gap + 1 else f"moves {gap} to {after_gap - 1} are"
    return SyntaxFault("E254", moves[after_gap].span, f"{missing} in none of the mails")


def _across(mails: list[Piece]) -> Span:
    return mails[0].span._replace(end=mails[-1].span.end)
