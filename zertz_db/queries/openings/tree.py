"""The opening tree: the continuations of a position, and their results."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.errors import suggestion
from zertz_db.queries.filters.trees import required_value
from zertz_db.queries.memory.kept_games import KeptGames, keep_games
from zertz_db.queries.openings import tree_sql as lookup
from zertz_db.queries.openings.continuations import COLUMNS, DETAIL_ORDERS, ENDINGS, ORDERS, Continuation, grouped
from zertz_db.queries.openings.few_games import Reached, count_by_line, detail_games, read_few_games, sum_games
from zertz_db.queries.openings.line import PlayedLine, play_line, start_of
from zertz_db.queries.openings.names import first_move, is_untouched, opening_name
from zertz_db.queries.openings.tree_sql import Details, SoughtPosition, Step
from zertz_db.queries.replay_moves import moves as split_movetext
from zertz_db.queries.result import Result
from zertz_db.queries.sql_params import require_row_count
from zertz_db.rules.canonical import decoder, move_code
from zertz_db.rules.errors import IllegalMove
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database

BOARD = "37"
RULES = "standard"


@dataclass(frozen=True, slots=True)
class Openings:
    """Position with its continuations.

    moves: the moves from the given start, in official notation. name: of the opening, by its first move (None: no name). games: the
    number of games that reached the position by any moves. wins, ties, losses: of these, for the side to move. by_line: the number of
    games that played these moves, up to the symmetries of each position (None: no moves given). choices: the number of different
    continuations. continuations, endings: tables; see their columns. absence: a message if no game reached the position, else None.
    few: the games, if they are few.
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
    endings: Result
    absence: str | None
    few: list[Reached] | None = None

    @property
    def ways(self) -> Result:
        """Return `endings` under its old name, with the old column `way` for `ending`."""
        columns = tuple(
            column._replace(name="way") if column.name == "ending" else column for column in self.endings.columns
        )
        return Result(columns, self.endings.rows)

    def as_json(self) -> dict[str, Any]:
        """Return an object for JSON: each continuation with its endings, also under their old name `ways`."""
        tables: dict[str, dict[str | None, list[dict[str, Any]]]] = {}
        for name in ("endings", "ways"):
            tables[name] = defaultdict(list)
            for row in getattr(self, name).dicts():
                tables[name][row.pop("move")].append(row)
        return {
            "position": self.position.text,
            "moves": list(self.moves),
            **{name: getattr(self, name) for name in ("name", "games", "by_line", "choices", "absence")},
            "continuations": [
                {**row, "samples": row["samples"].split(), **{name: rows[row["move"]] for name, rows in tables.items()}}
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
    offset: int = 0,
    board_only: bool = False,
    details: bool = True,
) -> Openings:
    """Return the continuations of a position in the games that pass the filters.

    The position is the one after `moves` (a text, or a sequence, in official notation) from `position`; default: the empty board of
    the filters, or 37. A game counts if it reached the position or its image under a symmetry of the board, by any moves, with the
    same side to move, pool, captures and rule set (without options); with `board_only`, only rings and marbles must be equal. order:
    most games first (`games`), best score first (`result`; too few games last), last played first (`date`), highest mean rating or
    performance first (`rating`, `performance`), or earliest first game first (`first`). limit: maximum number of continuations, after
    the first `offset`; an extra last row has the games that ended here. details: add ratings and the first game of each continuation,
    which takes 0.8 µs for each game that reached the position.

    QueryError for an illegal move, and for an invalid position, board, rule set, order or filter.
    """
    orders = (*ORDERS, *DETAIL_ORDERS)
    if order not in orders:
        raise QueryError(
            f"continuations can't be sorted by {order!r}; valid: {', '.join(orders)}{suggestion(order, orders)}"
        )
    if order in DETAIL_ORDERS and not details:
        raise QueryError(f"an order by {order} needs details")
    for count in (limit or 0, offset):
        require_row_count(count, "continuations")
    board, rules = board or required_value(filters, "board"), rules or required_value(filters, "rules")
    start = start_of(position, board or BOARD, rules or RULES)
    line = play_line(start, moves)
    wanted = SoughtPosition(line[-1].after if line else start, filters, board_only)
    listed = slice(offset, None if limit is None else offset + limit)
    return _answer(database, start, line, wanted, order, listed, details=details)


def _answer(
    database: Database,
    start: Position,
    line: list[PlayedLine],
    wanted: SoughtPosition,
    order: str,
    listed: slice,
    *,
    details: bool,
) -> Openings:
    connection = database.connection()
    kept = keep_games(database)
    few = read_few_games(connection, wanted, kept)
    sums = lookup.sums(connection, wanted) if few is None else sum_games(few)
    ended, continuations = grouped(sums, "games" if order in DETAIL_ORDERS else order)
    everything = (*continuations, *ended)
    games = sum(group.games for group in everything)
    came = _count_by_line(connection, wanted, line, few, kept) if line and games else {}
    described = _find_details(connection, wanted, few) if games and details else {}
    if order in DETAIL_ORDERS:
        continuations.sort(key=lambda group: DETAIL_ORDERS[order](described[group.code]))
    shown = [*continuations[listed], *ended]
    moves = _moves(wanted.position, shown)
    return Openings(
        position=wanted.position,
        moves=tuple(step.notation for step in line),
        name=_name(start, line),
        games=games,
        wins=sum(group.wins for group in everything),
        ties=sum(group.ties for group in everything),
        losses=sum(group.losses for group in everything),
        by_line=sum(came.values()) if line else None,
        choices=len(continuations),
        continuations=Result(
            COLUMNS,
            [
                group.row(*move, came.get(group.code, 0) if line else None, described.get(group.code))
                for group, move in zip(shown, moves, strict=True)
            ],
        ),
        endings=Result(
            ENDINGS, [row for group, (move, _) in zip(shown, moves, strict=True) for row in group.endings(move)]
        ),
        absence=None if games else _absence(database, wanted),
        few=few,
    )


def _count_by_line(
    connection: duckdb.DuckDBPyConnection,
    wanted: SoughtPosition,
    line: Sequence[PlayedLine],
    few: list[Reached] | None,
    kept: KeptGames | None,
) -> dict[int | None, int]:
    """Count the games that reached the position by a line, for each continuation."""
    same = _find_same_moves(kept, line, few) if kept and few else []
    others = None if few is None else [game for game in few if game not in same]
    if others == []:
        return Counter(game.next_move for game in same)
    steps = [Step(step.before, move_code(step.before, step.move)) for step in line]
    if others is None:
        return lookup.by_line(connection, wanted, steps)
    return Counter(game.next_move for game in same) + count_by_line(connection, others, steps)


def _find_same_moves(kept: KeptGames, line: Sequence[PlayedLine], games: Sequence[Reached]) -> list[Reached]:
    """Return those games that began with the very moves of a line: no position needs to be compared."""
    start = line[0].before
    if not is_untouched(start):
        return []
    played = [step.notation for step in line]
    rows = kept.rows([game.game for game in games], ("board", "start", "movetext"))
    return [
        game
        for game, (board, begin, movetext) in zip(games, rows, strict=True)
        if (board, begin, game.ply) == (start.board.name, None, len(line))
        and split_movetext(movetext)[: len(line)] == played
    ]


def _find_details(
    connection: duckdb.DuckDBPyConnection, wanted: SoughtPosition, few: list[Reached] | None
) -> dict[int | None, Details]:
    return lookup.details(connection, wanted) if few is None else detail_games(few)


def _moves(position: Position, groups: Sequence[Continuation]) -> list[tuple[str | None, str | None]]:
    """Return each continuation in official notation for this position, and its name if it is a first move."""
    move_of, is_first = decoder(position), is_untouched(position)
    found: list[tuple[str | None, str | None]] = []
    for group in groups:
        if group.code is None:
            found.append((None, None))
            continue
        move = move_of(group.code)
        try:
            text = position.notation(move)
        except IllegalMove:  # played with another pool or rule set
            text = str(move)
        found.append((text, opening_name(position, move) if is_first else None))
    return found


def _name(start: Position, line: Sequence[PlayedLine]) -> str | None:
    if is_untouched(start):
        return opening_name(start, line[0].move) if line else None
    move = first_move(start)
    return opening_name(Position.start(start.board, start.rules), move) if move else None


def _absence(database: Database, wanted: SoughtPosition) -> str:
    """Return a message that no game reached the position, and the number of near matches."""
    connection = database.connection()
    filtered = not lookup.has_implied_filters(wanted)
    parts = ["no game that passes the filters reached this position" if filtered else "no game reached this position"]
    others = lookup.count(connection, wanted._replace(filters="")) if filtered else 0
    if others:
        parts.append(f"without the filters, {others:,} did")
    alike = 0 if wanted.board_only else lookup.count(connection, wanted._replace(board_only=True))
    if alike:
        parts.append(f"{alike:,} had the same rings and marbles with another player to move or other marbles in hand")
    rejected = connection.execute("SELECT count(DISTINCT id) FROM _record WHERE status = 'rejected'").fetchall()[0][0]
    if rejected:
        parts.append(f"{rejected:,} records that imports rejected are in no count")
    return "; ".join(parts)
