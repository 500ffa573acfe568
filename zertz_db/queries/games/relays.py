"""List pairs of games with the same moves at about the same time, as evidence for a person to judge.

A player can relay moves: answer an opponent in one game with the moves that another opponent makes in a second game. Then both games
reach the same positions, far beyond the opening. Positions are compared up to the board's symmetries, so turned and mirrored games are
found too. A pair proves nothing: players repeat lines, bots answer alike, and a game can be recorded twice. So each pair has the number of
such pairs that chance gives, from games whose dates are permuted.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np

from zertz_db.plurals import format_count
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.result import Column, Result
from zertz_db.queries.sql_params import execute
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import to_text

SHORTEST = 12
"""Minimum number of plies after which both games have a position in common; half as many if a record lacks the first moves."""
HOURS = 24.0
"""Maximum time between the games."""
_FEW = 6
"""Maximum number of games that share a position: more is theory of openings."""
PERMUTATIONS = 200
_FEW_GAMES = 20
"""Players with fewer games in the null are permuted together: two games of one evening stay together in most orders."""
_SEED = 1


class Relation(StrEnum):
    """How the players of two games are related, the most telling first."""

    relayed = "relayed"
    swapped = "swapped"
    elsewhere = "elsewhere"
    repeated = "repeated"


MEANINGS = {
    Relation.relayed: "a player of one game is on the other side in the other game, against another opponent",
    Relation.swapped: "two players are on each other's sides",
    Relation.elsewhere: "other players",
    Relation.repeated: "a player is on the same side in both games, against another opponent",
}

RELAYS = (
    Column("relation", "; ".join(f"{relation}: {meaning}" for relation, meaning in MEANINGS.items())),
    Column("game", "the id of the earlier game"),
    Column("other", "the id of the later game"),
    Column("players", "the players of `game`, the first mover first"),
    Column("other_players", "the players of `other`"),
    Column("date", "date and time of `game`"),
    Column("hours", "hours between the games"),
    Column(
        "shared",
        "plies after which both have the last position in common; in the game with more, if one record lacks first moves",
    ),
    Column("plies", "the length of `game`"),
    Column("other_plies", "the length of `other`"),
    Column(
        "expected",
        f"mean number of pairs of this relation, at least as deep and as close in time, in {PERMUTATIONS} permutations of the dates",
    ),
    Column("evidence", "the evidence in words"),
)

CHANCE = (
    Column("relation", "how the players of both games are related"),
    Column("meaning", "the relation in words"),
    Column("any_time", "pairs of games with as many shared plies, at any time"),
    Column("pairs", "those of them that are close in time"),
    Column("expected", f"mean number of the latter in {PERMUTATIONS} permutations of the dates"),
    Column("most", "number that 95 % of the permutations don't exceed"),
)


class _Pair(NamedTuple):
    game: int
    other: int
    shared: int
    shift: int
    """Plies that the record of `game` has more than that of `other` before the last position in common."""
    relation: Relation
    stratum: tuple[Any, ...]
    """The games among which dates are permuted."""


class _Game(NamedTuple):
    id: int
    name1: str | None
    name2: str | None
    player1: int | None
    player2: int | None
    board: str
    plies: int
    moment: dt.datetime
    timed: bool


class _Null(NamedTuple):
    """Pairs of one relation: shared plies, hours apart, and hours apart in each permutation (permutations, pairs)."""

    pairs: list[_Pair]
    shared: np.ndarray
    hours: np.ndarray
    permuted: np.ndarray

    def counts(self, shared: int, hours: float) -> np.ndarray:
        """Return the number of pairs at least as deep and as close, for each permutation."""
        counted: np.ndarray = ((self.permuted <= hours) & (self.shared >= shared)).sum(axis=1)
        return counted


def list_relays(database: Database, filters: str = "", *, hours: float = HOURS, shortest: int = SHORTEST) -> Result:
    """List pairs of games with the same moves within some hours, one of which passes the filters; the least expected first.

    shortest: minimum number of shared plies. Two games of the same players on the same sides are left out: `list_duplicates` has them.
    Games without a time count from the begin of their day. The null has all games of the database. Columns: RELAYS.
    """
    games, nulls = _compare(database, shortest)
    where, values = condition(filters)
    wanted = {
        number for (number,) in execute(database.connection(), f"SELECT id FROM _game WHERE {where}", values).fetchall()
    }
    rows = []
    for null in nulls.values():
        for pair, apart in zip(null.pairs, null.hours, strict=True):
            if apart <= hours and not wanted.isdisjoint((pair.game, pair.other)):
                expected = float(null.counts(pair.shared, float(apart)).mean())
                rows.append(_row(pair, games[pair.game], games[pair.other], float(apart), expected))
    order = list(Relation)
    rows.sort(key=lambda row: (row[10], order.index(row[0]), -row[7], row[5], row[1]))
    return Result(RELAYS, rows)


def compare_with_chance(database: Database, *, hours: float = HOURS, shortest: int = SHORTEST) -> Result:
    """Return the number of pairs for each relation, and the number that chance gives. Columns: CHANCE."""
    rows = []
    for relation, null in _compare(database, shortest)[1].items():
        counts = null.counts(shortest, hours)
        most = int(np.quantile(counts, 0.95, method="higher"))
        near = int((null.hours <= hours).sum())
        rows.append((relation.value, MEANINGS[relation], len(null.pairs), near, round(float(counts.mean()), 2), most))
    return Result(CHANCE, rows)


def _compare(database: Database, shortest: int) -> tuple[dict[int, _Game], dict[Relation, _Null]]:
    """Return all dated games, and the pairs of each relation with their null."""
    connection = database.connection()
    games = {row[0]: _Game(*row) for row in connection.execute(_GAMES).fetchall()}
    shared = execute(connection, _SHARED, [shortest, _FEW]).fetchall()
    pairs = list(_relate(shared, games))
    strata = _list_strata(games.values(), {pair.stratum for pair in pairs})
    dice = np.random.default_rng(_SEED)
    return games, {
        relation: _permute([pair for pair in pairs if pair.relation is relation], games, strata, dice)
        for relation in Relation
    }


def _relate(shared: Sequence[tuple[int, int, int, int]], games: dict[int, _Game]) -> Iterator[_Pair]:
    """Yield pairs of dated games that are not of the same players on the same sides, the earlier game first."""
    sizes: dict[int | None, int] = defaultdict(int)
    for game in games.values():
        for player in {game.player1, game.player2}:
            sizes[player] += 1
    for one_id, other_id, plies, shift in shared:
        if one_id not in games or other_id not in games:
            continue
        one, other = sorted((games[one_id], games[other_id]), key=lambda game: (game.moment, game.id))
        related = _relation(one, other)
        if related is None:
            continue
        relation, player = related
        if relation is Relation.elsewhere:
            # Fashions change: games of one year are compared with each other.
            if one.moment.year != other.moment.year:
                continue
            stratum: tuple[Any, ...] = (one.board, one.moment.year)
        else:
            stratum = (player,) if sizes[player] >= _FEW_GAMES else ()
        yield _Pair(one.id, other.id, plies, shift if one.id == one_id else -shift, relation, stratum)


def _relation(one: _Game, other: _Game) -> tuple[Relation, int | None] | None:
    """Return the relation and the common player; None for the same players on the same sides."""
    straight = [a is not None and a == b for a, b in ((one.player1, other.player1), (one.player2, other.player2))]
    crossed = [a is not None and a == b for a, b in ((one.player1, other.player2), (one.player2, other.player1))]
    if all(straight):
        return None
    if any(crossed):
        player = one.player1 if crossed[0] else one.player2
        return (Relation.swapped if all(crossed) else Relation.relayed), player
    if any(straight):
        return Relation.repeated, one.player1 if straight[0] else one.player2
    return Relation.elsewhere, None


def _list_strata(games: Any, wanted: set[tuple[Any, ...]]) -> dict[tuple[Any, ...], dict[int, float]]:
    """Return the moments, in hours, of the games of each stratum; the empty one has all games."""
    strata: dict[tuple[Any, ...], dict[int, float]] = defaultdict(dict)
    for game in games:
        for stratum in ((), (game.player1,), (game.player2,), (game.board, game.moment.year)):
            if stratum in wanted:
                strata[stratum][game.id] = game.moment.timestamp() / 3600
    return strata


def _permute(
    pairs: list[_Pair],
    games: dict[int, _Game],
    strata: dict[tuple[Any, ...], dict[int, float]],
    dice: np.random.Generator,
) -> _Null:
    permuted = np.empty((PERMUTATIONS, len(pairs)), dtype=np.float32)
    groups: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for place, pair in enumerate(pairs):
        groups[pair.stratum].append(place)
    for stratum, places in groups.items():
        numbers = {game: number for number, game in enumerate(strata[stratum])}
        moments = np.array(list(strata[stratum].values()))
        ones, others = (
            np.array([numbers[game] for game in column])
            for column in zip(*((pairs[place].game, pairs[place].other) for place in places), strict=True)
        )
        for turn in range(PERMUTATIONS):
            order = dice.permutation(moments)
            permuted[turn, places] = np.abs(order[ones] - order[others])
    hours = [abs((games[pair.other].moment - games[pair.game].moment).total_seconds()) / 3600 for pair in pairs]
    return _Null(pairs, np.array([pair.shared for pair in pairs]), np.array(hours), permuted)


def _row(pair: _Pair, one: _Game, other: _Game, hours: float, expected: float) -> tuple[Any, ...]:
    names = [f"{game.name1 or '?'} – {game.name2 or '?'}" for game in (one, other)]
    evidence = "; ".join(_describe(pair, one, other, hours, expected))
    ids = to_text(one.id), to_text(other.id)
    date = f"{one.moment:%Y-%m-%d %H:%M}" if one.timed else f"{one.moment:%Y-%m-%d}"
    return (
        pair.relation.value,
        *ids,
        *names,
        date,
        round(hours, 2),
        pair.shared,
        one.plies,
        other.plies,
        round(expected, 3),
        evidence,
    )


def _describe(pair: _Pair, one: _Game, other: _Game, hours: float, expected: float) -> Iterator[str]:
    shared = pair.shared
    if shared == one.plies == other.plies:
        yield f"all {shared} plies lead to the same positions: perhaps one game, recorded twice"
    elif pair.shift:
        after = sorted((shared, shared - abs(pair.shift)), reverse=pair.shift > 0)
        yield f"{after[0]} plies of {one.plies} and {after[1]} of {other.plies} lead to the same position"
    else:
        yield f"{shared} plies lead to the same position, of {one.plies} and {other.plies}"
    yield MEANINGS[pair.relation]
    if not (one.timed and other.timed):
        yield f"{format_count(round(hours / 24), 'day')} apart" if hours >= 24 else "on the same day"
    elif hours < 1 / 60:
        yield "in the same minute"
    else:
        yield f"{format_count(round(hours * 60), 'minute')} apart" if hours < 2 else f"{hours:.0f} hours apart"
    yield (
        f"{expected:.2g} such pairs expected by chance" if expected else f"no such pair in {PERMUTATIONS} permutations"
    )


_GAMES = """
    SELECT g.id, player1, player2, one.player, other.player, g.board, plies,
        date_from + coalesce(TRY_CAST(time AS TIME), TIME '00:00'), TRY_CAST(time AS TIME) IS NOT NULL
    FROM _game g LEFT JOIN _alias one ON one.name = player1 LEFT JOIN _alias other ON other.name = player2
    WHERE date_from = date_to ORDER BY g.id
