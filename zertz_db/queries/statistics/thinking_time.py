"""Thinking time, where records have clocks.

A clock is the mover's after his turn. The game server's records show the time used so far; other records say by the tag `Clock` whether
theirs count up (time used) or down (time left), and where they don't, nothing can be concluded from them. The time for a turn is
the difference to the same player's clock a turn before, and where a clock counts down, what he gained in between is added: the time control
(`TimeControl`, `TC`) says it. It is known of his first turn too where clocks count up, from nothing, or down from a stated time. Where a
clock is missing, or went the other way (it was set), it is not known; nor where a delay or several periods leave it open.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from zertz_db.parser.text.time_control import TAGS, parse_time_control
from zertz_db.parser.vocabulary.terms import Ending
from zertz_db.queries.result import Result
from zertz_db.queries.sql_params import execute
from zertz_db.queries.statistics.grouping import Group, Measure, Statistic, called, grouped, with_shares
from zertz_db.store.folder.database import Database
from zertz_db.store.sql_literals import literal

SHORT = (60, 30, 10)
"""Remaining seconds that count as time trouble."""


def clocks(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """Count games by the direction of their clocks: a row for each direction, and one for games without clocks."""
    return grouped(database, filters, by, _CLOCKS, source=_GAMES, tables=_directed(), divided=[_DIRECTION])


def phases(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """Return thinking times per turn in the first, second and last third of a game's plies."""
    return grouped(
        database, filters, by, _TIMES, source="timed", tables=turn_times_sql(database), where=_KNOWN, divided=[_PHASE]
    )


