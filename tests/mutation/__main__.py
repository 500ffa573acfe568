"""Mutation tests: change the source at random, and see if the tests notice.

    python -m tests.mutation --number 300 --seed 7

Each change is made in a copy of the checkout (`build/mutation`), never in the checkout itself. The test files nearest to the changed
module run first, a few at a time, until a test fails or they used the limit of processor time. A mutant that no test notices is printed
as a difference. It either changes no behaviour, or a test is missing. A test that fails without a mutant too notices nothing.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

from tests.mutation.mutants import ROOMS, Mutant, choose_mutants
from tests.mutation.near_tests import NearTests
from tests.mutation.trial import (
    ENDLESS,
    FOLDER,
    NOTICED,
    ROOT,
    SURVIVED,
    Answer,
    copy_checkout,
    import_packages,
    run_tests,
)

_ASKING = ("api", "cli", "engine", "export", "queries", "tactics", "variations")
"""Rooms whose code takes no part in an import."""
_COMPILED = ("boardspace", "engine", "play", "rules", "tactics")
"""Rooms with modules that numba compiles."""


def main() -> int:
    """Try the mutants; return 1 if any survived."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=300, help="number of mutants (default: 300)")
    parser.add_argument("--skip", type=int, default=0, help="number of them that were tried before (default: 0)")
    parser.add_argument("--only", type=int, nargs="+", help="try only the mutants with these numbers")
    parser.add_argument("--seed", type=int, default=1, help="choice of mutants (default: 1)")
    parser.add_argument("--rooms", nargs="+", default=list(ROOMS), help="folders to change (default: all rooms)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="number of processes (default: one per core)")
    parser.add_argument("--limit", type=float, default=60, help="processor seconds for each mutant (default: 60)")
    arguments = parser.parse_args()

    names = _tracked()
    near = NearTests(ROOT, names)
    chosen = list(enumerate(choose_mutants(ROOT, arguments.number, arguments.seed, tuple(arguments.rooms)), 1))
    chosen = [each for each in chosen[arguments.skip :] if not arguments.only or each[0] in arguments.only]
    import_packages()
    copies: Queue[Path] = Queue()
    for job in range(arguments.jobs):
        copies.put(copy_checkout(FOLDER / str(job), names))
    outcomes: Counter[str] = Counter()
    trials = Trials(near, copies, arguments.limit)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        tried = pool.map(lambda each: (*each, trials.try_mutant(each[1])), chosen)
        for number, mutant, answer in tried:
            outcomes[answer.outcome] += 1
            print(
                f"{number} {mutant.path}:{mutant.line} {mutant.what}: {answer.outcome} ({answer.seconds:.0f} s) {answer.test}",
                flush=True,
            )
            if answer.outcome == SURVIVED:
                print(_difference(mutant), flush=True)
    noticed = outcomes[NOTICED] + outcomes[ENDLESS]
    print(f"{noticed} of {len(chosen)} mutants noticed ({noticed / len(chosen):.0%}); {dict(outcomes)}", flush=True)
    return int(noticed < len(chosen))


def _tracked() -> list[str]:
    command = ["git", "ls-files", "-z"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [name for name in filter(None, names.split("\0")) if (ROOT / name).exists()]


class Trials:
    """Trials of mutants in copies of the checkout."""

    def __init__(self, near: NearTests, copies: Queue[Path], limit: float) -> None:
        """limit: seconds of tests for each mutant."""
        self._near, self._copies, self._limit = near, copies, limit
        self._sound: dict[tuple[str, bool], bool] = {}

    def try_mutant(self, mutant: Mutant) -> Answer:
        """Run the nearest tests in a free copy, a few test files at a time."""
        copy, spent = self._copies.get(), 0.0
        interpreted = _is_compiled(mutant)
        rebuild = not (mutant.path.parts[0] == "dashboards" or mutant.path.parts[1] in _ASKING)
        try:
            for tests in _portions(self._near.tests_of(mutant.path)):
                answer = Answer(NOTICED, "", 0)
                while answer.outcome == NOTICED:
                    # Python and numba tell sources apart by size and time: a mutant is younger than the source.
                    (copy / mutant.path).write_bytes(mutant.apply((ROOT / mutant.path).read_bytes()))
                    without = [test for (test, how), sound in self._sound.items() if how == interpreted and not sound]
                    answer = run_tests(
                        copy, tests, self._limit - spent, without, interpreted=interpreted, rebuild=rebuild
                    )
                    spent += answer.seconds
                    shutil.copy2(ROOT / mutant.path, copy / mutant.path)
                    if self._is_sound(copy, answer.test, interpreted):
                        break
                if answer.outcome != SURVIVED or spent > self._limit:
                    return answer._replace(seconds=spent)
            return Answer(SURVIVED, "", spent)
        finally:
            self._copies.put(copy)

    def _is_sound(self, copy: Path, test: str, interpreted: bool) -> bool:
        """Return whether a test passes without a mutant; a failure at an import has no test."""
        if test and (test, interpreted) not in self._sound:
            answer = run_tests(copy, [test], self._limit, interpreted=interpreted)
            self._sound[test, interpreted] = answer.outcome == SURVIVED
        return not test or self._sound[test, interpreted]


def _portions(tests: list[str]) -> Iterator[list[str]]:
    """Split a list: each portion is twice as long as the one before."""
    start, size = 0, 2
    while start < len(tests):
        yield tests[start : start + size]
        start, size = start + size, size * 2


def _is_compiled(mutant: Mutant) -> bool:
    """Return whether numba compiles the module. Its mutants run interpreted: to compile one takes minutes."""
    name = mutant.path.stem
    if mutant.path.parts[1] not in _COMPILED:
        return False
    if name in ("board", "rule_sets"):
        return True
    listed = re.compile(rf'_MODULES = \([^)]*"(\w+\.)*{name}"|functions_with\([^)]*"{name}"')
    return any(listed.search(path.read_text("utf-8")) for path in (ROOT / "zertz_db").rglob("*.py"))


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
