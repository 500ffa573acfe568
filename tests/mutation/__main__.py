"""Mutation tests: change the source at random, and see if the tests notice.

    python -m tests.mutation --number 300 --seed 7

Each change is made in a copy of the checkout (`build/mutation`), never in the checkout itself. The test files nearest to the changed
module run first, a few at a time, until a test fails or they used the limit of processor time. A mutant that no test notices is printed
as a difference. It either changes no behaviour, or a test is missing. At the end the tests that failed run without a mutant.
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
from tests.mutation.trial import ENDLESS, FOLDER, NOTICED, ROOT, SURVIVED, Answer, import_packages, run_tests

_ASKING = ("api", "cli", "engine", "export", "queries", "tactics", "variations")
"""Rooms whose code takes no part in an import."""


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
        copies.put(_copy(FOLDER / str(job), names))
    outcomes: Counter[str] = Counter()
    failed: dict[bool, set[str]] = {False: set(), True: set()}
    with ThreadPoolExecutor(arguments.jobs) as pool:
        tried = pool.map(lambda each: (*each, _try(each[1], near, copies, arguments.limit)), chosen)
        for number, mutant, answer in tried:
            outcomes[answer.outcome] += 1
            failed[_is_compiled(mutant)].add(answer.test)
            print(
                f"{number} {mutant.path}:{mutant.line} {mutant.what}: {answer.outcome} ({answer.seconds:.0f} s) {answer.test}",
                flush=True,
            )
            if answer.outcome == SURVIVED:
                print(_difference(mutant), flush=True)
    noticed = outcomes[NOTICED] + outcomes[ENDLESS]
    print(f"{noticed} of {len(chosen)} mutants noticed ({noticed / len(chosen):.0%}); {dict(outcomes)}", flush=True)
    for interpreted, tests in failed.items():
        for test in sorted(tests - {""}):
            if run_tests(copies.queue[0], [test], arguments.limit, interpreted=interpreted).outcome != SURVIVED:
                print(f"{test} fails without a mutant too: it noticed nothing")
    return int(noticed < len(chosen))


def _tracked() -> list[str]:
    command = ["git", "ls-files", "-z"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [name for name in filter(None, names.split("\0")) if (ROOT / name).is_file()]


def _copy(folder: Path, names: list[str]) -> Path:
    """Copy the checkout; compiled code that an earlier run stored in the folder stays."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    return folder


def _try(mutant: Mutant, near: NearTests, copies: Queue[Path], limit: float) -> Answer:
    """Run the nearest tests in a free copy, a few test files at a time."""
    copy = copies.get()
    interpreted = _is_compiled(mutant)
    rebuild = not (mutant.path.parts[0] == "dashboards" or mutant.path.parts[1] in _ASKING)
    spent = 0.0
    try:
        # Python and numba tell sources apart by size and time: a mutant is younger than the source.
        (copy / mutant.path).write_bytes(mutant.apply((ROOT / mutant.path).read_bytes()))
        for tests in _portions(near.tests_of(mutant.path)):
            answer = run_tests(copy, tests, limit - spent, interpreted=interpreted, rebuild=rebuild)
            spent += answer.seconds
            if answer.outcome != SURVIVED or spent > limit:
                return answer._replace(seconds=spent)
        return Answer(SURVIVED, "", spent)
    finally:
        shutil.copy2(ROOT / mutant.path, copy / mutant.path)
        copies.put(copy)


def _portions(tests: list[str]) -> Iterator[list[str]]:
    """Split a list: each portion is twice as long as the one before."""
    start, size = 0, 2
    while start < len(tests):
        yield tests[start : start + size]
        start, size = start + size, size * 2


def _is_compiled(mutant: Mutant) -> bool:
    """Return whether numba compiles the module. Its mutants run interpreted: to compile one takes minutes."""
    if mutant.path.stem in ("board", "rule_sets"):
        return mutant.path.parts[1] == "rules"
    name = re.compile(rf'_MODULES = \([^)]*"(\w+\.)*{mutant.path.stem}"|functions_with\([^)]*"{mutant.path.stem}"')
    return any(name.search(path.read_text()) for path in (ROOT / "zertz_db").rglob("*.py"))


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
