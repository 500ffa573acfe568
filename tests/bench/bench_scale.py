"""Whether size matters: time and memory of imports, small additions, look-ups. python -m tests.bench.bench_scale --help."""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from tests.bench.material import bytes_of, made_up
from tests.bench.timing import Timing, heading, limits, measure, row
from zertz_db.play.write_files import GAMES_PER_FILE
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

LOOK_UPS = 300
FIRST_PLIES = 8
ADDED = 100
_PATIENCE = 0.25
_MILLION = 1_000_000
_ZERTZ = "from zertz_db.cli.main import main; main()"


def memory(process: int) -> int:
    """Bytes that a process and its descendants occupy, pages that they share counted once; 0 where Linux is not there to say."""
    total = 0
    with suppress(OSError, ValueError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text("ascii").splitlines():
            if line.startswith("Pss:"):
                total += 1024 * int(line.split()[1])
        for task in Path(f"/proc/{process}/task").iterdir():
            total += sum(map(memory, map(int, (task / "children").read_text("ascii").split())))
    return total


def imported(source: Path, folder: Path) -> tuple[float, int]:
    """Seconds and peak memory of an import in a process of its own."""
    begin = time.perf_counter()
    command = [sys.executable, "-c", _ZERTZ, "import", str(source), "--db", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        peak = 0
        while process.poll() is None:
            peak = max(peak, memory(process.pid))
            time.sleep(_PATIENCE)
    if process.returncode:
        raise SystemExit(f"the import failed: {' '.join(command)}")
    return time.perf_counter() - begin, peak


def look_up(database: Database) -> Timing:
    """Measure the search for one position by its key, other than the first ones that most games have."""
    connection = database.connection()
    step = max(connection.execute("SELECT count(*) FROM _position").fetchall()[0][0] // LOOK_UPS, 1)
    some = f"SELECT key FROM _position WHERE rowid % {step} = 0 AND ply >= {FIRST_PLIES}"
    keys = [key for (key,) in connection.execute(some).fetchall()]

    def find() -> None:
        for key in keys:
            connection.execute("SELECT game, ply FROM _position WHERE key = ?", [key]).fetchall()

    find()
    whole = measure(find)
    return Timing(whole.median / len(keys), whole.spread / len(keys))


def some_of(files: list[Path], games: int, folder: Path) -> Path:
    """Fill a folder with copies of the first files."""
    folder.mkdir()
    for file in files[: games // GAMES_PER_FILE]:
        shutil.copyfile(file, folder / file.name)
    return folder


def bench(games: Path, small: int, work: Path) -> None:
    files = sorted(games.iterdir())
    large = GAMES_PER_FILE * len(files)
    more = made_up(work / "more", ADDED, seed=1_000_003)
    assert len(more) == 1
    heading("scale", f"made-up games, {small:,} and {large:,}")
    some = some_of(files, small, work / "some")
    short, low = imported(some, work / "small.zertz")
    shutil.rmtree(work / "small.zertz")
    folder = work / "large.zertz"
    long, high = imported(games, folder)
    row("seconds a thousand games (floor: the small import)", 1000 * long / large, 1000 * short / small, 1.15)
    row("peak memory in MB (floor: the small import)", high / _MILLION, low / _MILLION, 1.15)
    is_million = large == _MILLION
    row("games imported, seconds", long, **limits(110, 140, is_million))
    row("peak memory in MB", high / _MILLION, goal=900, accepted=900)
    with open_database(folder) as database:
        connection = database.connection()
        positions = connection.execute("SELECT count(*) FROM _position").fetchall()[0][0]
        row(
            "bytes a position on disk, nodes included",
            bytes_of(connection, "position", "node") / positions,
            goal=60,
            accepted=70,
        )
        before = look_up(database)
    again, _ = imported(games, folder)
    row("import of what is known", again, goal=2)
    added, _ = imported(work / "more", folder)
    row(f"{ADDED} games more, seconds", added, goal=1, accepted=2)
    with open_database(folder) as database:
        row("a position found (floor: before these)", look_up(database), before, 1.15)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", type=int, default=2_000, help="games of the smaller import")
    parser.add_argument("--large", type=int, default=10_000, help="games of the larger import")
    parser.add_argument("--full", action="store_true", help="50,000 and 1,000,000 games")
    parser.add_argument("--games", type=Path, help="a folder of the larger import's games, generated before")
    parser.add_argument("--work", type=Path, help="a folder for some gigabytes, emptied at the end")
    wanted = parser.parse_args()
    small, large = (50_000, 1_000_000) if wanted.full else (wanted.small, wanted.large)
    with tempfile.TemporaryDirectory(dir=wanted.work) as work:
        games = wanted.games or Path(work) / "games"
        if not wanted.games:
            made_up(games, large)
        bench(games, small, Path(work))


if __name__ == "__main__":
    main()
