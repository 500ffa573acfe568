"""Find duplicate games in tiers, with evidence.

bytes: records of both games have equal bytes. game: same players, compatible dates, same moves. moves: same moves, but other players
or another time. contained: one game begins with all moves of the other. Moves are the same if all positions are equal up to the
board's symmetries, so turned and mirrored games match too.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import duckdb

from zertz_db.queries.filters.compile import condition
from zertz_db.queries.result import Column, Result
from zertz_db.queries.sql_params import execute
from zertz_db.store.annotations import game_merges
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import from_text, to_text
from zertz_db.store.names import fold_name

TIERS = ("bytes", "game", "moves", "contained")
SHORTEST = 8
"""Minimum number of plies: shorter games are often equal by chance."""

DUPLICATES = (
    Column("tier", f"{', '.join(TIERS)}: the kind of evidence, surest first"),
    Column("game", "the id of a game"),
    Column("other", "the id of the game that it may duplicate, which is earlier or contains it"),
    Column("date", "the date of `game`"),
    Column("other_date", "the date of `other`"),
    Column("players", "the players of `game`"),
    Column("other_players", "the players of `other`"),
    Column("plies", "the length of `game`"),
    Column("other_plies", "the length of `other`"),
    Column("evidence", "the evidence in words"),
)


class _Game(NamedTuple):
    id: int
    date: str | None
    first_day: dt.date | None
    last_day: dt.date | None
    name1: str | None
    name2: str | None
    player1: int | None
    player2: int | None
    board: str
    rule_set: str
    plies: int
    result: str | None
    movetext: str

    @property
    def names(self) -> tuple[str | None, str | None]:
        """Return the names in the game."""
        return self.name1, self.name2

    @property
    def players(self) -> tuple[int | None, int | None]:
        """Return the ids of the players with these names."""
        return self.player1, self.player2


def list_duplicates(database: Database, filters: str = "", *, shortest: int = SHORTEST) -> Result:
    """List pairs of duplicate games that pass the filters and have at least `shortest` plies, surest tier first.

    Of several equal games, each is paired with the earliest. Pairs that are two games, as decided before (`edit.merge_games`), are left
    out. Columns: DUPLICATES.
    """
    connection = database.connection()
    where, values = condition(filters)
    long_enough = f"SELECT id FROM _game WHERE ({where}) AND plies >= ?"
    among = {number for (number,) in execute(connection, long_enough, [*values, shortest]).fetchall()}
    copies = [pair for pair in connection.execute(_SAME_BYTES).fetchall() if among.issuperset(pair)]
    sequences = _sequences(connection, shortest, among)
    games = _games(connection, {*sequences, *(game for pair in copies for game in pair)})
    separate = {frozenset(map(from_text, one.pair)) for one in game_merges.read_separate(database.annotations_dir)}
    found: dict[tuple[int, int], str] = {}
    for one, other in copies:
        earlier, later = sorted((one, other), key=lambda game: _order(games[game]))
        if frozenset((one, other)) not in separate:
            found[later, earlier] = "bytes"
    for one, other in _same_moves(sequences, games, separate):
        found.setdefault((one, other), "game" if _is_one(games[one], games[other]) else "moves")
    for one, other in _contained(sequences, games, separate):
        found.setdefault((one, other), "contained")
    rows = [_row(tier, games[one], games[other]) for (one, other), tier in found.items()]
    rows.sort(key=lambda row: (TIERS.index(row[0]), row[3] or "", row[1]))
    return Result(DUPLICATES, rows)


def evidence(database: Database, game: str, other: str) -> str:
    """Return the evidence that two games (ids in letters) are duplicates, as in `list_duplicates`; "" for none."""
    connection = database.connection()
    numbers = [from_text(game), from_text(other)]
    games = _games(connection, numbers)
    sequences = _keys(connection, numbers)
    if len(games) < 2 or not _begins(*sorted(sequences.values(), key=len, reverse=True)):
        return ""
    one, two = (games[number] for number in numbers)
    if one.plies != two.plies:
        return "; ".join(_evidence("contained", *sorted((one, two), key=lambda game: game.plies)))
    return "; ".join(_evidence("game" if _is_one(one, two) else "moves", one, two))


def is_beginning(database: Database, game: str, other: str) -> bool:
    """Return whether another game begins with all positions of a game (ids in letters), turned and mirrored ones too."""
    number, longer = from_text(game), from_text(other)
    keys = _keys(database.connection(), (number, longer))
    return number in keys and longer in keys and _begins(keys[longer], keys[number])


def _begins(longer: tuple[int, ...], shorter: tuple[int, ...]) -> bool:
    return longer[: len(shorter)] == shorter


def merged(database: Database) -> Result:
    """List merged games: game (its former id), of (the game that it is now), evidence, author, made_at (UTC)."""
    meanings = ("the former id", "the game that it is now", "the evidence", "the author", "the time (UTC)")
    columns = tuple(
        Column(*named) for named in zip(("game", "of", "evidence", "author", "made_at"), meanings, strict=True)
    )
    said = game_merges.read(database.annotations_dir)
    return Result(columns, [(one.game, one.of, one.evidence, one.author, one.made_at) for one in said])


def list_decisions(database: Database) -> Result:
    """List what was decided about pairs of games, latest first. Columns: DECISIONS."""
    decisions = game_merges.read_decisions(database.annotations_dir)
    games = _games(database.connection(), {from_text(one.of) for one in decisions})
    rows = []
    for one in sorted(decisions, key=lambda one: one.made_at)[::-1]:
        game = games.get(from_text(one.of))
        about = (_shown(game), game.date) if game else ("", None)
        rows.append((one.verdict, one.game, one.of, *about, one.evidence, one.author, one.made_at))
    return Result(DECISIONS, rows)


DECISIONS = (
    Column("verdict", "accepted: one game; rejected: two games; later: put off"),
    Column("game", "the id of a game; a merged game has none of its own any more"),
    Column("other", "the id of the other game"),
    Column("players", "the players of `other`"),
    Column("date", "the date of `other`"),
    Column("evidence", "the evidence when it was decided"),
    Column("author", "the author"),
    Column("made_at", "the time (UTC)"),
)


_SAME_BYTES = """
    SELECT DISTINCT one.game, other.game FROM _record one JOIN _record other ON one.id = other.id AND one.game < other.game
