"""How far a record is legal once it is edited: replays of many edits, each from the position before it."""

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
"""So many plies behind an edit are replayed first: most edits fail by then, and only with the others it goes on to the end."""

_BATCH = 2_000
"""So many edits are replayed at once; more would only cost memory."""

_MAX_CACHED = 50_000
"""So many plies of a board stay encoded: there are only some ten thousand that games have, but hostile records can make up any number."""


class Reach(NamedTuple):
    """How many plies of the edited record are legal, of how many, and whether these end the game and who wins it (`kernel`)."""

    legal: int
    plies: int
    ending: int
    winner: int


class Reaches(NamedTuple):
    """The reaches of many edits: of each how many plies are legal, ending and winner, and how many there are."""

    ends: list[_End]
    plies: list[int]

    def of(self, number: int) -> Reach:
        """Return the reach of one of the edits."""
        legal, ending, winner = self.ends[number]
        return Reach(legal, self.plies[number], ending, winner)

    def left(self) -> list[int]:
        """Return the number of plies of each edited record are not legal."""
        return [plies - end[0] for end, plies in zip(self.ends, self.plies, strict=True)]


_End: TypeAlias = tuple[int, int, int]
_Code: TypeAlias = tuple[int, ...]
"""A ply as the kernel plays it."""

_Place: TypeAlias = tuple[int, int, int, tuple[_Code, ...]]
"""Where an edit starts, from and up to which ply of the record it goes on behind it, and its own plies, as the kernel plays them.

They stop in front of one that names a ring which the board never had.
"""


class Replays:
    """Replays of a record's edits: compiled if the compiled rules are at hand (to load them takes longer), else interpreted."""

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
        """Return the reaches of placements put in."""
        places = [
            (at, at, self._ends[at], ((PLACE, colour, ring, removed, RACK_UNSAID, 0, 0, 0, 0),))
            for at, colour, ring, removed in placements
        ]
        return self._reaches(places, [len(self._codes) + 1] * len(places))

    def _code(self, ply: Ply) -> _Code | None:
        """Return a ply as the kernel plays it; None if it names a ring that the board never had."""
        said = (ply.kind, ply.ring, ply.colour, ply.removed, ply.jumps, ply.claim, ply.taken_from)
        if said in self._known:
            return self._known[said]
        code = encoded(self._tried.start.board.index, (ply,))
        numbers = None if code.unknown_ring else tuple(code.numbers)
        if len(self._known) < _MAX_CACHED:
            self._known[said] = numbers
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
    """Plies that were encoded before."""
    return {}


class _Games:
    """Many games that are played on together, stretch by stretch, each from its own state; all draw on one store of encoded plies."""

    def __init__(self, start: Position, codes: Sequence[_Code], states: Any) -> None:
        import numpy as np

        self.states = states
        """The last legal state of each game."""
        self.played = np.zeros(len(states), np.int64)
        """How many plies of each game were legal."""
        self._tables = _tables(start.board)
        self._rules = np.array(rules_vector(start.rules, lenient=True), np.int64)
        self._numbers = np.fromiter(chain.from_iterable(codes), np.int64)
        self._sizes = np.fromiter(map(len, codes), np.int64)
        self._begins = np.cumsum(self._sizes) - self._sizes

    def play(self, games: Any, first: Any, counts: Any) -> Any:
        """Play on some games, each by so many plies of the store from its first on; gives those games in which all were legal."""
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
    """Return the numbers from each first one on, so many of each, one range behind the other."""
    import numpy as np

    return np.arange(counts.sum()) + np.repeat(first - np.cumsum(counts) + counts, counts)


@for_each_board
def _tables(board: Board) -> Any:
    return compiled.arrays(board.tables)
