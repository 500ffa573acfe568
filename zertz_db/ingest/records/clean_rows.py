"""Rows of clean games: whole columns from the arrays of their replays, and few values from their headers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from zertz_db.check.replay.notation import CAPTURE_SIGN
from zertz_db.check.verdict import finding_of
from zertz_db.ingest.plain_games.clean_records import CleanRecord, WrittenBoard
from zertz_db.ingest.records.position_rows import ReplayedGames, ReplayRows, cast_array
from zertz_db.ingest.records.reader_version import READER_VERSION
from zertz_db.ingest.records.rows import Row, Schemas, build_finding_row
from zertz_db.parser.vocabulary.terms import Ending, Verdict
from zertz_db.rules.kernel import CAPTURED, POOL, SETS
from zertz_db.rules.rule_sets import RuleSet
from zertz_db.store.partial_dates import date_range

_SITE = "boardspace.net"
_DIALECT, _ENCODING = "boardspace", "utf-8"
_COUNTS = tuple(
    (f"{holder}_{colour}", place + number)
    for holder, place in (("captured1", CAPTURED), ("captured2", CAPTURED + 3), ("pool", POOL))
    for number, colour in enumerate(("white", "grey", "black"))
)


class CleanGame(NamedTuple):
    """A clean record that represents a game; the ids of both."""

    record: CleanRecord
    game: int
    record_id: int


class GameTables(NamedTuple):
    """The rows of games, and of their positions."""

    games: pa.Table
    positions: pa.Table


def build_clean_row(record: CleanRecord, record_id: int, game: int) -> Row:
    """Return the row of a clean record, with the columns of `rows.build_record_row`."""
    place = record.content.place
    return {
        "source": place.path,
        "member": place.shown[1],
        "index": 0,
        "id": record_id,
        "line_from": record.line,
        "line_to": record.line_to,
        "dialect": _DIALECT,
        "encoding": _ENCODING,
        "bytes": record.data,
        "reader_version": READER_VERSION,
        "verdict": Verdict.VERIFIED,
        "reason": None,
        "weight": record.weight,
        "game": game,
    }


def build_clean_finding_rows(record: CleanRecord, record_id: int) -> list[Row]:
    """Return the rows of a clean record's findings."""
    return [build_finding_row(finding_of(remark), record_id) for remark in record.remarks]


def build_clean_tables(schemas: Schemas, games: Sequence[CleanGame]) -> list[GameTables]:
    """Return the rows of games that clean records represent, in a few tables."""
    by_board: dict[int, list[CleanGame]] = {}
    for game in games:
        by_board.setdefault(id(game.record.board), []).append(game)
    return [_build_tables(schemas, some[0].record.board, some) for some in by_board.values()]


def _build_tables(schemas: Schemas, board: WrittenBoard, games: list[CleanGame]) -> GameTables:
    games = sorted(games, key=lambda game: game.record.number)
    numbers = np.array([game.record.number for game in games], np.int64)
    moves, lengths, is_chosen = _choose_moves(board, numbers)
    rows = ReplayRows(_collect(board, games, numbers, moves, lengths, is_chosen))
    texts = pc.binary_join(_list_of(moves, lengths), " ")
    last = moves.take(pa.array(np.cumsum(lengths) - 1))
    columns = _build_game_columns(board, games, numbers)
    columns |= rows.courses() | rows.plies()
    columns["movetext"] = texts
    columns["plies"] = lengths
    columns["won_by"] = pc.if_else(
        pc.equal(columns["ending"], pa.scalar(str(Ending.SET))),
        pc.if_else(pc.starts_with(last, CAPTURE_SIGN), "jump", "claim"),
        None,
    )
    schema = schemas["game"]
    arrays = [_to_array(columns.get(field.name), len(games), field.type) for field in schema]
    return GameTables(pa.table(arrays, schema=schema), rows.positions(schemas["position"]))


def _choose_moves(board: WrittenBoard, numbers: Any) -> tuple[pa.Array, Any, Any]:
    """Return the plies of some games, their numbers of plies, and for each game whether it is one of them."""
    written, firsts = board.written, board.games.replays.games.firsts
    lengths = firsts[1:] - firsts[:-1]
    is_chosen = np.zeros(len(lengths), bool)
    is_chosen[numbers] = True
    moves = pa.StringArray.from_buffers(
        len(written.ends) - 1, pa.py_buffer(written.ends.astype(np.int32)), pa.py_buffer(written.moves)
    )
    if len(numbers) < len(lengths):
        moves = moves.filter(pa.array(np.repeat(is_chosen, lengths)))
    return moves, lengths[numbers], is_chosen


def _collect(
    board: WrittenBoard, games: list[CleanGame], numbers: Any, moves: pa.Array, lengths: Any, is_chosen: Any
) -> ReplayedGames:
    all_games = board.games
    firsts, rows, clocks = all_games.replays.games.firsts, all_games.replays.rows, all_games.clocks
    if len(numbers) < len(is_chosen):
        counts = firsts[1:] - firsts[:-1]
        rows, clocks = rows[np.repeat(is_chosen, counts + 1)], clocks[np.repeat(is_chosen, counts)]
    return ReplayedGames(
        np.array([game.game for game in games], np.int64),
        lengths + 1,
        rows,
        [all_games.start.board.name] * len(games),
        [all_games.start.rules] * len(games),
        board.winners[numbers],
        moves,
        pa.array(clocks, mask=clocks < 0),
        [None] * len(games),
    )


def _build_game_columns(board: WrittenBoard, games: list[CleanGame], numbers: Any) -> dict[str, Any]:
    """Return the columns of the games that don't depend on their moves; missing ones are NULL."""
    start, states = board.games.start, board.games.replays.states[numbers]
    records = [game.record for game in games]
    dates = [date_range(record.date) for record in records]
    winners = board.winners[numbers]
    return {
        "id": [game.game for game in games],
        "record": [game.record_id for game in games],
        "board": [start.board.name] * len(games),
        "rule_set": [start.rules.name] * len(games),
        "tournament": [start.rules.tournament] * len(games),
        "claims": ["automatic"] * len(games),
        "player1": [record.player1 for record in records],
        "player2": [record.player2 for record in records],
        "site": [_SITE] * len(games),
        "date": [record.date for record in records],
        "date_from": [first for first, _ in dates],
        "date_to": [last for _, last in dates],
        "time": [record.time for record in records],
        "flags": [record.flags for record in records],
        "result_claimed": [record.result if record.states_result else None for record in records],
        "result_computed": [record.result for record in records],
        "result": [record.result for record in records],
        "ending": pa.array([record.ending for record in records], pa.string()),
        "winner": winners,
        "winning_sets": _name_sets(start.rules, states[:, SETS].tolist()),
        **{name: states[:, place] for name, place in _COUNTS},
        "verdict": [Verdict.VERIFIED] * len(games),
    }


def _name_sets(rules: RuleSet, sets: list[int]) -> list[str | None]:
    names: Mapping[int, str | None] = {one: "+".join(rules.set_names(one)) or None for one in set(sets)}
    return [names[one] for one in sets]


def _list_of(values: pa.Array, lengths: Any) -> pa.ListArray:
    return pa.ListArray.from_arrays(np.concatenate(([0], np.cumsum(lengths))).astype(np.int32), values)


def _to_array(values: Any, count: int, kind: pa.DataType) -> pa.Array:
    if values is None:
        return pa.nulls(count, kind)
    return cast_array(values if isinstance(values, pa.Array) else pa.array(values), kind)
