"""Check many records: compiled where there are enough of them, interpreted for the rest.

This is the one place that chooses. Compiled and interpreted replays run the same functions; a record that the first, compiled, replay
doesn't find legal under its own rule set with automatic claims goes through every reading, interpreted.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache
from typing import Any

from parser.record import Record
from zertz_db.check.attempt import Attempt, first_wrong_player
from zertz_db.check.checked import Checked
from zertz_db.check.encode import encode
from zertz_db.check.replay import check, may_be_blitz, with_inferred_board
from zertz_db.check.start import Start, start_of
from zertz_db.check.verdict import conclude
from zertz_db.rules import compiled
from zertz_db.rules.board import LARGEST_COMPILED_BOARD, STANDARD_BOARDS
from zertz_db.rules.kernel import ENDING, FINE, must_pass
from zertz_db.rules.keys import KEYS_SIZE
from zertz_db.rules.position import rules_vector
from zertz_db.rules.replay import OUTCOME_SIZE, PLAYED, REFUSAL, ROW_SIZE

ENOUGH_PLIES = 4_000
"""From so many plies on, loading the compiled rules (half a second) is worth it."""


def check_all(records: Sequence[Record], full: bool = True) -> list[Checked]:
    """The verdicts on records, in their order; `full`: with the keys of all positions and counts of legal moves."""
    enough = compiled.is_loaded() or sum(len(record.plies) for record in records) >= ENOUGH_PLIES
    clean = _compiled(records, full) if enough else {}
    return [clean.get(number) or check(record, full) for number, record in enumerate(records)]


def check_text(text: str, dialect: str | None = None) -> list[Checked]:
    """The verdicts on all records in a text; its dialect is guessed where none is named.

    >>> [found.verdict for found in check_text("1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns")]
    ['verified']
    """
    from parser import dialects

    return check_all(list(dialects.read(text, dialect)))


def _compiled(records: Sequence[Record], full: bool) -> dict[int, Checked]:
    """The verdicts on those records that are legal as they stand, by number; none where there is no compiler."""
    verdicts: dict[int, Checked] = {}
    try:
        rules = compiled.functions()
        for starts in _starts_by_board(records).values():
            verdicts.update(_compiled_on_board(rules, records, starts, full))
    except compiled.CompilerMissing as error:
        _note_once(str(error))
    except Exception as error:  # noqa: BLE001 - numba compiles and loads on the first call; whatever fails there
        _note_once(f"the compiled rules fail ({type(error).__name__}: {error})")
    return verdicts


def _starts_by_board(records: Sequence[Record]) -> dict[str, dict[int, Start]]:
    """The starts of those records, by number, that can be replayed compiled as they stand, for each board."""
    found: dict[str, dict[int, Start]] = {}
    usual: dict[tuple[str | None, ...], Start] = {}
    for number, record in enumerate(records):
        if record.fault is not None:
            continue
        board = record.board or STANDARD_BOARDS[0]  # if it is legal there, that is the one to take
        if record.position is None and not record.edits:  # nearly all start alike
            kind = (board, record.rule_set, str(record.tournament), record.claims)
            start = usual.get(kind) or usual.setdefault(kind, start_of(record, board))
        else:
            start = start_of(record, board)
        if start.position is not None and len(start.position.board.rings) <= LARGEST_COMPILED_BOARD:
            found.setdefault(start.position.board.description, {})[number] = start
    return found


@cache
def _note_once(cause: str) -> None:
    logging.getLogger(__name__).warning("%s: the rules run interpreted, some hundred times slower", cause)


def _compiled_on_board(
    rules: Any, records: Sequence[Record], wanted: dict[int, Start], full: bool
) -> dict[int, Checked]:
    import numpy as np

    starts: dict[int, Start] = {}
    codes = {}
    code: list[int] = []
    begins, games = [0], [0]
    for number, start in wanted.items():
        record = records[number]
        if start.position is None or first_wrong_player(record.plies, start.position.side) is not None:
            continue
        encoded = encode(start.position.board, record.plies)
        if encoded.unknown_ring is not None:
            continue
        starts[number], codes[number] = start, encoded
        at = len(code)
        begins += [at + begin for begin in encoded.begins[1:]]
        code += encoded.numbers
        games.append(len(begins) - 1)
    positions = [start.position for start in starts.values() if start.position]
    if not positions:
        return {}
    rows = np.zeros((games[-1] + len(starts), ROW_SIZE), np.int64)
    outcomes = np.zeros((len(starts), OUTCOME_SIZE), np.int64)
    tables = positions[0].board.tables
    rules.replay_games(
        compiled.arrays(tables),
        np.array([rules_vector(position.rules, lenient=True) for position in positions], np.int64),
        np.array([position.state for position in positions], np.int64),
        np.array(code, np.int64),
        np.array(begins, np.int64),
        np.array(games, np.int64),
        np.zeros(KEYS_SIZE, np.int64),
        rows,
        outcomes,
        int(full),
    )
    verdicts = {}
    for game, (number, start) in enumerate(starts.items()):
        played, refusal = outcomes[game, PLAYED], outcomes[game, REFUSAL]
        if refusal != FINE or start.position is None:
            continue
        record = records[number]
        own = rows[games[game] + game : games[game + 1] + game + 1]
        tried = Attempt(start.position, record.plies, codes[number], own, int(played), FINE)
        # Without an end by the rules a record may be read as blitz, or passes may follow: that is for every reading to see.
        ends = record.ending is not None or not must_pass(tables, tried.final)
        if tried.final[ENDING] or (ends and not may_be_blitz(record)):
            is_stated = record.board is not None or record.position is not None
            verdict = conclude(record, tried, start.findings)
            verdicts[number] = verdict if is_stated else with_inferred_board(verdict)
    return verdicts
