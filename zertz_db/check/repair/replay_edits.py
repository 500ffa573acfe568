"""Replay many edits of a record, each from the position before it, to find how far the edited record is legal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain, takewhile
from typing import Any, NamedTuple, TypeAlias

from parser.record import Ply
from zertz_db.check.repair.edits import Edit
from zertz_db.check.repair.missing_plies import MissingPlacement
from zertz_db.check.replay.attempt import Attempt
from zertz_db.check.replay.encode_plies import encoded
from zertz_db.rules import compiled, kernel
from zertz_db.rules.board import LARGEST_COMPILED_BOARD, Board, for_each_board
from zertz_db.rules.kernel import ENDING, FINE, PLACE, RACK_UNSAID, STATE_SIZE, WINNER
from zertz_db.rules.position import Position
from zertz_db.rules.position_keys import KEYS_SIZE
from zertz_db.rules.replay import OUTCOME_SIZE, PLAYED, ROW_SIZE
from zertz_db.rules.start import rules_vector

_FIRST = 4
"""Number of plies replayed first after an edit. Most edits fail by then; only the others are replayed to the end."""

_BATCH = 2_000
"""Number of edits replayed at once; more would only cost memory."""

_MAX_CACHED = 50_000
"""Number of encoded plies cached for a board. Games have only some ten thousand, but hostile records can invent any number."""


class Reach(NamedTuple):
    """Number of legal plies of the edited record, its number of plies, and whether they end the game and who wins (`kernel`)."""

    legal: int
    plies: int
    ending: int
    winner: int


class Reaches(NamedTuple):
    """Reaches of many edits: for each the number of legal plies, ending, winner, and number of plies."""

    ends: list[_End]
    plies: list[int]

    def of(self, number: int) -> Reach:
        """Return the reach of one of the edits."""
        legal, ending, winner = self.ends[number]
        return Reach(legal, self.plies[number], ending, winner)

    def left(self) -> list[int]:
        """Return the number of illegal plies of each edited record."""
        return [plies - end[0] for end, plies in zip(self.ends, self.plies, strict=True)]


_End: TypeAlias = tuple[int, int, int]
_Code: TypeAlias = tuple[int, ...]
"""A ply in the kernel's form."""

_Place: TypeAlias = tuple[int, int, int, tuple[_Code, ...]]
"""Start of an edit, the range of plies of the record after it, and its own plies in the kernel's form.

The range ends before a ply that names a ring which the board never had."""


