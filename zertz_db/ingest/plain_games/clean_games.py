"""Find clean games: plain records of the game server that are certainly verified and have no finding, or one on the date.

Conditions that would lead to a finding, or to another verdict, are left to the grammar and `zertz_db.check`: a game about which this module
is not sure is not clean, which costs time only.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from zertz_db.check.replay.start import start_of
from zertz_db.ingest.plain_games.batch_scan import ScannedBatch, scan_batch
from zertz_db.parser.boardspace import scan
from zertz_db.parser.boardspace.header import Date, Property, date_of, find_sure_date, player_in, read_winner
from zertz_db.parser.record import Record, Remark, Span
from zertz_db.parser.vocabulary.board_names import STANDARD_BOARDS, board_named
from zertz_db.rules import compiled, kernel
from zertz_db.rules.position import Position

if TYPE_CHECKING:
    from zertz_db.check.replay.replay_arrays import Replays

_DETECTED_LENGTH = 4_000
"""Characters in which the dialect is detected."""
Remarks: TypeAlias = tuple[Remark, ...]
_NO_WINNER, _OTHER_RESULT = -1, -2
_MAX_VALUES_BYTES = 1_000
"""Bytes of a result and both names; longer ones are not sure, so that few bytes are remembered."""
_SURE_ENDINGS = (kernel.BY_SET, kernel.BOARD_FILLED, kernel.NO_MOVE)


class Header(NamedTuple):
    """The header of a plain game.

    board: an index of STANDARD_BOARDS, -1 if it is not sure. winner: the stated winner's side, or a negative number without one.
    date: by the file's name, if that is sure.
    """

    board: int
    winner: int
    remarks: Remarks = ()
    date: Date | None = None


class BoardGames(NamedTuple):
    """The plain games of a batch on one board, replayed.

    texts: the index of each game's text, ascending, int64. is_clean: whether the game is clean. facts: the scanner's. clocks: in
    milliseconds, of all plies, -1 without one.
    """

    start: Position
    texts: Any
    is_clean: Any
    facts: Any
    clocks: Any
    replays: Replays


class PlainGames(NamedTuple):
    """The plain games of a batch. data: the texts, joined. edges: their offsets. headers: each game's, by the index of its text."""

    data: bytes
    edges: Any
    headers: dict[int, Header]
    boards: list[BoardGames]


def find_clean_games(texts: Sequence[bytes], names: Sequence[str]) -> list[Remarks | None]:
    """Return for each text the reader's remarks if it is a single clean game; names: of the files. Raise CompilerMissing without numba."""
    plain = replay_plain_games(texts, names, full=False)
    found: list[Remarks | None] = [None] * len(texts)
    for board in plain.boards:
        for text in board.texts[board.is_clean].tolist():
            found[text] = plain.headers[text].remarks
    return found


def replay_plain_games(texts: Sequence[bytes], names: Sequence[str], *, full: bool) -> PlainGames:
    """Scan texts and replay the plain games among them; names: of the files. full: the rows of positions have keys and counts of moves.

    Raise CompilerMissing without numba.
    """
    replay_games = compiled.batch_function("replay_games")
    scanned = scan_batch(texts)
    import numpy as np

    from zertz_db.check.replay.replay_arrays import GameArrays, replay_games_of

    plain = np.flatnonzero(scanned.facts[:, scan.PLIES] > 0)
    counts = scanned.facts[plain, scan.PLIES]
    games = GameArrays(scanned.numbers, scanned.begins, np.concatenate(([0], np.cumsum(counts))))
    headers = _read_headers(scanned, plain.tolist(), names)
    board_of = np.array([header.board for header in headers], np.int64)
    winners = np.array([header.winner for header in headers], np.int64)
    boards = []
    for board, name in enumerate(STANDARD_BOARDS):
        these = np.flatnonzero(board_of == board)
        if len(these):
            start, is_some = _usual_start(name), len(these) < len(plain)
            replays = replay_games_of(replay_games, start, games.take(these) if is_some else games, full)
            facts = scanned.facts[plain[these]]
            is_clean = replays.is_legal & _are_results_sure(replays.states, facts, winners[these])
            clocks = scanned.clocks[np.repeat(board_of == board, counts)] if is_some else scanned.clocks
            boards.append(BoardGames(start, plain[these], is_clean, facts, clocks, replays))
    return PlainGames(scanned.data, scanned.edges, dict(zip(plain.tolist(), headers, strict=True)), boards)


@lru_cache(maxsize=16)
def _usual_start(board: str) -> Position:
    """Return the start of a server's game on a board, under the rules that its reader states."""
    record = Record(dialect="boardspace", span=Span(0, 0, 1, 1), board=board, rule_set="standard", claims="automatic")
    start = start_of(record, board)
    if start.position is None or start.findings:
        raise ValueError(f"board {board} has no usual start")
    return start.position


