"""Define findings about records as data, and the catalogue of all their codes.

Families: 1xx bytes and containers, 2xx syntax, 3xx the rules of the game, 4xx results and endings, 5xx tags and other facts about the game,
6xx duplicates, 7xx leniencies in reading and judging. E is an error, W a warning, N a note. The meaning of a code never changes; retired
codes are not used again.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from zertz_db.parser import faults
from zertz_db.parser.dialects import DIALECTS
from zertz_db.parser.record import Span
from zertz_db.parser.vocabulary.terms import SEVERITY_OF, Severity
from zertz_db.rules import kernel


class Kind(NamedTuple):
    """A code of the catalogue: its meaning, and the section of the rules for it."""

    code: str
    title: str
    rule: str | None = None

    @property
    def severity(self) -> Severity:
        """Return the severity: E is an error, W a warning, N a note."""
        return SEVERITY_OF[self.code[0]]


class Finding(NamedTuple):
    """A diagnosed issue of a record, and its place: `ply` counts the record's plies from 1."""

    code: str
    message: str
    span: Span | None = None
    ply: int | None = None
    rule: str | None = None
    suggestion: str | None = None

    @property
    def severity(self) -> Severity:
        """Return error, warning or note."""
        return SEVERITY_OF[self.code[0]]

    def as_json(self) -> dict[str, Any]:
        """Return the finding for machines: code, severity, message, line, column, ply, rule, suggestion."""
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "line": self.span.line if self.span else None,
            "column": self.span.column if self.span else None,
            "ply": self.ply,
            "rule": self.rule,
            "suggestion": self.suggestion,
        }


REFUSAL_KINDS = {
    kernel.GAME_OVER: Kind("E301", "a move after the end of the game", "5"),
    kernel.MUST_CAPTURE: Kind("E302", "a placement where a capture is compulsory", "3.1"),
    kernel.PLACE_ON_NO_RING: Kind("E303", "a marble placed where there is no ring", "3.2"),
    kernel.PLACE_ON_MARBLE: Kind("E304", "a marble placed on another", "3.2"),
    kernel.NOT_IN_POOL: Kind("E305", "the pool has no such marble", "3.2"),
    kernel.NOT_IN_CAPTURES: Kind("E306", "the pool is empty and the player has captured no such marble", "3.2"),
    kernel.POOL_NOT_EMPTY: Kind("E307", "a captured marble placed though the pool is not empty", "3.2"),
    kernel.POOL_EMPTY: Kind("E308", "a marble taken from an empty pool", "3.2"),
    kernel.OTHERS_MARBLE: Kind("E309", "a marble taken from the opponent's captures", "3.2"),
    kernel.RING_DUE: Kind("E310", "no ring removed though one is free", "3.3"),
    kernel.REMOVED_NO_RING: Kind("E311", "the removed ring is not on the board", "3.3"),
    kernel.REMOVED_OCCUPIED: Kind("E312", "the removed ring holds a marble", "3.3"),
    kernel.REMOVED_NOT_FREE: Kind("E313", "the removed ring is not free", "3.3"),
    kernel.NO_RING_IS_FREE: Kind("E314", "a ring removed though none is free", "3.3"),
    kernel.JUMP_BY_NOTHING: Kind("E315", "a capture from a ring without a marble", "3.4"),
    kernel.JUMP_CROOKED: Kind("E316", "a jump that is not straight over one ring", "3.4"),
    kernel.JUMP_OVER_NOTHING: Kind("E317", "a jump over no marble", "3.4"),
    kernel.LANDING_NO_RING: Kind("E318", "a jump to a place without a ring", "3.4"),
    kernel.LANDING_OCCUPIED: Kind("E319", "a jump onto a marble", "3.4"),
    kernel.JUMPED_COLOUR: Kind("E320", "the jumped marble has another colour", "3.4"),
    kernel.CHAIN_UNFINISHED: Kind("E321", "a chain of jumps that stops too soon", "3.4"),
    kernel.CLAIM_NO_MARBLE: Kind("E322", "a claim of a ring without a marble", "4"),
    kernel.CLAIM_COLOUR: Kind("E323", "the claimed marble has another colour", "4"),
    kernel.CLAIM_NOT_FULL: Kind("E324", "a claim of a group that is not cut off and full", "4"),
    kernel.CLAIM_PARTIAL: Kind("E325", "a claim of a part of a group", "4"),
    kernel.CLAIM_OLD_GROUP: Kind("E326", "a claim of a group that had been declined", "4"),
    kernel.CLAIM_INCOMPLETE: Kind("E327", "a claim that leaves out a full group", "4"),
    kernel.PASS_WITH_MOVES: Kind("E328", "a pass though there is a move", "3.5"),
    kernel.NO_JUMP: Kind("E329", "a capture without a jump", "3.4"),
}
"""The catalogue's entry for each refusal of the kernel."""

EMPTY = Kind("E101", "an empty file")
NO_TEXT = Kind("E102", "a binary file")
UNKNOWN_NOTATION = Kind("E103", "no known notation")
DAMAGED = Kind("E104", "an archive or file that can't be read")
TOO_LARGE = Kind("E105", "an archive or member that unpacks beyond the limits")
LINK = Kind("E106", "a link or device in an archive")
ENCRYPTED = Kind("E107", "an encrypted member of an archive")
UNSUPPORTED = Kind("E110", "an archive in an unsupported format")
BYTES_NOT_HAD = frozenset(kind.code for kind in (DAMAGED, TOO_LARGE, LINK, ENCRYPTED, UNSUPPORTED))
"""Codes whose stored bytes are an archive's content, not those of a record."""
OUR_FAULT = Kind(faults.CODE, "an error in zertz itself")

