"""Made-up games of every kind that statistics tell apart, as values to compute with and as a database."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle
from pathlib import Path

from tests.queries.sample import played, record
from zertz_db.ingest.import_paths import import_paths
from zertz_db.rules.position import Position

ENDS = {
    "resigned by 1": ("Player1 resigns 0-1", "resign", 2),
    "resigned by 2": ("Player2 resigns 1-0", "resign", 1),
    "tie": ("1/2-1/2", "agreed", 0),
    "both lost": ("0-0", "both-lose", 0),
    "unfinished": ("*", None, None),
}
"""Ends other than by the rules: their text, the ending and the winner."""


@dataclass(frozen=True, kw_only=True)
class Made:
    """A game; `broken_off` is one of ENDS or empty. clocks: of each ply, in whole seconds or None, counting in this direction."""

    moves: tuple[str, ...]
    board: str = "37"
    rules: str = "standard"
    first: str | None = "Ada"
    second: str | None = "Ben"
    date: str = "2010.05.01"
    event: str | None = None
    round: str | None = None
    flags: str | None = None
    broken_off: str = ""
    clocks: tuple[int | None, ...] = ()
    direction: str | None = None
    control: str | None = None

    @cached_property
    def positions(self) -> list[Position]:
        """All positions from the start to the end."""
        positions = [Position.start(self.board, self.rules)]
        for move in self.moves:
            positions.append(positions[-1].play(move))
        return positions

    @property
    def end(self) -> Position:
        """The final position."""
        return self.positions[-1]

    @property
    def plies(self) -> int:
        """How many plies it has."""
        return len(self.moves)

    @property
    def ending(self) -> str | None:
        """How it ended."""
        return ENDS[self.broken_off][1] if self.broken_off else self.end.ending

    @property
    def winner(self) -> int | None:
        """Who won."""
        return ENDS[self.broken_off][2] if self.broken_off else self.end.winner

    @property
    def text(self) -> str:
        """Its record."""
        tags = {
            "Event": self.event,
            "Round": self.round,
            "Player1": self.first,
            "Player2": self.second,
            "Board": self.board,
            "RuleSet": self.rules,
        }
        tags |= {"Flags": self.flags, "Clock": self.direction, "TC": self.control}
        tags |= {"Termination": {"tie": "agreed", "both lost": "both lose"}.get(self.broken_off)}
        known = {name: value for name, value in tags.items() if value is not None}
        return record("?", "?", "?", self.date, self._movetext, **known)

    @property
    def _movetext(self) -> str:
        clocks = [*self.clocks, *[None] * self.plies][: self.plies]
        turns = (move + _comment(clock) for move, clock in zip(self.moves, clocks, strict=True))
        return " ".join([*turns, ENDS[self.broken_off][0] if self.broken_off else ""])


def _comment(clock: int | None) -> str:
    return "" if clock is None else f" {{[%clk {clock // 3600}:{clock // 60 % 60:02}:{clock % 60:02}]}}"


def games() -> Iterator[Made]:
    """Sixty games: three boards, both rule sets, every pair of kinds of players, six years, all kinds of ends."""
    settings = cycle([("37", "standard"), ("37", "blitz"), ("48", "standard"), ("37", "standard"), ("61", "standard")])
    pairs = cycle(
        [
            ("Ada", "Ben"),
            ("Ben", "ada"),
            ("Ada", "Cybot"),
            ("guest", "Ada"),
            ("Cybot", "Dobot"),
            (None, "Ben"),
            ("Ben", "guest"),
        ]
    )
    dates = cycle(["2010.05.01", "2011.??.??", "2012.12.31", "2013.02.??", "????.??.??", "2014.01.01"])
    ends = cycle(["", "", "", "resigned by 1", "", "", "tie", "", "unfinished", "", "resigned by 2"])
    for number, (board, rules), (first, second), date, end in zip(
        range(60), settings, pairs, dates, ends, strict=False
    ):
        moves = played(Position.start(board, rules), number)
        kept = moves[: number % 9 if number % 2 else 12] if end else moves
        yield Made(moves=tuple(kept), board=board, rules=rules, first=first, second=second, date=date, broken_off=end)


def build(folder: Path, made: list[Made]) -> Path:
    """A database of these games."""
    records = folder / "made.txt"
    records.write_text("".join(one.text for one in made), "utf-8")
    balance = import_paths([records], folder / "made.zertz")
    assert balance.stored == len(made), balance
    return folder / "made.zertz"
