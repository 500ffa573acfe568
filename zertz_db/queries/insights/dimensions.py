"""Dimensions of insights: what divides the sides of games, or moves."""

from __future__ import annotations

from typing import NamedTuple

from zertz_db.queries.statistics.forced_wins import PLY_GROUPS
from zertz_db.queries.statistics.grouping import Group
from zertz_db.queries.statistics.grouping import group as group_of_games
from zertz_db.queries.statistics.win_conditions import SET_OR_ENDING


class Dimension(NamedTuple):
    """A dimension: its title, and the grouping with its SQL over the columns of `sides`.

    join: SQL of a join that it needs. is_ranked: the groups have no order of their own; those of most games come first. of_sides: whether
    it tells the two sides of a game apart. of_moves: whether it divides the moves of a game.
    """

    title: str
    group: Group
    join: str = ""
    is_ranked: bool = False
    of_sides: bool = False
    of_moves: bool = False

    @property
    def name(self) -> str:
        """Return the name."""
        return self.group.name


_BAND = PLY_GROUPS["rating"]


def _rating(name: str, meaning: str) -> Group:
    return Group(name, f"{meaning}; {_BAND.meaning.partition('; ')[2]}", _BAND.key, _BAND.label)


DIMENSIONS = {
    dimension.name: dimension
    for dimension in (
        Dimension(
            "side",
            Group(
                "side",
                "the player moved first or second",
                "mover",
                "CASE {key} WHEN 1 THEN 'first' WHEN 2 THEN 'second' END",
            ),
            of_sides=True,
        ),
        Dimension(
            "opponent's rating",
            _rating("opponent", "the rating of the opponent before the game"),
            "LEFT JOIN (SELECT game, 3 - mover AS mover, rating FROM rated) USING (game, mover)",
            of_sides=True,
        ),
        Dimension(
            "own rating",
            _rating("rating", "the rating of the player before the game"),
            "LEFT JOIN (SELECT game, mover, rating FROM rated) USING (game, mover)",
            of_sides=True,
        ),
        Dimension("board", group_of_games("board")),
        Dimension("rules", group_of_games("rules")),
        Dimension(
            "opening",
            Group("opening", "the first move in words, of a game from an empty standard board", "opening"),
            "LEFT JOIN openings USING (game)",
            is_ranked=True,
        ),
        Dimension("year", group_of_games("year")),
        Dimension(
            "hour",
            Group(
                "hour",
                "the hour of the day at which the game was played, in the time zone of its date; empty if unknown",
                "try_cast(substr(time, 1, 2) AS INTEGER)",
                "lpad({key}::VARCHAR, 2, '0')",
            ),
        ),
        Dimension("phase of the game", PLY_GROUPS["phase"], of_moves=True),
        Dimension(
            "ending",
            Group(
                "ending",
                "the winning set, or another ending; empty where the game has no end",
                SET_OR_ENDING,
            ),
            is_ranked=True,
        ),
        Dimension(
            "kinds of players",
            Group(
                "kind",
                "the kinds of the two players, such as human-bot; empty where one is not known",
                "CASE WHEN own_kind IS NOT NULL AND other_kind IS NOT NULL "
                "THEN greatest(own_kind, other_kind) || '-' || least(own_kind, other_kind) END",
            ),
        ),
    )
}
"""All dimensions by name."""
