"""Games divided into groups, and what is counted in each: the frame of all statistics.

A statistic is a list of measures (SQL over the games of a group) with the meaning of each. Which games are meant is said by filters,
how they are divided by the names of groups; both are the same for every statistic.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.result import Column, Result, run_query
from zertz_db.queries.sql_params import Value
from zertz_db.queries.wilson import ENOUGH, share
from zertz_db.store.folder.database import Database


class Measure(NamedTuple):
    """A column of a statistic: its name, what it means, and the SQL that gives it.

    In the SQL of a share of something, `OVER ({group})` takes together what is in one group of games.
    """

    name: str
    meaning: str
    sql: str


class Group(NamedTuple):
    """Grouping of games. key: SQL that separates and orders groups. label: SQL over `{key}` for the name of a group."""

    name: str
    meaning: str
    key: str
    label: str = "{key}"


class Statistic(NamedTuple):
    """Statistic: its title, and the function that returns it for a database, a filter and the names of groups.

    not_by: groups that the table can't be divided by; the function raises QueryError for them. also_by: further groups, of this table
    alone.
    """

    title: str
    ask: Callable[[Database, str, Sequence[str]], Result]
    not_by: tuple[str, ...] = ()
    also_by: tuple[str, ...] = ()


def called(tables: Mapping[str, Statistic], name: str) -> Statistic:
    """Return the table with a name. QueryError for an unknown name."""
    if name not in tables:
        raise QueryError(f"no table is called {name!r}; valid: {', '.join(tables)}")
    return tables[name]


_YEAR = "year(date_from)"  # a date without a month still has its year
_KIND = """
    CASE WHEN first_is.kind IS NOT NULL AND second_is.kind IS NOT NULL
         THEN greatest(first_is.kind, second_is.kind) || '-' || least(first_is.kind, second_is.kind) END
