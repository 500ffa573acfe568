"""Rows of clean games: whole columns from the arrays of their replays, and few values from their headers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from zertz_db.check.replay.notation import CAPTURE_SIGN
from zertz_db.check.verdict import finding_of
from zertz_db.ingest.plain_games.clean_records import CleanRecord, Tags, WrittenBoard
from zertz_db.ingest.records.position_rows import ReplayedGames, ReplayRows, to_array
from zertz_db.ingest.records.reader_version import READER_VERSION
from zertz_db.ingest.records.rows import TAGS_WITH_COLUMNS, Row, Schemas, build_finding_row, list_tags
from zertz_db.parser.vocabulary.terms import Ending, Verdict
from zertz_db.rules.kernel import CAPTURED, POOL, SETS
from zertz_db.rules.position import Position
from zertz_db.rules.replay import ROW_SIZE
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


def build_clean_tags(tags: Tags) -> Tags:
    """Return the tags without columns of their own; nearly always all."""
    return list_tags(zip(*tags, strict=True)) if _are_some_columns(tags.names) else tags


@lru_cache(maxsize=1024)
def _are_some_columns(names: tuple[str, ...]) -> bool:
    return not TAGS_WITH_COLUMNS.isdisjoint(names)


def build_clean_finding_rows(record: CleanRecord, record_id: int) -> list[Row]:
    """Return the rows of a clean record's findings."""
    return [build_finding_row(finding_of(remark), record_id) for remark in record.remarks]


def build_clean_tables(schemas: Schemas, games: Sequence[CleanGame]) -> GameTables:
    """Return the rows of games that clean records represent."""
    columns, replayed = collect_clean(games)
    rows = ReplayRows(replayed)
    columns |= rows.courses() | rows.plies()
    arrays = [
        pa.nulls(len(games), field.type) if values is None else to_array(values, field.type)
        for field in schemas["game"]
        for values in [columns.get(field.name)]
    ]
    return GameTables(pa.table(arrays, schema=schemas["game"]), rows.positions(schemas["position"]))


def collect_clean(games: Sequence[CleanGame]) -> tuple[dict[str, Any], ReplayedGames]:
    """Return columns of games, board by board, without the sums of their course, and their replays. Missing columns are NULL."""
    by_board: dict[int, list[CleanGame]] = {}
    for game in games:
        by_board.setdefault(id(game.record.board), []).append(game)
    chosen = [_choose(some) for some in by_board.values()]
    replayed = _join(chosen)
    lengths = replayed.lengths - 1
    last = replayed.moves.take(pa.array(np.cumsum(lengths) - 1))
    columns = _build_game_columns(chosen, replayed)
    columns["movetext"] = pc.binary_join(_list_of(replayed.moves, lengths), " ")
    columns["plies"] = lengths
    columns["won_by"] = pc.if_else(
        pc.equal(columns["ending"], pa.scalar(str(Ending.SET))),
        pc.if_else(pc.starts_with(last, CAPTURE_SIGN), "jump", "claim"),
        None,
    )
    return columns, replayed


class _Chosen(NamedTuple):
    """Some games of a board: their numbers of plies, and their indices in its arrays of games, of plies and of positions."""

    board: WrittenBoard
    games: list[CleanGame]
    lengths: Any
    numbers: Any
    plies: Any
    positions: Any

    @property
    def start(self) -> Position:
        """Return the start of the games."""
        return self.board.games.start

    def list_moves(self) -> pa.Array:
        """Return the plies in notation."""
        written = self.board.written
        ends = pa.py_buffer(written.ends.astype(np.int32))
        moves = pa.StringArray.from_buffers(len(written.ends) - 1, ends, pa.py_buffer(written.moves))
        return moves if len(self.plies) == len(moves) else moves.take(pa.array(self.plies))