"""
"""Pairs of games that have a record with the same bytes: a date can come from the name of its file."""
_ENDS_WITHIN = """
    SELECT one.game, other.game
    FROM (SELECT key, ply, game FROM _position WHERE next_move IS NULL AND ply >= ?) one
    JOIN _position other ON other.key = one.key AND other.ply = one.ply AND other.game <> one.game
"""
"""Games whose last position another game has after as many plies."""


def _sequences(connection: duckdb.DuckDBPyConnection, shortest: int, among: set[int]) -> dict[int, tuple[int, ...]]:
    """The keys of all positions, in order, of the games that can be the same as another, or contained in it."""
    found = execute(connection, _ENDS_WITHIN, [shortest]).fetchall()
    wanted = {game for pair in found if among.issuperset(pair) for game in pair}
    return _keys(connection, wanted)


def _keys(connection: duckdb.DuckDBPyConnection, wanted: Iterable[int]) -> dict[int, tuple[int, ...]]:
    numbers = ", ".join(map(str, wanted))
    if not numbers:
        return {}
    query = f"SELECT game, list(key ORDER BY ply) FROM _position WHERE game IN ({numbers}) GROUP BY game"
    return {game: tuple(keys) for game, keys in connection.execute(query).fetchall()}


def _same_moves(
    sequences: dict[int, tuple[int, ...]], games: dict[int, _Game], separate: Container[frozenset[int]]
) -> Iterator[tuple[int, int]]:
    """Yield each game with the earliest one that has the same positions and may be the same game."""
    groups: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for game, keys in sequences.items():
        groups[games[game].board, games[game].rule_set, keys].append(game)
    for group in groups.values():
        ordered = sorted(group, key=lambda game: _order(games[game]))
        for place, game in enumerate(ordered):
            earlier = (one for one in ordered[:place] if frozenset((game, one)) not in separate)
            yield from ((game, one) for one in islice(earlier, 1))


def _contained(
    sequences: dict[int, tuple[int, ...]], games: dict[int, _Game], separate: Container[frozenset[int]]
) -> Iterator[tuple[int, int]]:
    """Yield each game with the earliest one that begins with all its positions and goes on."""
    ends: dict[tuple[int, int], list[int]] = defaultdict(list)
    for game, keys in sequences.items():
        ends[len(keys), keys[-1]].append(game)
    found: dict[int, list[int]] = defaultdict(list)
    for longer, keys in sequences.items():
        for length, key in enumerate(keys[:-1], 1):
            for shorter in ends.get((length, key), ()):
                kinds = {(games[game].board, games[game].rule_set) for game in (shorter, longer)}
                is_open = frozenset((shorter, longer)) not in separate
                if is_open and len(kinds) == 1 and sequences[shorter] == keys[:length]:
                    found[shorter].append(longer)
    for shorter, longers in found.items():
        yield shorter, min(longers, key=lambda game: _order(games[game]))


def _order(game: _Game) -> tuple[dt.date, int]:
    return game.first_day or dt.date.max, game.id


def _is_one(one: _Game, other: _Game) -> bool:
    """Whether the players are the same and the dates can be."""
    if None in one.players or one.players != other.players:
        return False
    if one.first_day is None or one.last_day is None or other.first_day is None or other.last_day is None:
        return one.date == other.date
    return one.first_day <= other.last_day and other.first_day <= one.last_day


_GAMES = """
    SELECT _game.id, date, date_from, date_to, player1, player2, one.player, other.player, board, rule_set, plies, result, movetext
    FROM _game LEFT JOIN _alias one ON one.name = player1 LEFT JOIN _alias other ON other.name = player2
    WHERE _game.id IN ({})
