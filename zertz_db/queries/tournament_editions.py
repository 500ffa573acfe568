"""Assign games to tournaments in SQL: to an edition of their event, or to the server's tournament of their month.

An event that is played again is another edition. An edition begins with the first game of a year that is more than GAP days after the last
game of the year before; so a tournament over New Year is one, and so is a club evening that goes on all year round. If an event has
several editions, each is called by the event and the year in which it began: `Club Open 2010`. Games of such an event whose year is not
known are called `Club Open ????`. A game's day counts if it is known to the month.
"""

from __future__ import annotations

GAP = 60
"""Days."""

_BY_MONTH = "list_contains(string_split(flags, ' '), 'tournament')"

TOURNAMENTS = f"""
    WITH belonging AS (
        SELECT id, event, year(date_from) AS year, date_from, date_to,
            coalesce(event, 'tournament ' || coalesce(left(date, 7), '????.??')) AS name
        FROM _game WHERE event IS NOT NULL OR {_BY_MONTH}
    ), years AS (
        SELECT event, year, min(date_from) FILTER (date_to - date_from <= 31) AS first,
            max(date_to) FILTER (date_to - date_from <= 31) AS last
        FROM belonging WHERE event IS NOT NULL AND year IS NOT NULL GROUP BY event, year
    ), neighbours AS (
        SELECT *, lag(year) OVER by_year AS year_before, lag(last) OVER by_year AS last_before
        FROM years WINDOW by_year AS (PARTITION BY event ORDER BY year)
    ), beginnings AS (
        SELECT event, year, coalesce(year_before = year - 1 AND first - last_before <= {GAP}, false) AS goes_on FROM neighbours
    ), editions AS (
        SELECT event, year, max(CASE WHEN NOT goes_on THEN year END) OVER (PARTITION BY event ORDER BY year) AS began,
            count(*) FILTER (NOT goes_on) OVER (PARTITION BY event) AS number
        FROM beginnings
    ), several AS (SELECT DISTINCT event FROM editions WHERE number > 1)
    SELECT id, name || CASE WHEN several.event IS NULL THEN '' ELSE ' ' || coalesce(began::VARCHAR, '????') END AS tournament_name
    FROM belonging LEFT JOIN several ON several.event = belonging.event
    LEFT JOIN editions ON editions.event = belonging.event AND editions.year = belonging.year
"""
"""Query with the columns id (of a game) and tournament_name, for all games of tournaments."""
