"""Cold starts of the command, each a process of its own: python -m tests.bench.bench_start [RUNS].

Seconds on the clock are the least of all runs; processor time is the median.
"""

import resource
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from tests.bench.timing import ZERTZ, Timing, heading, row, whole_process_environment
from zertz_db import samples
from zertz_db.ingest.import_paths import import_paths

GOAL, ACCEPTED = 0.15, 0.2


def run(command: tuple[str, ...]) -> tuple[float, float]:
    """Return seconds on the clock and of the processor of a process, its children's included."""
    environment = whole_process_environment()
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=False, capture_output=True, env=environment)
    seconds, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(runs: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file, database = Path(folder) / "game.sgf", Path(folder) / "games.zertz"
        with zipfile.ZipFile(samples.folder() / "server-37.zip") as archive:
            file.write_bytes(archive.read(archive.namelist()[0]))
        import_paths([file], database)
        starts: dict[str, tuple[str, ...]] = {
            "python -c pass": (sys.executable, "-c", "pass"),
            "import zertz_db": (sys.executable, "-c", "import zertz_db"),
            "zertz --help": (*ZERTZ, "--help"),
            "zertz check FILE": (*ZERTZ, "check", str(file)),
            "zertz games --limit 5": (*ZERTZ, "games", "--limit", "5", "--db", str(database)),
            "zertz stats": (*ZERTZ, "stats", "--db", str(database)),
        }
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in starts}
        for _ in range(runs):  # in turns, so that a busy moment of the machine affects all of them
            for name, command in starts.items():
                taken[name].append(run(command))
    heading("cold starts, whole processes", "one game")
    for name, times in taken.items():
        is_limited = name in ("zertz --help", "zertz check FILE")
        limits = {"goal": GOAL, "accepted": ACCEPTED} if is_limited else {}
        row(f"{name}, seconds", min(clock for clock, _ in times), **limits)
        processor = [worked for _, worked in times]
        row("  processor time", Timing(statistics.median(processor), max(processor) - min(processor)))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