def turns(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """Return thinking times per turn by kind of turn: a placement, a chosen capture, or the only legal move."""
    return grouped(
        database, filters, by, _TIMES, source="timed", tables=turn_times_sql(database), where=_KNOWN, divided=[_TURN]
    )


def thinkers(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """Return thinking times per turn by player, most turns of known time first."""
    return grouped(
        database,
        filters,
        by,
        _TIMES,
        source=_BY_PLAYER,
        tables=turn_times_sql(database),
        where=_KNOWN,
        divided=[_PLAYER],
        order="turns DESC, player",
    )


def minutes(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """The lengths of games that have an end, in minutes, where the time for every turn is known; other games count apart."""
    has_down = execute(database.connection(), _HAS_DOWN).fetchall()
    if has_down:
        tables = f"{turn_times_sql(database, _CLOCKED_THROUGHOUT, 'down')}, {_WHOLE} UNION ALL {_WHOLE_DOWN})"
        source = "chosen LEFT JOIN whole USING (game)"
    else:
        tables, source = "", f"(SELECT *, {_minutes_up()} AS minutes FROM chosen)"
    return grouped(
        database, filters, by, _MINUTES, source=source, columns=("clocked", "clock_time", "record"), tables=tables
    )


def trouble(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """How often a player got short of time: a row for each of SHORT.

    Only where it is known how much time is left: clocks that count down, and the game server's under a fixed limit (`TC` `Fixed`).
    """
    found = grouped(
        database,
        filters,
        by,
        _TROUBLE,
        source=_SHORTAGES,
        tables=f"{_directed()}, {_LEFT}",
        divided=[_LIMIT],
        order="below DESC",
    )
    return with_shares(found, "short", "seats", "share that got so short of time")


TIMES = {
    "clocks": Statistic("games with clocks", clocks),
    "phases": Statistic("thinking time for a turn by third of the game, in seconds", phases),
    "turns": Statistic("thinking time by kind of turn, in seconds", turns),
    "players": Statistic("thinking time by player, in seconds", thinkers),
    "trouble": Statistic("how often a player gets short of time", trouble),
}
"""Tables of thinking times, by name."""


def ask_times(database: Database, name: str, filters: str = "", by: Sequence[str] = ()) -> Result:
    """One of TIMES over the games that pass the filters, for each group of them, as `statistics.statistics` gives others."""
    return called(TIMES, name).ask(database, filters, by)


_CLOCKED = """
    clocked AS (SELECT id AS game FROM _game WHERE ply_clocks IS NOT NULL AND id IN (SELECT game FROM chosen))
"""
_CLOCKED_THROUGHOUT = "clocked AS (SELECT game FROM chosen WHERE ending IS NOT NULL AND clocked)"
_LIMITS = " UNION ALL ".join(f"SELECT record, value FROM _tag WHERE name = {literal(tag)}" for tag in TAGS)
"""SQL of the time controls of records. For `name IN (…)` DuckDB compares each name: seven times slower."""
_HAS_DOWN = "SELECT 1 FROM _tag WHERE name = 'Clock' AND lower(value) = 'down' LIMIT 1"
"""Whether any clock counts down: no dialect says so without a tag."""
_WITH_DIRECTION = f"""
    clocked_records AS (SELECT game, record FROM clocked JOIN (SELECT id AS game, record FROM _game) USING (game)),
    directed AS (
        SELECT game, coalesce(lower(said.value), CASE dialect {{usual}} ELSE 'unknown' END) AS direction, limited.value AS control
        FROM clocked_records
        LEFT JOIN (
            SELECT id AS record, any_value(dialect) AS dialect FROM _record WHERE id IN (SELECT record FROM clocked_records) GROUP BY id
        ) USING (record)
        LEFT JOIN (SELECT record, value FROM _tag WHERE name = 'Clock' AND lower(value) IN ('up', 'down')) AS said USING (record)
        LEFT JOIN (SELECT record, any_value(value) AS value FROM ({_LIMITS}) GROUP BY record) AS limited USING (record)
    )
"""
_MINUTES_UP = """
    CASE WHEN ending IS NOT NULL AND clocked AND (
        record IN (SELECT id FROM _record WHERE dialect IN ({usual}))
        OR record IN (SELECT record FROM _tag WHERE name = 'Clock' AND lower(value) = 'up')
    ) THEN clock_time / 60000 END
"""
"""SQL of a game's minutes in a database where no clock counts down."""


@cache
def _with_direction() -> str:
    """Return the table of games with the direction of their clocks, the stated one or the usual one of their dialect, and time control."""
    usual = " ".join(f"WHEN '{name}' THEN '{clock}'" for name, clock in _usual_directions().items())
    return _WITH_DIRECTION.format(usual=usual)


@cache
def _minutes_up() -> str:
    up = (literal(name) for name, clock in _usual_directions().items() if clock == "up")
    return _MINUTES_UP.format(usual=", ".join(up))


def _usual_directions() -> dict[str, str]:
    """Return the direction of clocks of each dialect that has a usual one."""
    from zertz_db.parser.dialects import DIALECTS  # 15 ms that other statistics don't need

    return {dialect.name: dialect.clock for dialect in DIALECTS if dialect.clock != "unknown"}


def _directed() -> str:
    return f"{_CLOCKED}, {_with_direction()}"


_TIMED = """
    followed AS (
        SELECT game, ply, mover, kind AS turn, forced, direction, clock, base, CASE WHEN known THEN increment ELSE 0 END AS gained,
            row_number() OVER turns = 1 AS is_first, lag(clock) OVER turns AS before
        FROM (SELECT * FROM directed WHERE {directions})
        LEFT JOIN (SELECT *, true AS known FROM controls) USING (control)
        JOIN _ply USING (game)
        WINDOW turns AS (PARTITION BY game, mover ORDER BY ply)
    ),
    timed AS (
        SELECT *, CASE direction WHEN 'up' THEN clock - CASE WHEN is_first THEN 0 ELSE before END
                WHEN 'down' THEN CASE WHEN is_first THEN base ELSE before END + gained - clock END / 1000 AS seconds
        FROM followed JOIN chosen USING (game)
    )
"""


def turn_times_sql(database: Database, clocked: str = _CLOCKED, direction: str = "") -> str:
    """Return the SQL of the tables behind `timed`: game, ply, mover and seconds of each turn of the games of a table `chosen`.

    direction: that of the clocks of these games, if not any. DuckDB does not read time controls, so those in the database come with it.
    """
    stated = execute(database.connection(), f"SELECT DISTINCT value FROM ({_LIMITS})").fetchall()
    timed = _TIMED.format(directions=f"direction = {literal(direction)}" if direction else "true")
    rows = ["(NULL, NULL, NULL)", *(_row(text) for (text,) in stated)]
    return f"{clocked}, {_with_direction()}, controls(control, base, increment) AS (VALUES {', '.join(rows)}), {timed}"


def _row(text: str) -> str:
    base, increment = ("NULL" if number is None else f"{number:d}" for number in parse_time_control(text))
    return f"({literal(text)}, {base}, {increment})"


_KNOWN = "seconds >= 0"
_LEFT = """
    limits AS (SELECT *, try_cast(regexp_extract(control, '^Fixed ([0-9]+)$', 1) AS BIGINT) AS total FROM directed),
    remaining AS (
        SELECT game, mover, min(CASE direction WHEN 'down' THEN clock WHEN 'up' THEN total - clock END) / 1000 AS seconds
        FROM limits JOIN _ply USING (game) GROUP BY ALL
    )
"""
"""The least time that each player of a game had left, in seconds."""
_SHORTAGES = f"""
    (SELECT * FROM remaining WHERE seconds IS NOT NULL) JOIN chosen USING (game), (SELECT unnest({list(SHORT)}) AS below)
"""
_GAMES = "chosen LEFT JOIN directed USING (game)"
_DIRECTION = Group(
    "clocks",
    "up (time used), down (time left), unknown (nothing says which), or none",
    "coalesce(direction, 'none')",
)
_CLOCKS = (Measure("games", "games", "count(*)"),)
_PHASE = Group(
    "phase",
    "1, 2 or 3: the third of the game's plies",
    "3 * ply // plies + 1",
)
_TURN = Group(
    "turn",
    "placement, capture, or forced: the only legal move",
    "CASE WHEN forced THEN 'forced' ELSE turn END",
)
_PLAYER = Group("player", "the player, under his chief name; empty where the record names none", "name")
_BY_PLAYER = """
    timed JOIN (SELECT id AS game, player1, player2 FROM _game) USING (game)
    LEFT JOIN (
        SELECT _alias.name AS alias, _player.name FROM _alias JOIN _player ON _player.id = player WHERE status = 'accepted'
    ) ON alias = CASE mover WHEN 1 THEN player1 ELSE player2 END
"""
_QUANTILES = (
    ("q25", "a quarter", 0.25),
    ("q50", "half", 0.5),
    ("q75", "three quarters", 0.75),
    ("q90", "nine tenths", 0.9),
)
_TIMES = (
    Measure("games", "games", "count(DISTINCT game)"),
    Measure("turns", "turns whose time is known", "count(*)"),
    Measure("mean", "thinking time for a turn in seconds, mean", "round(avg(seconds), 1)"),
    *(
        Measure(
            name,
            f"{part} of the turns took at most this number of seconds",
            f"round(quantile_cont(seconds, {share}), 1)",
        )
        for name, part, share in _QUANTILES
    ),
    Measure("longest", "seconds of the longest turn", "round(max(seconds), 1)"),
)
_WHOLE = """
    whole AS (
        SELECT game, clock_time / 60000 AS minutes FROM directed JOIN chosen USING (game) WHERE direction = 'up' AND clock_time IS NOT NULL
"""
_WHOLE_DOWN = "SELECT game, sum(seconds) / 60 FROM timed GROUP BY game HAVING count(*) FILTER (seconds >= 0) = count(*)"
_MINUTES = (
    Measure("games", "games that have an end, and whose clocks tell the time for every turn", "count(minutes)"),
    Measure("unknown", "other games, not looked at", "count(*) FILTER (minutes IS NULL)"),
    Measure("mean", "mean length in minutes", "round(avg(minutes), 2)"),
    Measure("shortest", "minutes of the shortest game", "round(min(minutes), 2)"),
    *(
        Measure(
            name,
            f"{part} of the games last at most this number of minutes",
            f"round(quantile_disc(minutes, {share}), 2)",
        )
        for name, part, share in (("q10", "a tenth", 0.1), *_QUANTILES)
    ),
    Measure("longest", "minutes of the longest game", "round(max(minutes), 2)"),
)
_LIMIT = Group("below", "less than so many seconds left after some turn", "below")
_TROUBLE = (
    Measure("seats", "players of games in which the time left is known, one for each side of a game", "count(*)"),
    Measure("short", "those that were so short of time", "count(*) FILTER (seconds < below)"),
    Measure("lost", "of these, those that lost the game", "count(*) FILTER (seconds < below AND winner = 3 - mover)"),
    Measure(
        "on_time",
        "of these, those that lost it on time",
        f"count(*) FILTER (seconds < below AND winner = 3 - mover AND ending = {literal(Ending.TIME)})",
    ),
)
