"""The opening tree: what followed a position, and with what success."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.trees import required_value
from zertz_db.queries.openings import tree_sql as lookup
from zertz_db.queries.openings.continuations import COLUMNS, ORDERS, WAYS, Continuation, grouped
from zertz_db.queries.openings.line import PlayedLine, play_line, start_of
from zertz_db.queries.openings.names import first_move, is_untouched, opening_name
from zertz_db.queries.openings.tree_sql import SoughtPosition, Step
from zertz_db.queries.result import Result
from zertz_db.rules.canonical import decoder, move_code
from zertz_db.rules.errors import IllegalMove
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database

BOARD = "37"
RULES = "standard"


@dataclass(frozen=True, slots=True)
class Openings:
    """A position and what followed it.

    moves: those that led here, in official notation, from the start that was asked for. name: the opening's, by its first
    move; None where there is none. games: how many reached the position in whatever way; wins, ties, losses: how many of these
    the side to move won, nobody won, it lost; by_line: how many came by these moves, each the same up to the symmetries of the
    position before it (None where no moves were given). choices: how many different continuations there are. continuations,
    ways: as their columns say. absence: where no game reached the position,
    a sentence on that and on what there is instead; else None.
    """

    position: Position
    moves: tuple[str, ...]
    name: str | None
    games: int
    wins: int
    ties: int
    losses: int
    by_line: int | None
    choices: int
    continuations: Result
    ways: Result
    absence: str | None

    def as_json(self) -> dict[str, Any]:
        """The same for JSON: each continuation with its ways to end."""
        ways: dict[str | None, list[dict[str, Any]]] = defaultdict(list)
        for row in self.ways.dicts():
            ways[row.pop("move")].append(row)
        return {
            "position": self.position.text,
            "moves": list(self.moves),
            **{name: getattr(self, name) for name in ("name", "games", "by_line", "choices", "absence")},
            "continuations": [
                {**row, "samples": row["samples"].split(), "ways": ways[row["move"]]}
                for row in self.continuations.dicts()
            ],
        }


def find_openings(
    database: Database,
    moves: Sequence[str] | str = (),
    *,
    position: Position | str | None = None,
    board: str | None = None,
    rules: str | None = None,
    filters: str = "",
    order: str = "games",
    limit: int | None = None,
    board_only: bool = False,
) -> Openings:
    """What followed a position, in the games that pass the filters.

    The position is reached by `moves` (a text, or one by one, in official notation) from `position`, or else from the empty
    board (that of the filters, or 37). Games count that reached it or an image of it under the board's symmetries, by whatever
    moves, with the same player to move, the same pool and captures, and the same rule set (its options don't matter); with
    `board_only`, all that reached the same rings and marbles. order: most games first (`games`), best score first (`result`;
    of too few games last) or last played first (`date`). limit: at most so many continuations; a last row has the games that
    ended here.

    QueryError for a move that is not legal, and for a position, board, rule set, order or filter that can't be.
    """
    if order not in ORDERS:
        raise QueryError(f"continuations can't be ordered by {order!r}; they can by {', '.join(ORDERS)}")
    if limit is not None and limit < 0:
        raise QueryError(f"{limit} continuations can't be listed")
    board, rules = board or required_value(filters, "board"), rules or required_value(filters, "rules")
    start = start_of(position, board or BOARD, rules or RULES)
    line = play_line(start, moves)
    wanted = SoughtPosition(line[-1].after if line else start, filters, board_only)
    return _answer(database, start, line, wanted, order, limit)


def _answer(
    database: Database, start: Position, line: list[PlayedLine], wanted: SoughtPosition, order: str, limit: int | None
) -> Openings:
    connection = database.connection()
    ended, continuations = grouped(lookup.sums(connection, wanted), order)
    everything = (*continuations, *ended)
    games = sum(group.games for group in everything)
    steps = [Step(step.before, move_code(step.before, step.move)) for step in line]
    came = lookup.by_line(connection, wanted, steps) if steps and games else {}
    shown = [*continuations[:limit], *ended]
    moves = _moves(wanted.position, shown)
    return Openings(
        position=wanted.position,
        moves=tuple(step.notation for step in line),
        name=_name(start, line),
        games=games,
        wins=sum(group.wins for group in everything),
        ties=sum(group.ties for group in everything),
        losses=sum(group.losses for group in everything),
        by_line=sum(came.values()) if steps else None,
        choices=len(continuations),
        continuations=Result(
            COLUMNS,
            [
                group.row(*move, came.get(group.code, 0) if steps else None)
                for group, move in zip(shown, moves, strict=True)
            ],
        ),
        ways=Result(WAYS, [way for group, (move, _) in zip(shown, moves, strict=True) for way in group.ways(move)]),
        absence=None if games else _absence(database, wanted),
    )


def _moves(position: Position, groups: Sequence[Continuation]) -> list[tuple[str | None, str | None]]:
    """Each continuation as the asker would play it, in official notation; and in words, if it is a game's first."""
    move_of, is_first = decoder(position), is_untouched(position)
    found: list[tuple[str | None, str | None]] = []
    for group in groups:
        if group.code is None:
            found.append((None, None))
            continue
        move = move_of(group.code)
        try:
            text = position.notation(move)
        except IllegalMove:  # played with another pool, or by another rule set
            text = str(move)
        found.append((text, opening_name(position, move) if is_first else None))
    return found


def _name(start: Position, line: Sequence[PlayedLine]) -> str | None:
    if is_untouched(start):
        return opening_name(start, line[0].move) if line else None
    move = first_move(start)
    return opening_name(Position.start(start.board, start.rules), move) if move else None


def _absence(database: Database, wanted: SoughtPosition) -> str:
    """That there is no game, and what there is instead."""
    connection = database.connection()
    filtered = not lookup.has_implied_filters(wanted)
    said = ["no game that passes the filters reached this position" if filtered else "no game reached this position"]
    others = lookup.count(connection, wanted._replace(filters="")) if filtered else 0
    if others:
        said.append(f"without the filters, {others:,} did")
    alike = 0 if wanted.board_only else lookup.count(connection, wanted._replace(board_only=True))
    if alike:
        said.append(f"{alike:,} had the same rings and marbles with another player to move or other marbles in hand")
    rejected = connection.execute("SELECT count(DISTINCT id) FROM _record WHERE status = 'rejected'").fetchall()[0][0]
    if rejected:
        said.append(f"{rejected:,} records that imports rejected are in no count")
    return "; ".join(said)