def _are_results_sure(states: Any, facts: Any, winners: Any) -> Any:
    """Return for each legal game whether moves or a resignation end it, and its stated winner, if any, is the winner."""
    import numpy as np

    endings, by_moves, first = states[:, kernel.ENDING], states[:, kernel.WINNER], facts[:, scan.FIRST_SIDE]
    resigned = facts[:, scan.RESIGNED]
    is_over = np.isin(endings, _SURE_ENDINGS) & (by_moves > 0) & (resigned < 0)
    is_given_up = (endings == kernel.ONGOING) & (resigned >= 0)
    won = np.where(is_over, np.where(by_moves == 1, first, 1 - first), 1 - resigned)
    is_stated_right = (winners == _NO_WINNER) | (winners == won)
    return (is_over | is_given_up) & is_stated_right & (states[:, kernel.LENIENCY] == 0)


_UNSURE = Header(-1, _OTHER_RESULT)


def _read_headers(scanned: ScannedBatch, plain: list[int], names: Sequence[str]) -> list[Header]:
    """Return the header of each plain game."""
    edges = scanned.edges.tolist()
    return [
        _read_header(scanned.data, edges[game], edges[game + 1], facts, names[game])
        for game, facts in zip(plain, scanned.facts[plain].tolist(), strict=True)
    ]


def _read_header(data: bytes, begin: int, end: int, facts: list[int], name: str) -> Header:
    if not _is_detected(data, begin, facts) or not _is_text(data, begin, end, facts):
        return _UNSURE
    winner = _stated_winner(data, facts)
    date = find_sure_date(name)
    remarks = () if date else _doubts(data, begin, facts, name)
    if winner == _OTHER_RESULT or remarks is None:
        return _UNSURE
    return Header(_board(data[facts[scan.SU] : facts[scan.SU + 1]]), winner, remarks, date)


def _is_detected(data: bytes, begin: int, facts: list[int]) -> bool:
    """Return whether the game has the server's number of ZÈRTZ where the dialect is detected, and names its variant."""
    number, end = facts[scan.GM], facts[scan.GM + 1]
    return number >= 0 and end - begin < _DETECTED_LENGTH and facts[scan.SU] >= 0 and data[number:end] == b"22"


def _is_text(data: bytes, begin: int, end: int, facts: list[int]) -> bool:
    """Return whether the bytes are UTF-8."""
    if not facts[scan.IS_FOREIGN]:
        return True
    try:
        data[begin:end].decode()
    except UnicodeDecodeError:
        return False
    return True


def _stated_winner(data: bytes, facts: list[int]) -> int:
    """Return the side that won as the record states, _NO_WINNER if it states nothing, _OTHER_RESULT for all else."""
    begin = facts[scan.RE]
    if begin < 0:
        return _NO_WINNER
    first, second = facts[scan.ID_0], facts[scan.ID_1]
    values = (
        data[begin : facts[scan.RE + 1]],
        data[first : facts[scan.ID_0 + 1]] if first >= 0 else b"",
        data[second : facts[scan.ID_1 + 1]] if second >= 0 else b"",
    )
    return _winner(*values) if sum(map(len, values)) <= _MAX_VALUES_BYTES else _OTHER_RESULT


@lru_cache(maxsize=4096)
def _winner(result: bytes, first: bytes, second: bytes) -> int:
    if not (text := result.decode()).strip():
        return _NO_WINNER
    names = {side: name for side, value in (("0", first), ("1", second)) if (name := player_in(value.decode()))}
    winner = read_winner(text, names).winner
    return int(winner) if winner in ("0", "1") else _OTHER_RESULT


def _doubts(data: bytes, begin: int, facts: list[int], name: str) -> Remarks | None:
    """Return the remark on a doubtful date, or none; None if its place is not sure."""
    stated = [
        Property(key, data[facts[column] : facts[column + 1]].decode(), 0, 0)
        for key, column in (("DT", scan.DT), ("GN", scan.GN))
        if facts[column] >= 0
    ]
    date = date_of(name, stated)
    if not date.doubt:
        return ()
    start = facts[scan.DT] - len(b"DT[")
    if facts[scan.DT] < 0 or facts[scan.IS_FOREIGN] or data[start : start + 3] != b"DT[":
        return None
    line = data.count(b"\n", begin, start)
    column = start - (data.rindex(b"\n", begin, start) + 1 if line else begin)
    return (Remark(date.code, Span(start - begin, facts[scan.DT + 1] + 1 - begin, line + 1, column + 1), date.doubt),)


@lru_cache(maxsize=1024)
def _board(variant: bytes) -> int:
    """Return the index of a variant's board, or -1 for other games and boards."""
    name = variant.decode().strip()
    board = board_named(name) if name.casefold().startswith("zertz") else None
    return STANDARD_BOARDS.index(board) if board in STANDARD_BOARDS else -1
