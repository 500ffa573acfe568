"""The opening tree on a database, or on made-up games: python -m tests.bench.bench_openings [FOLDER]."""

import sys
import tempfile
from functools import partial
from pathlib import Path

from tests.bench.material import made_up
from tests.bench.timing import heading, row, side_by_side
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.openings.tree import find_openings
from zertz_db.store.open_database import open_database

MANY = 200_000
"""Number of games above which the goals of the large archive apply."""
GAMES = 5_000
"""Made-up games where no database is named."""
SHOWN = 20
"""Number of continuations to query: the command's default."""
HALF = "result:1-0"


def main(folder: Path) -> None:
    with open_database(folder) as database:
        ask = partial(find_openings, database, limit=SHOWN)
        root = ask()
        first = root.continuations.rows[0][0]
        second = ask([first]).continuations.rows[0][0]
        took = side_by_side(
            {
                "root": ask,
                "root, all its rows": partial(find_openings, database),
                "root, filtered": partial(ask, filters=HALF),
                "after the most frequent move": partial(ask, [first]),
                "after two moves, one transposed": partial(ask, [first, second]),
                "root, whatever pool and captures are": partial(ask, board_only=True),
            },
            runs=9,
        )
    large = root.games > MANY
    goals = {"root": 0.020 if large else 0.010, "root, filtered": 0.5 if large else 0.050}
    heading("opening tree, warm", f"{root.games:,} games from the empty board of 37 rings")
    for name, timing in took.items():
        row(name, timing, goal=goals.get(name))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as work:
            import_paths(made_up(Path(work) / "games", GAMES), Path(work) / "made-up.zertz")
            main(Path(work) / "made-up.zertz")
