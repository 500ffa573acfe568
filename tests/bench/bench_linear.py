"""Checking is linear: time for each megabyte and memory, on files of 1, 10 and 100 MB: python -m tests.bench.bench_linear --help."""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from tests.bench.timing import heading, row
from zertz_db.ingest.check_files import check_paths
from zertz_db.parser.boardspace.writer import write as write_server
from zertz_db.parser.gipf.writer import write
from zertz_db.play.generate import generate_games

MEGABYTE = 1_000_000
_LONG_ENOUGH = 10
"""Seconds after which no measurement is repeated."""
GAMES = 1500
FURTHEST = 1.2
"""Maximum ratio between the times for a megabyte of the largest and the smallest file, either way."""

_ONE_LINE = "official notation in one line"
_MOST_IN_ONE_LINE = 10
"""Megabytes. Games without tags in one line are told apart and explained one by one, which takes seconds for each megabyte."""


def official(folder: Path, size: int, games: list[str]) -> Path:
    """Write one file with many games."""
    return repeated(folder / "games.txt", "\n".join(games) + "\n", size)


def one_line(folder: Path, size: int, games: list[str]) -> Path:
    """Write only the moves, in one line."""
    moves = (" ".join(game.rpartition('"]\n')[2].split()) for game in games)
    return repeated(folder / "line.txt", " ".join(moves) + " ", size)


def server_file(folder: Path, size: int, games: list[str]) -> Path:
    """Write one file with many games of the server."""
    return repeated(folder / "games.sgf", "".join(games), size)


def server_archive(folder: Path, size: int, games: list[str]) -> Path:
    """Write a zip with one game per member."""
    path = folder / "games.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        written = number = 0
        while written < size:
            game = games[number % len(games)]
            archive.writestr(f"{number}.sgf", game)
            written, number = written + len(game), number + 1
    return path


def repeated(path: Path, text: str, size: int) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        written = 0
        while written < size:
            written += file.write(text)
    return path


KINDS: dict[str, tuple[Callable[[Path, int, list[str]], Path], bool]] = {
    "official notation in one file": (official, False),
    _ONE_LINE: (one_line, False),
    "server files in one file": (server_file, True),
    "server files in a zip": (server_archive, True),
}


def unpacked(path: Path) -> int:
    """Bytes of records in a file."""
    if not zipfile.is_zipfile(path):
        return path.stat().st_size
    with zipfile.ZipFile(path) as archive:
        return sum(member.file_size for member in archive.infolist())


def measured(path: Path, small: Path) -> tuple[float, float]:
    """Seconds of processor time that a check takes, and megabytes of memory at most, in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.bench_linear", "--child", str(path), "--warm", str(small)]
    alone = {**os.environ, "ZERTZ_WORKERS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=alone)
    seconds, memory = json.loads(done.stdout)
    return seconds, memory


def child(path: str, small: str) -> None:
    """Measure in this process, after everything is loaded and compiled."""
    for _ in check_paths([small]):
        pass
    times: list[float] = []
    while not times or (len(times) < 5 and sum(times) < _LONG_ENOUGH):
        begin = time.process_time()
        for _ in check_paths([path]):
            pass
        times.append(time.process_time() - begin)
    print(json.dumps([min(times), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sizes", type=int, nargs="+", default=[1, 10, 100], help="megabytes")
    options.add_argument("--runs", type=int, default=3, help="number of runs; the shortest counts")
    options.add_argument("--only", default="", help="only the kinds whose names have this in them")
    options.add_argument("--child", help=argparse.SUPPRESS)
    options.add_argument("--warm", help=argparse.SUPPRESS)
    wanted = options.parse_args()
    if wanted.child:
        child(wanted.child, wanted.warm)
        return
    records = list(generate_games(GAMES, seed=11))
    texts = {False: [write(record) for record in records], True: [write_server(record) for record in records]}
    with tempfile.TemporaryDirectory() as name:
        for kind, (make, is_server) in KINDS.items():
            if wanted.only not in kind:
                continue
            heading(kind, f"{GAMES} made-up games, repeated")
            small = make(Path(name), MEGABYTE, texts[is_server]).rename(Path(name) / f"small-{make.__name__}.txt")
            per_megabyte = []
            for size in wanted.sizes:
                if kind == _ONE_LINE and size > _MOST_IN_ONE_LINE:
                    continue
                path = make(Path(name), size * MEGABYTE, texts[is_server])
                runs = [measured(path, small) for _ in range(wanted.runs)]
                seconds = min(run[0] for run in runs) / unpacked(path) * MEGABYTE
                memory = min(run[1] for run in runs)
                per_megabyte.append(seconds)
                row(f"{size} MB: seconds of one core for a megabyte", seconds)
                row(f"{size} MB: megabytes of memory at most", memory)
            row("slowest to fastest", max(per_megabyte) / min(per_megabyte), goal=FURTHEST)


if __name__ == "__main__":
    main()
