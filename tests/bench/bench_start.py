"""Cold starts of the command, each a process of its own: python -m tests.bench.bench_start."""

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from tests.bench.timing import heading, row, side_by_side
from zertz_db.ingest.import_paths import import_paths

GAME = '[Board "37"]\n\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns\n'
ZERTZ = "from zertz_db.cli.main import main; main()"


def run(code: str, *arguments: str) -> None:
    subprocess.run([sys.executable, "-c", code, *arguments], check=False, capture_output=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file, database = Path(folder) / "game.txt", Path(folder) / "games.zertz"
        file.write_text(GAME, encoding="utf-8")
        import_paths([file], database)
        took = side_by_side(
            {
                "python": partial(run, "pass"),
                "check": partial(run, ZERTZ, "check", str(file)),
                "games": partial(run, ZERTZ, "games", "--limit", "5", "--db", str(database)),
            },
            runs=9,
        )
    heading("cold start", "one game")
    row("python -c pass", took["python"])
    row("zertz check FILE", took["check"], goal=0.4)
    row("zertz games --limit 5", took["games"], goal=0.6)


if __name__ == "__main__":
    main()