"""


def _games(connection: duckdb.DuckDBPyConnection, wanted: Iterable[int]) -> dict[int, _Game]:
    numbers = ", ".join(map(str, wanted))
    if not numbers:
        return {}
    rows = connection.execute(_GAMES.format(numbers)).fetchall()
    return {row[0]: _Game(*row) for row in rows}


def _row(tier: str, one: _Game, other: _Game) -> tuple[Any, ...]:
    dates, lengths = (one.date, other.date), (one.plies, other.plies)
    names = _shown(one), _shown(other)
    return tier, to_text(one.id), to_text(other.id), *dates, *names, *lengths, "; ".join(_evidence(tier, one, other))


def _shown(game: _Game) -> str:
    return " – ".join(name or "?" for name in game.names)


def _evidence(tier: str, one: _Game, other: _Game) -> Iterator[str]:
    if tier == "bytes":
        yield "records with the same bytes"
    elif tier == "contained":
        yield f"all {one.plies} plies begin the other's {other.plies}"
    elif one.movetext == other.movetext:
        yield "the same moves"
    else:
        yield "the same positions all along, turned, mirrored or noted otherwise"
    if one.players == other.players:
        is_same = [name and fold_name(name) for name in one.names] == [name and fold_name(name) for name in other.names]
        yield "the same players" if is_same else "the same players under other names"
    elif one.players == other.players[::-1]:
        yield "the same players on the other sides"
    if _is_one(one, other) and one.date != other.date:
        yield "the dates can be the same"
    if tier != "contained" and one.result != other.result:
        yield f"but the results are {one.result or 'none'} and {other.result or 'none'}"