class Replays:
    """Replays of a record's edits: compiled if the compiled rules are loaded (loading takes longer), else interpreted."""

    def __init__(self, tried: Attempt) -> None:
        self._tried = tried
        self._known = _known(tried.start.board)
        codes = list(map(self._code, tried.plies))
        self._codes = [code or () for code in codes]
        self._ends = [len(codes)]
        for number in range(len(codes) - 1, -1, -1):
            self._ends.append(number if codes[number] is None else self._ends[-1])
        self._ends.reverse()

    def of_edits(self, edits: Sequence[Edit]) -> Reaches:
        """Return the reaches of edits."""
        places = [self._place(edit) for edit in edits]
        plies = [len(self._codes) - (edit.until - edit.at) + len(edit.plies) for edit in edits]
        return self._reaches(places, plies)

    def of_placements(self, placements: Sequence[MissingPlacement]) -> Reaches:
        """Return the reaches of inserted placements."""
        places = [
            (at, at, self._ends[at], ((PLACE, colour, ring, removed, RACK_UNSAID, 0, 0, 0, 0),))
            for at, colour, ring, removed in placements
        ]
        return self._reaches(places, [len(self._codes) + 1] * len(places))

    def _code(self, ply: Ply) -> _Code | None:
        """Return a ply in the kernel's form, or None if it names a ring that the board never had."""
        key = (ply.kind, ply.ring, ply.colour, ply.removed, ply.jumps, ply.claim, ply.taken_from)
        if key in self._known:
            return self._known[key]
        code = encoded(self._tried.start.board.index, (ply,))
        numbers = None if code.unknown_ring else tuple(code.numbers)
        if len(self._known) < _MAX_CACHED:
            self._known[key] = numbers
        return numbers

    def _place(self, edit: Edit) -> _Place:
        codes = tuple(map(self._code, edit.plies))
        known = tuple(code for code in takewhile(bool, codes) if code)
        until = self._ends[edit.until] if len(known) == len(codes) else edit.until
        return edit.at, edit.until, until, known

    def _reaches(self, places: Sequence[_Place], plies: list[int]) -> Reaches:
        large = len(self._tried.start.board.rings) > LARGEST_COMPILED_BOARD
        replay = self._compiled if compiled.is_loaded() and not large else self._interpreted
        parts = [replay(places[begin : begin + _BATCH]) for begin in range(0, len(places), _BATCH)]
        return Reaches([end for part in parts for end in part], plies)

    def _interpreted(self, places: Sequence[_Place]) -> list[_End]:
        tables, rules = self._tried.start.board.tables, rules_vector(self._tried.start.rules, lenient=True)
        ends = []
        for at, begin, until, codes in places:
            state = self._tried.rows[at][:STATE_SIZE]
            end = at, state[ENDING], state[WINNER]
            for legal, code in enumerate(chain(codes, self._codes[begin:until]), at + 1):
                if kernel.play(tables, rules, state, code, 0, len(code)) != FINE:
                    break
                end = legal, state[ENDING], state[WINNER]
            ends.append(end)
        return ends

    def _compiled(self, places: Sequence[_Place]) -> list[_End]:
        import numpy as np

        numbers = [(at, begin, until, len(codes)) for at, begin, until, codes in places]
        at, begins, untils, counts = np.array(numbers, np.int64).T.copy()
        store = [*self._codes, *(code for *_, codes in places for code in codes)]
        games = _Games(self._tried.start, store, self._states[at])
        going = games.play(np.arange(len(places)), len(self._codes) + np.cumsum(counts) - counts, counts)
        for most in (_FIRST, len(self._codes)):
            counts = np.minimum(untils - begins, most)
            going = games.play(going, begins[going], counts[going])
            begins += counts
        columns = (at + games.played, games.states[:, ENDING], games.states[:, WINNER])
        return list(zip(*(column.tolist() for column in columns), strict=True))

    @cached_property
    def _states(self) -> Any:
        """Return the states before each ply."""
        import numpy as np

        return np.asarray(self._tried.table, np.int64)[:, :STATE_SIZE]


@for_each_board
def _known(board: Board) -> dict[tuple[Any, ...], _Code | None]:  # noqa: ARG001 - a store for each board
    """Return the cache of encoded plies."""
    return {}


class _Games:
    """Many games that are played on together, segment by segment, each from its own state, with one store of encoded plies."""

    def __init__(self, start: Position, codes: Sequence[_Code], states: Any) -> None:
        import numpy as np

        self.states = states
        """The last legal state of each game."""
        self.played = np.zeros(len(states), np.int64)
        """Number of legal plies of each game."""
        self._tables = _tables(start.board)
        self._rules = np.array(rules_vector(start.rules, lenient=True), np.int64)
        self._numbers = np.fromiter(chain.from_iterable(codes), np.int64)
        self._sizes = np.fromiter(map(len, codes), np.int64)
        self._begins = np.cumsum(self._sizes) - self._sizes

    def play(self, games: Any, first: Any, counts: Any) -> Any:
        """Play on some games, each by a number of plies of the store from its first on; return the games in which all were legal."""
        import numpy as np

        plies = _ranges(first, counts)
        sizes = self._sizes[plies]
        firsts = np.append(0, np.cumsum(counts))
        rows = np.empty((len(plies) + len(games), ROW_SIZE), np.int64)
        outcomes = np.zeros((len(games), OUTCOME_SIZE), np.int64)
        compiled.functions().replay_games(
            self._tables,
            np.tile(self._rules, (len(games), 1)),
            self.states[games],
            self._numbers[_ranges(self._begins[plies], sizes)],
            np.append(0, np.cumsum(sizes)),
            firsts,
            np.zeros(KEYS_SIZE, np.int64),
            rows,
            outcomes,
            0,
        )
        played = outcomes[:, PLAYED]
        self.states[games] = rows[np.arange(len(games)) + firsts[:-1] + played, :STATE_SIZE]
        self.played[games] += played
        return games[played == counts]


def _ranges(first: Any, counts: Any) -> Any:
    """Return consecutive numbers from each first one, with the given count for each, one range after the other."""
    import numpy as np

    return np.arange(counts.sum()) + np.repeat(first - np.cumsum(counts) + counts, counts)


@for_each_board
def _tables(board: Board) -> Any:
    return compiled.arrays(board.tables)
