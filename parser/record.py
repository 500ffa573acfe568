"""What a text says of a game, and no more.

A reader turns text into `Record`s; every fact that the text leaves open is None, and nothing here knows the rules. `zertz_db.check`
replays a Record and hands it back *completed*: boards, jumped colours, claims, passes and result filled in. The writers take
completed records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

PLACEMENT, CAPTURE, PASS = "placement", "capture", "pass"

RESULTS = ("1-0", "0-1", "1/2-1/2", "0-0", "*")
"""Player 1 wins, player 2 wins, a tie, both lose, no result."""


class Span(NamedTuple):
    """A stretch of a source's text: offsets count characters from 0 (end exclusive), line and column from 1."""

    start: int
    end: int
    line: int
    column: int


class Marble(NamedTuple):
    """A marble on a ring; the colour is W, G, B, or None where the text does not say it."""

    colour: str | None
    ring: str


class Ply(NamedTuple):
    """One player's turn as written.

    placement: `colour` onto `ring`, `removed` or None (no ring named), `claim` the marbles named after ` x `.
    capture: the marble on `ring`, of `colour` if that is said, makes `jumps`; each has the jumped colour (or None) and the ring it
    lands on.
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
    """1 or 2 where the text names the player, None where players simply alternate."""
    taken_from: str | None = None
    """Where the text says that the marble came from: "pool", "own" (the mover's captures), "other" (the opponent's)."""
    clock: int | None = None
    """The mover's clock after the ply, in milliseconds (`Record.clock` says whether it counts up or down)."""
    comment: str | None = None
    """The comments behind the ply, clocks taken out; several are joined by a line feed."""
    marks: tuple[str, ...] = ()
    """`!`, `?!`, `$5` and the like, as written."""
    variations: tuple[str, ...] = ()
    """The texts of variations in place of this ply, without their outer parentheses."""
    taken: str | None = None
    """The colours of the marbles that the ply captures, where the text gives them without rings: `WG`."""


class Edit(NamedTuple):
    """A change to the start position, made before play.

    "add ring" and "remove ring" name `ring`; "place" puts a marble of `colour` from the pool (player None) or a player's captures
    on `ring`; "lift" puts it back to the pool; "give" moves a marble of `colour` from the pool to `player`'s captures, "return" back.
    """

    action: str
    ring: str = ""
    colour: str | None = None
    player: int | None = None


class Remark(NamedTuple):
    """Something that a reader noticed: a code of the catalogue of findings, where, and the particulars as a sentence."""

    code: str
    span: Span
    message: str
    suggestion: str | None = None


class SyntaxFault(NamedTuple):
    """Why the text can't be read on: `expected` says in words what could have stood there."""

    code: str
    span: Span
    message: str
    expected: tuple[str, ...] = ()
    suggestion: str | None = None


class HalfTurn(NamedTuple):
    """A turn that the record leaves off in the middle: the marble without its ring, an unfinished edit."""

    text: str
    span: Span
    mover: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A game's record as found in a text.

    Players are numbered by who moves first: `player1` does. A record with a `fault` holds the plies before it.
    """

    dialect: str
    span: Span
    gaps: tuple[Span, ...] = ()
    """Stretches inside `span` that belong to other records: mails of two games may come in turns."""
    tags: tuple[tuple[str, str], ...] = ()
    """Every tag as written, in order, those with a field of their own included."""
    board: str | None = None
    """"37" … "61" or "custom"; None where the text does not say."""
    coordinates: str | None = None
    """How the plies name rings, where not as the official notation does: "columns" (as it does), "diagonals",
    "rising" or "mirrored" (`boards.official_names`); None where the text does not say."""
    letters_open: bool = False
    """Whether B may be white as well: the text has letters that fit several languages. The plies have the English colours."""
    language: str | None = None
    """Whose colour letters the text has (a key of `letters.LANGUAGES`), where these are not English."""
    rule_set: str | None = None
    tournament: bool | None = None
    claims: str | None = None
    """"written" or "automatic" where a tag says so."""
    ties: bool | None = None
    """False where both players are said to lose a game that would be tied."""
    repetition: int | None = None
    """How often the same four turns are said to be made until they end the game; 0 if they do only where the record ends."""
    position: str | None = None
    """The start as a position string."""
    edits: tuple[Edit, ...] = ()
    """Changes to the start position, after `board` or `position`."""
    player1: str | None = None
    player2: str | None = None
    event: str | None = None
    site: str | None = None
    date: str | None = None
    """`YYYY.MM.DD`, with `??` for what is not known."""
    time: str | None = None
    """The time of day at which the game began or was noted, `HH:MM` or `HH:MM:SS`."""
    round: str | None = None
    clock: str | None = None
    """"up" (time used so far) or "down" (time left) where clocks are known to count so."""
    comment: str | None = None
    """Comments before the first ply."""
    plies: Sequence[Ply] = ()
    """A tuple, or (as quick readers give them) plies that are made when they are looked at."""
    half_turn: HalfTurn | None = None
    result: str | None = None
    """The result that the text claims (one of RESULTS)."""
    result_span: Span | None = None
    ending: str | None = None
    """How the text says it ended, beyond the moves: resign, time, agreed, repetition, abandoned, …; None where it does not say."""
    ending_by: int | None = None
    """Who resigned, or whose time ran out: 1 or 2."""
    remarks: tuple[Remark, ...] = field(default=())
    fault: SyntaxFault | None = None

    @property
    def has_plain_rules(self) -> bool:
        """Whether the rules are the standard ones, without an option for the end of the game."""
        return self.rule_set in (None, "standard") and not (self.tournament or self.ties is False or self.repetition)