def _choose(games: list[CleanGame]) -> _Chosen:
    """Return games of one board in the order of their numbers."""
    games = sorted(games, key=lambda game: game.record.number)
    board = games[0].record.board
    numbers = np.array([game.record.number for game in games], np.int64)
    firsts = board.games.replays.games.firsts
    lengths = (firsts[1:] - firsts[:-1])[numbers]
    plies = _list_indices(firsts[numbers], lengths)
    positions = _list_indices(firsts[numbers] + numbers, lengths + 1)
    return _Chosen(board, games, lengths, numbers, plies, positions)


def _list_indices(firsts: Any, counts: Any) -> Any:
    """Return consecutive integers from each first one, this number of them."""
    return np.repeat(firsts - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())


def _join(chosen: Sequence[_Chosen]) -> ReplayedGames:
    clocks = np.concatenate([one.board.games.clocks[one.plies] for one in chosen])
    return ReplayedGames(
        np.array([game.game for one in chosen for game in one.games], np.int64),
        np.concatenate([one.lengths + 1 for one in chosen]),
        _join_rows(chosen),
        [one.start.board.name for one in chosen for _ in one.games],
        [one.start.rules for one in chosen for _ in one.games],
        np.concatenate([one.board.winners[one.numbers] for one in chosen]),
        pa.concat_arrays([one.list_moves() for one in chosen]),
        pa.array(clocks, mask=clocks < 0),
        [None for one in chosen for _ in one.games],
    )


def _join_rows(chosen: Sequence[_Chosen]) -> Any:
    """Return the rows of all positions. Each row is copied once: they are most of a batch."""
    ends = np.cumsum([len(one.positions) for one in chosen])
    rows = np.empty((ends[-1], ROW_SIZE), np.int64)
    for one, here in zip(chosen, np.split(rows, ends[:-1]), strict=True):
        np.take(one.board.games.replays.rows, one.positions, axis=0, out=here, mode="clip")  # "raise" copies twice
    return rows


def _build_game_columns(chosen: Sequence[_Chosen], replayed: ReplayedGames) -> dict[str, Any]:
    """Return the columns of the games that don't depend on their moves; missing ones are NULL."""
    states = [one.board.games.replays.states[one.numbers] for one in chosen]
    sets = [_name_sets(one.start.rules, own[:, SETS].tolist()) for one, own in zip(chosen, states, strict=True)]
    counts = np.concatenate(states)
    records = [game.record for one in chosen for game in one.games]
    dates = [date_range(record.date) for record in records]
    return {
        "id": replayed.ids,
        "record": [game.record_id for one in chosen for game in one.games],
        "board": replayed.boards,
        "rule_set": [rules.name for rules in replayed.rules],
        "tournament": [rules.tournament for rules in replayed.rules],
        "claims": ["automatic"] * len(records),
        "player1": [record.player1 for record in records],
        "player2": [record.player2 for record in records],
        "site": [_SITE] * len(records),
        "date": [record.date for record in records],
        "date_from": [first for first, _ in dates],
        "date_to": [last for _, last in dates],
        "time": [record.time for record in records],
        "flags": [record.flags for record in records],
        "result_claimed": [record.result if record.states_result else None for record in records],
        "result_computed": [record.result for record in records],
        "result": [record.result for record in records],
        "ending": pa.array([record.ending for record in records], pa.string()),
        "winner": replayed.winners,
        "winning_sets": [*chain.from_iterable(sets)],
        **{name: counts[:, place] for name, place in _COUNTS},
        "verdict": [Verdict.VERIFIED] * len(records),
    }


def _name_sets(rules: RuleSet, sets: list[int]) -> list[str | None]:
    names = {one: "+".join(rules.set_names(one)) or None for one in set(sets)}
    return [names[one] for one in sets]


def _list_of(values: pa.Array, lengths: Any) -> pa.ListArray:
    return pa.ListArray.from_arrays(np.concatenate(([0], np.cumsum(lengths))).astype(np.int32), values)
