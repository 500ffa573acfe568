"""Cold starts of the command, each a process of its own, in processor time: python -m tests.bench.bench_start [RUNS]."""

import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.timing import Timing, heading, row
from zertz_db.ingest.import_paths import import_paths

GAME = '[Board "37"]\n\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns\n'
ZERTZ = "from zertz_db.cli.main import main; main()"


def run(code: str, *arguments: str) -> float:
    """Return the processor time of a process, its children's included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code, *arguments], check=False, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(runs: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file, database = Path(folder) / "game.txt", Path(folder) / "games.zertz"
        file.write_text(GAME, encoding="utf-8")
        import_paths([file], database)
        starts: dict[str, tuple[str, ...]] = {
            "python -c pass": ("pass",),
            "import zertz_db": ("import zertz_db",),
            "zertz --help": (ZERTZ, "--help"),
            "zertz check FILE": (ZERTZ, "check", str(file)),
            "zertz games --limit 5": (ZERTZ, "games", "--limit", "5", "--db", str(database)),
        }
        taken: dict[str, list[float]] = {name: [] for name in starts}
        for _ in range(runs):  # in turns, so that a busy moment of the machine affects all of them
            for name, words in starts.items():
                taken[name].append(run(*words))
    heading("cold start, processor time", "one game")
    goals = {"zertz --help": 0.2, "zertz check FILE": 0.2}
    for name, times in taken.items():
        row(name, Timing(statistics.median(times), max(times) - min(times)), goal=goals.get(name))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
