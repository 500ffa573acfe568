"""Check many records: compiled if there are enough of them, and interpreted for the rest.

Only this module chooses. Compiled and interpreted replays run the same functions. The first, compiled replay uses a record's own rule set
with automatic claims. A record that it does not find legal goes through every reading, interpreted.

`replay_many` is imported when a batch is replayed: it needs numpy, which takes 90 ms to import and which few records don't need.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from zertz_db.check.check_record import check, may_be_blitz
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.inference import has_usual_names, states_board
from zertz_db.check.replay.attempt import Attempt, first_wrong_player
from zertz_db.check.replay.start import Start, start_of
from zertz_db.check.verdict import conclude, failed
from zertz_db.parser import dialects, faults
from zertz_db.parser.record import Record
from zertz_db.rules import compiled
from zertz_db.rules.board import LARGEST_COMPILED_BOARD, STANDARD_BOARDS
from zertz_db.rules.kernel import ENDING, must_pass
from zertz_db.rules.position import Position

_ReplayGames = Callable[..., Any]

_SLOWER = "the rules run interpreted, some hundred times slower"

ENOUGH_PLIES = 4_000
"""Number of plies from which loading the compiled rules saves time. If they are not stored yet, that takes ten seconds."""


def check_all(records: Sequence[Record], full: bool = True) -> list[CheckedRecord]:
    """Return the verdicts on records, in order; `full`: with the keys of all positions and counts of legal moves."""
    enough = compiled.is_loaded() or sum(len(record.plies) for record in records) >= ENOUGH_PLIES
    clean = _compiled(records, full) if enough else {}
    return [clean.get(number) or check(record, full) for number, record in enumerate(records)]


def check_text(text: str, dialect: str | None = None) -> list[CheckedRecord]:
    """Return the verdicts on all records in a text; its dialect is detected unless named.

    >>> [found.verdict for found in check_text("1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns")]
    ['verified']
    """
    return faults.each(check_all, list(dialects.read(text, dialect)), _failed)


def _failed(record: Record, error: Exception) -> CheckedRecord:
    faults.log(error, f"a record in {record.dialect}, line {record.span.line}")
    return failed(record, error)


def _compiled(records: Sequence[Record], full: bool) -> dict[int, CheckedRecord]:
    """Return the verdicts on the records that are legal in their first reading, by number; none without a compiler."""
    try:
        replay_games = compiled.batch_function("replay_games")
        try:
            found = _compiled_together(replay_games, records, full)
        except Exception:
            if not _are_sound(replay_games):
                raise
            found = faults.each(partial(_compiled_together, replay_games, full=full), records, _left_to_interpreted)
    except compiled.CompilerMissing as error:
        _remember_failure(f"{error}: {_SLOWER}")
        return {}
    except Exception as error:  # noqa: BLE001 - numba compiles and loads on the first call; whatever fails there
        _remember_failure(f"the compiled rules fail ({type(error).__name__}: {error}): {_SLOWER}")
        return {}
    return {number: verdict for number, verdict in enumerate(found) if verdict}


def _compiled_together(replay_games: _ReplayGames, records: Sequence[Record], full: bool) -> list[CheckedRecord | None]:
    """Return the verdicts on the records that are legal in their first reading, None for the others."""
    verdicts: dict[int, CheckedRecord] = {}
    for starts in _starts_by_board(records).values():
        verdicts.update(_compiled_on_board(replay_games, records, starts, full))
    return [verdicts.get(number) for number in range(len(records))]


def _are_sound(replay_games: _ReplayGames) -> bool:
    """Return whether the compiled rules replay a game without plies. If they do, a failure is about a record."""
    from zertz_db.check.replay.replay_many import Game, replay_batch

    try:
        replay_batch(replay_games, [Game(0, Position.start(STANDARD_BOARDS[0]), ())], full=False)
    except Exception:  # noqa: BLE001 - whatever is wrong with numba
        return False
    return True


def _left_to_interpreted(record: Record, error: Exception) -> None:
    # If that fails as well, the record is rejected, and the traceback is logged then.
    cause = f"the compiled rules fail on one record ({type(error).__name__}: {error})"
    _remember_failure(f"{cause}: it is replayed interpreted; please report it with the {record.dialect} record")


def _starts_by_board(records: Sequence[Record]) -> dict[str, dict[int, Start]]:
    """Return the starts of the records that can be replayed compiled in their first reading, by number, for each board."""
    found: dict[str, dict[int, Start]] = {}
    usual: dict[tuple[object, ...], Start] = {}
    for number, record in enumerate(records):
        if record.fault is not None or not has_usual_names(record) or not states_board(record):
            continue
        board = record.board or ""
        if record.position is None and not record.edits:  # nearly all have the same start
            kind = (
                board,
                record.dialect,
                record.rule_set,
                record.tournament,
                record.claims,
                record.ties,
                record.repetition,
            )
            start = usual.get(kind) or usual.setdefault(kind, start_of(record, board))
        else:
            start = start_of(record, board)
        if start.position is not None and len(start.position.board.rings) <= LARGEST_COMPILED_BOARD:
            found.setdefault(start.position.board.description, {})[number] = start
    return found


@cache
def _remember_failure(cause: str) -> None:
    logging.getLogger(__name__).warning("%s", cause)


def _compiled_on_board(
    replay_games: _ReplayGames, records: Sequence[Record], starts_by_number: dict[int, Start], full: bool
) -> dict[int, CheckedRecord]:
    from zertz_db.check.replay.replay_many import Game, replay_batch

    games = [
        Game(number, start.position, records[number].plies)
        for number, start in starts_by_number.items()
        if start.position and first_wrong_player(records[number].plies, start.position.side) is None
    ]
    verdicts = {}
    for number, tried in replay_batch(replay_games, games, full).items():
        record, findings = records[number], starts_by_number[number].findings
        if _leaves_no_choice(record, tried):
            verdicts[number] = conclude(record, tried, findings)
    return verdicts


def _leaves_no_choice(record: Record, tried: Attempt) -> bool:
    """Return whether the game ended by the rules. If not, it may be blitz, or passes may follow: every reading must be tried."""
    if tried.final[ENDING]:
        return True
    passes_may_follow = record.ending is None and must_pass(tried.start.board.tables, tried.final)
    return not passes_may_follow and not may_be_blitz(record)
