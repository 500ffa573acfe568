"""Replay many games at once with the compiled rules: their plies as one array, their positions as another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, cast

import numpy as np

from zertz_db.check.replay.attempt import Attempt
from zertz_db.check.replay.encode_plies import encode, translation
from zertz_db.check.replay.repetition import STANDSTILL
from zertz_db.parser.packed_plies import FIRST_RING, NUMBER_SIZE, PackedPlies
from zertz_db.parser.record import Ply
from zertz_db.rules import compiled
from zertz_db.rules.board import Board, for_each_board
from zertz_db.rules.kernel import FINE, PLACE
from zertz_db.rules.position import Position
from zertz_db.rules.position_keys import KEYS_SIZE
from zertz_db.rules.replay import OUTCOME_SIZE, PLAYED, REFUSAL, ROW_SIZE
from zertz_db.rules.start import rules_vector


class Game(NamedTuple):
    """A game to replay: its number, its start, and its plies, of alternating players."""

    number: int
    start: Position
    plies: Sequence[Ply]


class _Code(NamedTuple):
    """The consecutive plies of games in the kernel's form.

    Ply p is numbers[begins[p]:begins[p+1]]; game g's are firsts[g] to firsts[g+1]-1.
    """

    games: list[Game]
    numbers: Any
    begins: Any
    firsts: Any


def replay_batch(replay_games: Callable[..., Any], games: Sequence[Game], full: bool) -> dict[int, Attempt]:
    """Return the replays of the legal games, by their numbers. All are played on one board, by `replay.replay_games`, compiled."""
    code = _encoded(games)
    if not code.games:
        return {}
    starts = _Starts(game.start for game in code.games)
    rows = np.zeros((code.firsts[-1] + len(code.games), ROW_SIZE), np.int64)
    outcomes = np.zeros((len(code.games), OUTCOME_SIZE), np.int64)
    replay_games(
        compiled.board_arrays(games[0].start.board),
        starts.rules,
        starts.states,
        code.numbers,
        code.begins,
        code.firsts,
        np.zeros(KEYS_SIZE, np.int64),
        rows,
        outcomes,
        int(full),
    )
    last = np.arange(len(code.games)) + code.firsts[:-1] + outcomes[:, PLAYED]
    still = standing_still(code.numbers, code.begins, code.firsts)
    edges = (np.arange(len(code.games) + 1) + code.firsts).tolist()
    return {
        game.number: Attempt(
            game.start, game.plies, rows[begin:end], played, FINE, may_repeat=at in still, _final=final
        )
        for at, game, begin, end, played, refusal, final in zip(
            range(len(code.games)),
            code.games,
            edges,
            edges[1:],
            outcomes[:, PLAYED].tolist(),
            outcomes[:, REFUSAL].tolist(),
            rows[last].tolist(),
            strict=False,
        )
        if refusal == FINE
    }


def standing_still(numbers: Any, all_begins: Any, firsts: Any) -> set[int]:
    """Return the indices of games in which turns may repeat: those that remove no ring for long, including the end of the game before.

    Ply p is numbers[all_begins[p]:all_begins[p+1]]; game g has the plies firsts[g] to firsts[g+1]-1.
    """
    begins = all_begins[:-1]
    plies = np.arange(len(begins))
    removes = (numbers[begins] == PLACE) & (numbers.take(begins + 3, mode="clip") >= 0)
    since = plies - np.maximum.accumulate(np.where(removes, plies, -1))
    return set((np.searchsorted(firsts, plies[since >= STANDSTILL], "right") - 1).tolist())


def _encoded(games: Sequence[Game]) -> _Code:
    """Return the plies of the games, without games that name a ring which the board never had."""
    packed = [game for game in games if isinstance(game.plies, PackedPlies)]
    others = [(game, encode(game.start.board, game.plies)) for game in games if not isinstance(game.plies, PackedPlies)]
    others = [(game, code) for game, code in others if code.unknown_ring is None]
    codes = [code for game in packed for code in cast(PackedPlies, game.plies).codes]
    sizes = [len(code) // NUMBER_SIZE for code in codes]
    sizes += [end - begin for _, code in others for begin, end in pairwise(code.begins)]
    begins = np.cumsum([0, *sizes], dtype=np.int64)
    firsts = np.cumsum([0, *(len(game.plies) for game in packed), *(len(code) for _, code in others)], dtype=np.int64)
    numbers, unknown = _translated(packed, codes, begins, firsts)
    if unknown:
        return _encoded([game for game in games if game.number not in unknown])
    numbers = np.concatenate([numbers, *(np.array(code.numbers, np.int64) for _, code in others)])
    return _Code(packed + [game for game, _ in others], numbers, begins, firsts)


def _translated(games: list[Game], codes: list[bytes], begins: Any, firsts: Any) -> tuple[Any, set[int]]:
    """Return packed plies in the kernel's form, in one operation, and the numbers of games that name a ring which the board never had."""
    if not games:
        return np.empty(0, np.int64), set()
    table = _translation(games[0].start.board)
    numbers, unknown = ring_numbers(games[0].start.board, np.frombuffer(b"".join(codes), np.int64))
    claims = [
        (begins[firsts[game] + ply] + 5, colour, table[ring])
        for game, (_, _, plies) in enumerate(games)
        for ply, claim in cast(PackedPlies, plies).claims.items()
        for colour, ring in claim
    ]
    misses = [at for at, _, ring in claims if ring == _UNKNOWN] + unknown.tolist()
    if misses:
        ends = begins[firsts[1 : len(games) + 1]]
        return numbers, {games[game].number for game in np.searchsorted(ends, misses, "right")}
    for at, colour, ring in claims:
        numbers[at] = 1
        numbers[at + 1 + colour] |= 1 << ring
    return numbers, set()


_UNKNOWN = FIRST_RING


def ring_numbers(board: Board, packed: Any) -> tuple[Any, Any]:
    """Return the numbers of packed plies in the kernel's form, and the indices of rings that the board never had."""
    numbers = _translation(board)[packed]
    return numbers, np.flatnonzero(numbers == _UNKNOWN)


@for_each_board
def _translation(board: Board) -> Any:
    """Return the meaning of each number of a packed ply on a board, as in `encode_plies`; _UNKNOWN for rings that it never had."""
    return np.array([_UNKNOWN if number is None else number for number in translation(board)], np.int64)


class _Starts:
    """The states and rule sets from which games start; nearly all have the same start."""

    def __init__(self, starts: Iterable[Position]) -> None:
        kinds: dict[int, int] = {}
        positions: list[Position] = []
        which = []
        for start in starts:
            if id(start) not in kinds:
                kinds[id(start)] = len(positions)
                positions.append(start)
            which.append(kinds[id(start)])
        self.states = np.array([position.state for position in positions], np.int64)[which]
        self.rules = np.array([rules_vector(position.rules, lenient=True) for position in positions], np.int64)[which]