WIDE = Kind("N111", "read as UTF-16")
CODE_PAGE = Kind("N112", "not UTF-8: read in the code page that its letters match")
LOST_BYTES = Kind("N113", "letters lost their high byte; it is restored")
OLD_LINE_ENDS = Kind("N114", "lines end with a carriage return alone")
ODD_NAME = Kind("N121", "an unsafe or repeated name of an archive's member")

WRONG_PLAYER = Kind("E330", "a turn by the wrong player", "3")
UNKNOWN_RING = Kind("E331", "a ring that the board never had", "1")
BAD_START = Kind("E332", "an invalid start position", "1a")
UNKNOWN_BOARD = Kind("E333", "a board that does not exist", "1")
UNKNOWN_RULE_SET = Kind("E334", "a rule set that does not exist", "2")
SET_HELD = Kind("E335", "a winning set is held before the game begins", "1a")

RESULT_CONTRADICTED = Kind("W401", "the stated result contradicts the moves", "7")
HALF_TURN_DROPPED = Kind(
    "W702", "the record ends inside a turn by resignation or time: the half turn is not played", "5"
)
RING_KEPT = Kind("W703", "the last turn removed no ring, but won by filling a group", "3.3")
CHAIN_STOPPED = Kind("W704", "the last chain stopped with a winning set, though it could go on", "3.4")
READ_AS_BLITZ = Kind("W705", "read as blitz: only blitz ends the record with a winning set", "2")
READ_AS_STANDARD = Kind("W707", "read as standard: only standard makes the record legal", "2")
READ_AS_WRITTEN = Kind("W706", "read with written claims: unclaimed groups are declined", "4")
BLITZ_BOARD = Kind("W507", "blitz on a board other than 37", "2")
TOURNAMENT_BOARD = Kind("W508", "tournament rules on fewer than 48 rings", "2")
SUPPLY = Kind("W509", "pool, board and captures are not the rule set's supply", "1a")
HALF_TURN = Kind("W410", "the record ends inside a turn", "5")
PASS_INSERTED = Kind("W711", "a pass is left out", "3.5")
UNEXPLAINED_RESULT = Kind("W412", "neither the moves nor the record explain the result", "7")
START_CONTRADICTED = Kind("W514", "the start position and the tags name different boards or rule sets", "1a")
ENDING_CONTRADICTED = Kind("W415", "the stated ending contradicts the moves", "7")
NOBODY_NAMED = Kind("W416", "a resignation or a loss on time without the player", "5")
UNFINISHED = Kind("N420", "the record has no end", "5")
REPEATED = Kind("N421", "four turns were repeated, and the game went on", "5")
CLAIM_UNWRITTEN = Kind("N422", "a full group is taken without a claim in the record", "4")
RULES_UNSTATED = Kind("N505", "the rule set is not stated", "2")
BOARD_INFERRED = Kind("N503", "the board is not stated: the record is legal on the chosen one", "1")
BOARD_OPEN = Kind("W572", "the board is not stated, and the record matches several", "1")
OTHER_NAMES = Kind("N504", "rings have other names than in the official notation", "1")
LETTERS_INFERRED = Kind(
    "N506", "the colour letters are ambiguous: the record is legal only with Italian or French ones", "1"
)
OTHER_COLOURS = Kind("W537", "a ply names wrong colours of the marbles that it moves or captures", "3")

RULES_OF_READERS = {
    "E350": "3.2", "E351": "3.3", "E352": "3.4", "E353": "3.1", "E354": "3", "E355": "3", "E356": "3.3", "E357": "3",
    "E358": "5", "E359": "1", "E360": "3.4", "E361": "3.4", "W427": "7", "W435": "7", "W443": "7",
}  # fmt: skip
"""Sections of the rules for the readers' findings that are not about notation."""

_OWN = (
    OUR_FAULT, EMPTY, NO_TEXT, UNKNOWN_NOTATION, DAMAGED, TOO_LARGE, LINK, ENCRYPTED, UNSUPPORTED, WIDE, CODE_PAGE,
    LOST_BYTES, OLD_LINE_ENDS, ODD_NAME, *REFUSAL_KINDS.values(), WRONG_PLAYER, UNKNOWN_RING, BAD_START,
    UNKNOWN_BOARD, UNKNOWN_RULE_SET, SET_HELD, RESULT_CONTRADICTED, HALF_TURN_DROPPED, RING_KEPT, CHAIN_STOPPED, READ_AS_BLITZ,
    READ_AS_STANDARD, READ_AS_WRITTEN, BLITZ_BOARD, TOURNAMENT_BOARD, SUPPLY, HALF_TURN, PASS_INSERTED, UNEXPLAINED_RESULT,
    START_CONTRADICTED, ENDING_CONTRADICTED, NOBODY_NAMED, UNFINISHED, REPEATED, CLAIM_UNWRITTEN, RULES_UNSTATED, BOARD_INFERRED,
    BOARD_OPEN,
    OTHER_NAMES, LETTERS_INFERRED, OTHER_COLOURS,
)  # fmt: skip


@cache
def catalogue() -> dict[str, Kind]:
    """Return every code, including the readers' own."""
    readers = [
        Kind(code, title, RULES_OF_READERS.get(code)) for dialect in DIALECTS for code, title in dialect.codes().items()
    ]
    return {kind.code: kind for kind in (*readers, *_OWN)}


def make_finding(
    kind: Kind, message: str, span: Span | None = None, ply: int | None = None, suggestion: str | None = None
) -> Finding:
    """Return a finding of this kind."""
    return Finding(kind.code, message, span, ply, kind.rule, suggestion)