"""
_SHARED = """
    WITH chosen AS (SELECT ? AS shortest),
        cut AS (SELECT id AS game FROM _game WHERE start IS NOT NULL),
        late AS (
            SELECT key, ply, game, board, game IN (FROM cut) AS lacks_moves FROM _position, chosen
            WHERE ply >= shortest OR (ply >= shortest // 2 AND game IN (FROM cut))
        ),
        rare AS (SELECT key FROM late GROUP BY key HAVING count(*) BETWEEN 2 AND ?),
        places AS (SELECT late.* FROM late SEMI JOIN rare USING (key)),
        pairs AS (
            SELECT one.game AS game, other.game AS other, greatest(one.ply, other.ply) AS shared, one.ply - other.ply AS shift
            FROM places one JOIN places other USING (key, board)
            WHERE one.game < other.game AND (one.ply = other.ply OR one.lacks_moves OR other.lacks_moves)
        )
    SELECT game, other, max(shared), arg_min(shift, (-shared, abs(shift)))
    FROM pairs, chosen WHERE shared >= shortest GROUP BY ALL ORDER BY ALL
"""
"""Pairs of games with a position in common that few games have, the last ply of one, and how many plies fewer the other has before it.

A record that begins from a set-up position may lack the first moves of its game, so its plies are not those of other games.
"""
