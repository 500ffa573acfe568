"""Mutation tests: change the source at random, and see if the tests notice.

    python -m tests.mutation --number 300 --seed 1

Each change is made in a copy of the checkout, never in the checkout itself. First the tests run once under coverage (minutes), which
finds the tests that run each line; then those run on each mutant, quickest first. A mutant that no test notices is printed as a
difference. It either changes no behaviour, or a test is missing.
"""

from __future__ import annotations

import argparse
import difflib
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

from tests.mutation import choice as choices
from tests.mutation.mutants import ROOMS, Mutant, choose_mutants

ROOT = Path(__file__).resolve().parents[2]
TESTS = [
    "parser",
    "rules",
    "check",
    "store",
    "queries",
    "ingest",
    "maintain",
    "edit",
    "export",
    "cluster",
    "play",
    "cli",
    "api",
    "dashboards",
    "project",
]
NOTICED, ENDLESS, SURVIVED, UNTESTED = "noticed", "no end", "SURVIVED", "NO TEST"


def main() -> int:
    """Try the mutants; return 1 if any survived."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=300, help="number of mutants (default: 300)")
    parser.add_argument("--skip", type=int, default=0, help="number of them that were tried before (default: 0)")
    parser.add_argument("--seed", type=int, default=1, help="choice of mutants (default: 1)")
    parser.add_argument("--rooms", nargs="+", default=list(ROOMS), help="folders to change (default: all rooms)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="number of processes (default: one per core)")
    parser.add_argument("--limit", type=float, default=60, help="seconds of tests for each mutant (default: 60)")
    parser.add_argument("--map", type=Path, help="file that keeps which tests run which line, for the next time")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        chosen = choose_mutants(ROOT, arguments.number, arguments.seed, tuple(arguments.rooms))[arguments.skip :]
        copies: Queue[Path] = Queue()
        for job in range(arguments.jobs):
            copies.put(_copy(Path(folder) / str(job)))
        choice = _choice(arguments.map or Path(folder) / "map", copies.queue[0])
        outcomes: Counter[str] = Counter()
        with ThreadPoolExecutor(arguments.jobs) as pool:
            tried = pool.map(lambda mutant: (mutant, _try(mutant, choice, copies, arguments.limit)), chosen)
            for number, (mutant, outcome) in enumerate(tried, 1 + arguments.skip):
                outcomes[outcome] += 1
                print(f"{number}/{arguments.number} {mutant.path}:{mutant.line} {mutant.what}: {outcome}", flush=True)
                if outcome in (SURVIVED, UNTESTED):
                    print(_difference(mutant), flush=True)
    noticed = outcomes[NOTICED] + outcomes[ENDLESS]
    print(f"{noticed} of {len(chosen)} mutants noticed ({noticed / len(chosen):.0%}); {dict(outcomes)}")
    return int(noticed < len(chosen))


def _choice(file: Path, copy: Path) -> choices.Choice:
    if file.exists():
        return choices.load(file)
    return choices.measure(copy, [f"tests/{name}" for name in TESTS], file.resolve())


def _copy(folder: Path) -> Path:
    command = ["git", "ls-files", "-z"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    return folder


def _try(mutant: Mutant, choice: choices.Choice, copies: Queue[Path], limit: float) -> str:
    """Run the tests of the changed line in a free copy. A run that does not end counts as noticed, but on a busy machine it may be slow."""
    tests = choice.tests_of(mutant.path, mutant.line, limit) or _tests_of_room(mutant.path)
    if not tests:
        return UNTESTED
    copy = copies.get()
    try:
        source = (ROOT / mutant.path).read_bytes()
        (copy / mutant.path).write_bytes(mutant.apply(source))
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
        environment = os.environ | {
            "PYTHONPATH": str(copy),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_CACHE_DIR": str(copy / ".numba"),
        }
        try:
            run = subprocess.run(
                command, cwd=copy, env=environment, capture_output=True, timeout=limit * 5, check=False
            )
        except subprocess.TimeoutExpired:
            return ENDLESS
        return NOTICED if run.returncode in (1, 2, 3) else SURVIVED
    finally:
        (copy / mutant.path).write_bytes((ROOT / mutant.path).read_bytes())
        copies.put(copy)


def _tests_of_room(path: Path) -> list[str]:
    """Return the folder of tests for code that runs on import, and so belongs to no test."""
    name = {"parser": "parser", "dashboards": "dashboards"}.get(
        path.parts[0], path.parts[1] if len(path.parts) > 2 else "project"
    )
    return [f"tests/{name}"] if (ROOT / "tests" / name).is_dir() else []


def _difference(mutant: Mutant) -> str:
    before = (ROOT / mutant.path).read_bytes()
    lines = difflib.unified_diff(
        before.decode().splitlines(),
        mutant.apply(before).decode().splitlines(),
        str(mutant.path),
        "mutant",
        lineterm="",
        n=2,
    )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
