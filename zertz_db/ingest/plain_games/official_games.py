"""Find clean games in official notation: plain records that are certainly verified and have no finding.

Conditions that would lead to a finding, or to another verdict, are left to the grammar and `zertz_db.check`: a game about which this module
is not sure is not clean, which costs time only.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from zertz_db.check.replay.start import start_of
from zertz_db.parser.gipf import scan
from zertz_db.parser.record import Record, Span
from zertz_db.rules import compiled, kernel
from zertz_db.rules.board import STANDARD_BOARDS

if TYPE_CHECKING:
    from zertz_db.check.replay.replay_arrays import Replays
    from zertz_db.rules.position import Position

_LARGE_FUNCTIONS = frozenset(
    {
        "pack_word",
        "read_ring",
        "read_count",
        "read_number",
        "is_date",
        "skip_value",
        "read_marbles",
        "read_placement",
        "read_capture",
        "read_clock",
        "take_tag",
        "scan_tags",
        "scan_plies",
        "scan_end",
        "scan_record",
        "scan_records",
    }
)
_COMMENT = re.compile(r"\{[^{}\\\n]*\}")
_MAY_SWALLOW = re.compile(r"[{}\\]")
"""Characters outside of comments on one line: a comment or a value may go on in the records that follow."""


class Plain(NamedTuple):
    """The plain records of a text, in order: int64 offsets of each and of the next text after it, and whether it is clean."""

    begins: Any
    ends: Any
    is_clean: Any


def find_official_games(text: str) -> Plain:
    """Return the plain records of a text whose readings depend on no other text. Raise CompilerMissing without numba."""
    scan_records = _scanner()
    import numpy as np

    data = _as_bytes(text)
    size = len(data)
    plies = size // scan.LEAST_PLY_BYTES + 2
    numbers, begins = np.empty(plies * scan.PLACEMENT_SIZE, np.int64), np.empty(plies, np.int64)
    claims = np.empty((size // scan.LEAST_CLAIM_BYTES + 1, 3), np.int64)
    facts = np.empty((size // scan.LEAST_RECORD_BYTES + 1, scan.FACTS_SIZE), np.int64)
    work = np.zeros(scan.WORK_SIZE, np.int64)
    count = scan_records(data, numbers, begins, claims, facts, work)
    facts, claims = facts[:count].copy(), claims[: work[scan.CLAIMS]]
    firsts = np.concatenate(([0], np.cumsum(facts[:, scan.PLIES])))
    begins = begins[: firsts[-1] + 1]
    is_clean = _are_clean(numbers[: begins[-1]], begins, firsts, claims, facts)
    records = facts[:, scan.BEGIN], facts[:, scan.END]
    return Plain(*records, is_clean & _are_separate(text, *records))


@cache
def _scanner() -> Any:
    return compiled.batch_function("scan_records", "zertz_db.parser.gipf", ("scan",), _LARGE_FUNCTIONS)


def _as_bytes(text: str) -> Any:
    """Return a byte for each character, 255 for all beyond Latin-1."""
    import numpy as np

    if text.isascii():
        return np.frombuffer(text.encode(), np.uint8)
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    # An array that can be written is another type: everything would be compiled again for it.
    return np.frombuffer(np.minimum(characters, 255).astype(np.uint8).tobytes(), np.uint8)


def _are_separate(text: str, begins: Any, ends: Any) -> Any:
    """Return for each plain record whether it certainly begins a record: after a plain one, or at the start of the text.

    After any other text it may belong to a record that begins before it. None is sure after a text with an open comment.
    """
    import numpy as np

    gaps = np.concatenate(([0], ends[:-1]))
    is_separate = begins == gaps
    if len(begins):
        is_separate[0] = not text[: begins[0]].strip("\n")
    for number in np.flatnonzero(~is_separate).tolist():
        if _MAY_SWALLOW.search(_COMMENT.sub("", text[gaps[number] : begins[number]])):
            is_separate[number:] = False
            break
    return is_separate


def _are_clean(numbers: Any, begins: Any, firsts: Any, claims: Any, facts: Any) -> Any:
    """Return for each plain record whether it is certainly verified without a finding."""
    replay_games = compiled.batch_function("replay_games")
    import numpy as np

    from zertz_db.check.replay.replay_arrays import GameArrays, replay_games_of

    games = GameArrays(numbers, begins, firsts, claims)
    is_clean = np.zeros(len(facts), bool)
    for board in STANDARD_BOARDS:
        for is_blitz in (0, 1):
            these = np.flatnonzero((facts[:, scan.BOARD] == int(board)) & (facts[:, scan.IS_BLITZ] == is_blitz))
            start = _usual_start(board, "blitz" if is_blitz else "standard") if len(these) else None
            if start is not None:
                own = games.take(these) if len(these) < len(facts) else games
                replays = replay_games_of(replay_games, start, own, full=False)
                is_clean[these] = (
                    replays.is_legal & _are_ends_sure(replays.states, facts[these]) & _are_claimed(replays, own.claims)
                )
    return is_clean


@lru_cache(maxsize=32)
def _usual_start(board: str, rule_set: str) -> Position | None:
    """Return the start of a game on a board under a rule set; None if the choice leads to a finding."""
    start = start_of(Record(dialect="gipf", span=Span(0, 0, 1, 1), board=board, rule_set=rule_set), board)
    return None if start.findings else start.position


def _are_ends_sure(states: Any, facts: Any) -> Any:
    """Return for each legal game whether moves, or a stated resignation or lack of time, give the stated result and ending."""
    endings, stated, resigned = states[:, kernel.ENDING], facts[:, scan.STATED], facts[:, scan.RESIGNED]
    by_moves = (
        (endings != kernel.ONGOING)
        & (states[:, kernel.WINNER] == facts[:, scan.WINNER])
        & ((stated == 0) | (stated == endings))
        & (resigned == 0)
    )
    by_resigning = (resigned == 3 - facts[:, scan.WINNER]) & ((stated == 0) | (stated == scan.RESIGN))
    by_statement = (resigned == 0) & ((stated == scan.RESIGN) | (stated == scan.TIME))
    return (by_moves | ((endings == kernel.ONGOING) & (by_resigning | by_statement))) & (
        states[:, kernel.LENIENCY] == 0
    )


def _are_claimed(replays: Replays, claims: Any) -> Any:
    """Return for each game whether the text claims each group that is taken, but for those of a last ply that fills the board."""
    import numpy as np

    firsts = replays.games.firsts
    count = len(firsts) - 1
    owners = np.repeat(np.arange(count), firsts[1:] - firsts[:-1])
    plies = np.arange(firsts[-1])
    is_taken = replays.rows[plies + owners + 1, kernel.CLAIMED] != 0
    is_written = np.zeros(len(plies), bool)
    is_written[claims[:, 0]] = True
    is_last = (plies + 1 == firsts[owners + 1]) & (replays.states[owners, kernel.ENDING] == kernel.BOARD_FILLED)
    is_claimed = np.ones(count, bool)
    is_claimed[owners[is_taken & ~is_written & ~is_last]] = False
    return is_claimed
