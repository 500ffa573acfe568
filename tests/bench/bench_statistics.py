"""`zertz stats`, `times` and `tournaments`, warm, on real games and made-up ones: python -m tests.bench.bench_statistics --help."""

import argparse
import tempfile
from functools import partial
from pathlib import Path

from tests.bench.material import made_up, real_archives
from tests.bench.timing import heading, least, measure, row, run_zertz
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.games.game_list import count_games
from zertz_db.queries.statistics.registry import STATISTICS, ask_statistics
from zertz_db.queries.statistics.thinking_time import TIMES, ask_times
from zertz_db.queries.tournaments.tournament_games import list_tournaments
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

STATS_GOALS, STATS_ACCEPTED = (0.15, 1.2), (0.25, 1.6)
"""Seconds of `zertz stats` as a whole process: up to LARGE games, and up to a million."""
OVERVIEW = [name for name in STATISTICS if name not in ("lead-changes", "captures-by-ply")]
"""The tables that `zertz stats` prints."""
FILTER = "date:2004..2014 not board:61"
HALF_A_SECOND, LARGE = 0.5, 100_000
"""Maximum time for the overview, and the number of games above which it is ten times as long."""


def bench(folder: Path, runs: int) -> None:
    with open_database(folder) as database:
        games = count_games(database)
        bench_tables(database, games, runs)
    heading("statistics, whole process", f"{folder.name}, {games:,} games")
    is_large = games >= LARGE
    whole = least(partial(run_zertz, "stats", "--db", folder), runs)
    row("zertz stats, seconds", whole, goal=STATS_GOALS[is_large], accepted=STATS_ACCEPTED[is_large])


def bench_tables(database: Database, games: int, runs: int) -> None:
    """Measure the tables in this process."""
    positions = database.connection().execute("SELECT count(*) FROM _position").fetchall()[0][0]
    heading("statistics", f"{games:,} games, {positions:,} positions, warm")
    goal = HALF_A_SECOND if games < LARGE else 10 * HALF_A_SECOND

    def overview(filters: str = "", by: tuple[str, ...] = ()) -> None:
        for name in OVERVIEW:
            ask_statistics(database, name, filters, by)

    overview()
    whole = measure(overview, runs)
    row("zertz stats", whole, goal=goal)
    row("  nanoseconds a position", 1e9 * whole.median / positions)
    row(f"zertz stats {FILTER}", measure(partial(overview, FILTER), runs), goal=goal)
    row("zertz stats --by board,kind", measure(partial(overview, "", ("board", "kind")), runs))
    for name in STATISTICS:
        row(f"  {name}", measure(partial(ask_statistics, database, name), runs))
    row("zertz times", measure(lambda: [ask_times(database, name) for name in TIMES], runs), goal=goal)
    row("zertz tournaments", measure(partial(list_tournaments, database), runs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("databases", nargs="*", help="databases to ask, instead of new ones")
    parser.add_argument("--games", type=int, default=5_000, help="made-up games where no database is named")
    parser.add_argument("--runs", type=int, default=5)
    wanted = parser.parse_args()
    for folder in wanted.databases:
        bench(Path(folder), wanted.runs)
    if not wanted.databases:
        with tempfile.TemporaryDirectory() as work:
            for name, paths in (("real", real_archives()), ("made-up", made_up(Path(work) / "made", wanted.games))):
                if paths:
                    import_paths(paths, Path(work) / f"{name}.zertz")
                    bench(Path(work) / f"{name}.zertz", wanted.runs)


if __name__ == "__main__":
    main()