"""
_SIDE = "CASE winner WHEN 1 THEN 'first' WHEN 2 THEN 'second' WHEN 0 THEN 'neither' END"

_GROUPS = {
    group.name: group
    for group in (
        Group("board", "the board", "board"),
        Group("rules", "the rule set", "rule_set"),
        Group("year", "the year; empty if unknown", _YEAR),
        Group("kind", "the kinds of the two players, such as human-bot; empty where one is not known", _KIND),
        Group("side", "who won: the first or the second mover, or neither; empty where that is not known", _SIDE),
    )
}
_SPANS = {
    "era": ("{width} years; empty where the year is not known", _YEAR, 5),
    "length": ("plies of the game", "plies", 10),
}
GROUPS = (*_GROUPS, *_SPANS)
"""The names of the groups; those of spans may have a width: `era:10` (years), `length:5` (plies)."""


def group(name: str) -> Group:
    """Return the grouping with a name. QueryError for an unknown name, and for an invalid width.

    >>> group("era:10").name
    'era'
    """
    plain, colon, width = name.strip().partition(":")
    if plain in _GROUPS and not colon:
        return _GROUPS[plain]
    if plain not in _SPANS:
        known = ", ".join((*_GROUPS, *(f"{span} (or {span}:{usual})" for span, (_, _, usual) in _SPANS.items())))
        raise QueryError(f"games can't be divided by {name!r}; valid: {known}")
    meaning, value, usual = _SPANS[plain]
    if colon and not re.fullmatch("[1-9][0-9]{0,3}", width):
        raise QueryError(f"invalid width {width!r}; write a whole number: {plain}:{usual}")
    return span(plain, meaning, value, int(width or usual))


def span(name: str, meaning: str, value: str, width: int) -> Group:
    """Return groups of neighbouring whole numbers, with names like `10-19`."""
    label = "{key}" if width == 1 else f"{{key}} || '-' || ({{key}} + {width - 1})"
    return Group(name, meaning.format(width=width), f"({value}) // {width} * {width}", label)


def grouped(
    database: Database,
    filters: str,
    by: Sequence[str],
    measures: Sequence[Measure],
    *,
    source: str = "chosen",
    columns: Sequence[str] = (),
    tables: str = "",
    where: str = "true",
    divided: Sequence[Group] = (),
    order: str = "",
) -> Result:
    """Return the measures for each group of games that pass the filters, in the order of groups.

    source: what the measures are taken over, with a row for each game, position or ply. `chosen` has the games: `game` (the id),
    `rule_set`, `plies`, `winner`, `ending`, `winning_sets`, `won_by`, `verdict`, and what they are divided by. columns: further columns
    of `_game` that `chosen` needs. tables: further tables that the source needs, as SQL of a WITH. divided: further groups, of the rows
    of the source. order: SQL, inside the groups.
    """
    chosen, groups, values = _chosen(filters, by, columns)
    asked = [(f"by_{one.name}", one) for one in groups]
    keys = [*asked, *((one.key, one) for one in divided)]
    inside = f"PARTITION BY {', '.join(key for key, _ in asked)}" if asked else ""
    shown = [f'{one.label.format(key=f"({key})")} AS "{one.name}"' for key, one in keys]
    shown += [f'{one.sql.format(group=inside)} AS "{one.name}"' for one in measures]
    sql = f"WITH chosen AS ({chosen}){tables and ', '}{tables} SELECT {', '.join(shown)} FROM {source} WHERE {where}"
    if keys:
        sql += f" GROUP BY {', '.join(key for key, _ in keys)}"
    ordered = [f"{key} NULLS LAST" for key, _ in asked]
    ordered += [order] if order else [f"{one.key} NULLS LAST" for one in divided]
    if ordered:
        sql += f" ORDER BY {', '.join(ordered)}"
    described: list[Group | Measure] = [*groups, *divided, *measures]
    shown_columns = tuple(Column(one.name, one.meaning) for one in described)
    return Result(shown_columns, run_query(database.connection(), sql, values).rows)


def with_shares(result: Result, hits: str, trials: str, meaning: str, before: str = "") -> Result:
    """The same with three columns more: the share of column `hits` in column `trials`, and its interval.

    The columns are called `share`, `low` and `high`, with `before` and an underscore before these names if it is given; they are
    empty where there are too few trials.
    """
    names = result.names
    hit, trial = names.index(hits), names.index(trials)
    lead = before and f"{before}_"
    added = (
        Column(f"{lead}share", f"{meaning}, from 0 to 1; empty for fewer than {ENOUGH}"),
        Column(f"{lead}low", f"the true {lead}share lies between this, with 95 % confidence (Wilson),"),
        Column(f"{lead}high", "and this"),
    )
    rows = [(*row, *(share(row[hit], row[trial] or 0) or (None,) * len(added))) for row in result.rows]
    return Result((*result.columns, *added), rows)


def _chosen(filters: str, by: Sequence[str], columns: Sequence[str]) -> tuple[str, list[Group], list[Value]]:
    groups = [group(name) for name in by]
    names = [one.name for one in groups]
    if len(set(names)) < len(names):
        raise QueryError(f"name each group once: {', '.join(sorted(set(names)))}")
    where, values = condition(filters)
    keys = [f"{one.key} AS by_{one.name}" for one in groups]
    source = f"(SELECT * FROM _game WHERE {where}) AS _game" + _KINDS * ("kind" in names)
    return f"SELECT {', '.join([*_COLUMNS, *columns, *keys])} FROM {source}", groups, values


_COLUMNS = ("_game.id AS game", "rule_set", "plies", "winner", "ending", "winning_sets", "won_by", "verdict")
_KNOWN = "(SELECT _alias.name, kind FROM _alias JOIN _player ON _player.id = player WHERE status = 'accepted')"
_KINDS = f"""
    LEFT JOIN {_KNOWN} AS first_is ON first_is.name = player1
    LEFT JOIN {_KNOWN} AS second_is ON second_is.name = player2
"""
