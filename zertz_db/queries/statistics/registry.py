"""Registry of statistics by name, for the command, the dashboard and programs."""

from __future__ import annotations

from collections.abc import Sequence

from zertz_db.queries.result import Result
from zertz_db.queries.statistics.captures import captures_by_ply, count_captures, sacrifices
from zertz_db.queries.statistics.first_moves import count_first_moves, first_rings
from zertz_db.queries.statistics.forced_wins import PLY_GROUPS, count_forced_wins
from zertz_db.queries.statistics.game_length import histogram, lengths
from zertz_db.queries.statistics.grouping import Statistic, called
from zertz_db.queries.statistics.isolations import count_isolations
from zertz_db.queries.statistics.lead_changes import count_lead_changes, leads
from zertz_db.queries.statistics.thinking_time import minutes
from zertz_db.queries.statistics.win_conditions import endings, first_mover, winning_sets
from zertz_db.store.folder.database import Database

STATISTICS = {
    "first-mover": Statistic("how often the first mover wins", first_mover, not_by=("side",)),
    "sets": Statistic("which set wins", winning_sets),
    "endings": Statistic("how games end", endings),
    "lengths": Statistic("how long games are, in plies", lengths),
    "histogram": Statistic("games by length", histogram),
    "minutes": Statistic("how long games are, in minutes", minutes),
    "leads": Statistic("who led, and how often the winner was behind", leads),
    "lead-changes": Statistic("games by lead changes", count_lead_changes),
    "captures": Statistic("marbles captured along the game", count_captures),
    "captures-by-ply": Statistic("marbles captured after each ply", captures_by_ply),
    "sacrifices": Statistic("sacrifices a game", sacrifices),
    "isolations": Statistic("captures forced on the loser right before a win by isolation", count_isolations),
    "tactics": Statistic(
        "forced wins kept and missed, and proven blunders", count_forced_wins, also_by=tuple(PLY_GROUPS)
    ),
    "first-moves": Statistic("distinct first moves of each board", count_first_moves),
    "first-rings": Statistic("how often the first mover wins, by the ring removed first", first_rings),
}
"""All statistics, most used first."""


def ask_statistics(database: Database, name: str, filters: str = "", by: Sequence[str] = ()) -> Result:
    """Return one of STATISTICS for each group of games that pass the filters.

    by: names of groups (`statistics_groups.GROUPS`), `board`, `era:10` and so on; none takes all games together. Each row says how many
    games it rests on. QueryError for an unknown name, an unknown group and what filters can't be.
    """
    return called(STATISTICS, name).ask(database, filters, by)
