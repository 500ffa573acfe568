"""Define the content of a game's text, and no more.

A reader turns text into `Record`s. A fact that the text leaves open is None; nothing here knows the rules. `zertz_db.check` replays a
Record and returns it *completed*, with boards, jumped colours, claims, passes and result. The writers take completed records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from zertz_db.parser.vocabulary.terms import MoveKind

PLACEMENT, CAPTURE, PASS = MoveKind.PLACEMENT.value, MoveKind.CAPTURE.value, MoveKind.PASS.value
"""Kinds of plies, as plain strings: readers and replays compare them for every ply."""


class Span(NamedTuple):
    """A range of a source's text: offsets count characters from 0 (end exclusive), line and column from 1."""

    start: int
    end: int
    line: int
    column: int


class Marble(NamedTuple):
    """A marble on a ring. The colour is W, G, B, or None if the text does not state it."""

    colour: str | None
    ring: str


class Ply(NamedTuple):
    """One player's turn as written.

    placement: `colour` onto `ring`, `removed` or None (no ring named), `claim` the marbles named after ` x `.
    capture: the marble on `ring`, of `colour` if stated, makes `jumps`; each has the jumped colour (or None) and the landing ring.
    pass: nothing else is set.
    """

    kind: str
    span: Span
    ring: str = ""
    colour: str | None = None
    removed: str | None = None
    jumps: tuple[Marble, ...] = ()
    claim: tuple[Marble, ...] = ()
    mover: int | None = None
    """1 or 2 if the text names the player, None if players simply alternate."""
    taken_from: str | None = None
    """Stated origin of the marble: "pool", "own" (the mover's captures), "other" (the opponent's)."""
    clock: int | None = None
    """The mover's clock after the ply, in milliseconds (`Record.clock`: counting up or down)."""
    comment: str | None = None
    """The comments after the ply without clocks, joined by line feeds."""
    marks: tuple[str, ...] = ()
    """`!`, `?!`, `$5` and the like, as written."""
    variations: tuple[str, ...] = ()
    """The texts of variations in place of this ply, without their outer parentheses."""
    taken: str | None = None
    """The colours of the captured marbles if the text gives them without rings: `WG`."""


class Edit(NamedTuple):
    """A change to the start position, made before play.

    "add ring" and "remove ring" name `ring`. "place" puts a marble of `colour` from the pool (player None) or a player's captures on
    `ring`; "lift" returns it to the pool. "give" moves a marble of `colour` from the pool to `player`'s captures, "return" back.
    """

    action: str
    ring: str = ""
    colour: str | None = None
    player: int | None = None


class Remark(NamedTuple):
    """A reader's remark: a code of the catalogue of findings, the span, and the particulars as a sentence."""

    code: str
    span: Span
    message: str
    suggestion: str | None = None


class SyntaxFault(NamedTuple):
    """The reason why reading stops; `expected` lists in words the texts that could be there."""

    code: str
    span: Span
    message: str
    expected: tuple[str, ...] = ()
    suggestion: str | None = None


class HalfTurn(NamedTuple):
    """An unfinished turn at the end of the record: the marble without its ring, an unfinished edit."""

    text: str
    span: Span
    mover: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A game's record, as written in a text.

    Players are numbered by the order of moves: `player1` moves first. A record with a `fault` has the plies before it.
    """

    dialect: str
    span: Span
    gaps: tuple[Span, ...] = ()
    """Segments inside `span` that belong to other records: mails of two games may alternate."""
    tags: tuple[tuple[str, str], ...] = ()
    """Every tag as written, in order, including those with a field of their own."""
    board: str | None = None
    """"37" … "61" or "custom"; None if not stated."""
    coordinates: str | None = None
    """Names of rings in the plies, if not the official ones: "columns" (the official names), "diagonals", "rising" or "mirrored"
    (`ring_names.official_names`); None if not stated."""
    letters_open: bool = False
    """True if B may be white as well: the letters match several languages. The plies have the English colours."""
    language: str | None = None
    """Language of the text's colour letters (a key of `colour_letters.LANGUAGES`), if not English."""
    rule_set: str | None = None
    tournament: bool | None = None
    claims: str | None = None
    """"written" or "automatic" if a tag states it."""
    ties: bool | None = None
    """False if both players lose a game that would be a tie."""
    repetition: int | None = None
    """Number of times that the same four turns are made until they end the game; 0 if they end it only at the record's end."""
    position: str | None = None
    """The start as a position string."""
    edits: tuple[Edit, ...] = ()
    """Changes to the start position, after `board` or `position`."""
    player1: str | None = None
    player2: str | None = None
    event: str | None = None
    site: str | None = None
    date: str | None = None
    """`YYYY.MM.DD`, with `??` for an unknown part."""
    time: str | None = None
    """The time of day at which the game began or was noted, `HH:MM` or `HH:MM:SS`."""
    round: str | None = None
    clock: str | None = None
    """"up" (time used so far) or "down" (time left) if known."""
    comment: str | None = None
    """Comments before the first ply."""
    plies: Sequence[Ply] = ()
    """A tuple, or (on the fast path) plies that are built on first access."""
    half_turn: HalfTurn | None = None
    result: str | None = None
    """The result that the text states: a `GameResult`, or a string with its value."""
    result_span: Span | None = None
    ending: str | None = None
    """Stated ending: an `Ending`, or a string with its value; None if not stated."""
    ending_by: int | None = None
    """Player who resigned or whose time ran out: 1 or 2."""
    remarks: tuple[Remark, ...] = field(default=())
    fault: SyntaxFault | None = None

    @property
    def has_plain_rules(self) -> bool:
        """Return whether the rules are the standard ones, without an option for the end of the game."""
        return self.rule_set in (None, "standard") and not (self.tournament or self.ties is False or self.repetition)
