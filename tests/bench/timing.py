"""Measure, and print the table of a benchmark: our time against a floor measured in the same run.

Rows with an accepted value are results: `python -m tests.bench` writes them to the page of performance.
"""

import gc
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.bench.results import Measured

ARCHIVE = Path(os.environ.get("ZERTZ_ARCHIVE", Path(__file__).parents[3] / "shared" / "archive" / "boardspace"))
"""The folder of a private archive of real records; it need not exist: benchmarks on it are then skipped."""

ROWS_VARIABLE = "ZERTZ_BENCH_ROWS"
"""Environment variable: the file to which results are appended, a line of JSON for each."""
ZERTZ = (sys.executable, "-m", "zertz_db")
_WIDTHS = (54, 12, 12, 8, 10, 10, 4)


_input = ""
"""The material of the last heading."""


class Timing(NamedTuple):
    """Seconds that something took: the median of some runs, and how far apart the fastest and the slowest were."""

    median: float
    spread: float

    def __str__(self) -> str:
        return f"{self.median:.3g} s ±{self.spread / 2 / self.median:.0%}" if self.spread else f"{self.median:.3g} s"


def measure(function: Callable[[], object], runs: int = 5) -> Timing:
    """Return the time of a call of `function`. Call it once before if the first call does more, such as compiling."""
    return side_by_side({"": function}, runs)[""]


def side_by_side(functions: Mapping[str, Callable[[], object]], runs: int = 5) -> dict[str, Timing]:
    """Return the time of each, measured in turns, so that a busy moment of the machine affects all of them."""
    taken: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(runs):
        for name, function in functions.items():
            taken[name].append(_time_once(function))
    return {name: Timing(statistics.median(times), max(times) - min(times)) for name, times in taken.items()}


def least(function: Callable[[], object], runs: int = 3) -> float:
    """Return the least time of some runs."""
    return min(_time_once(function) for _ in range(runs))


def whole_process_environment() -> dict[str, str]:
    """Return the environment of whole processes: Python may keep its compiled files."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def limits(goal: float, accepted: float, apply: bool) -> dict[str, float]:
    """Return the limits of a row, if they apply to its input."""
    return {"goal": goal, "accepted": accepted} if apply else {}


def run_zertz(*arguments: object, workers: int | None = None) -> None:
    """Run the command as a whole process. SystemExit unless it ends with 0, or with 1 for findings."""
    environment = whole_process_environment() | ({} if workers is None else {"ZERTZ_WORKERS": str(workers)})
    command = [*ZERTZ, *map(str, arguments)]
    done = subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
    if done.returncode > 1:
        raise SystemExit(f"zertz {arguments[0]} failed: {done.stderr.decode(errors='replace')[-500:]}")


def _time_once(function: Callable[[], object]) -> float:
    _rest()
    begin = time.perf_counter()
    function()
    return time.perf_counter() - begin


def _rest() -> None:
    """Collect garbage and flush the disk, so that no measurement pays for an earlier one."""
    gc.collect()
    if hasattr(os, "sync"):
        os.sync()


def heading(what: str, material: str) -> None:
    """Print the head of a table: the subject, the material, the command and the number of cores."""
    global _input
    _input = material
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    command = " ".join(["python -m", f"tests.bench.{Path(sys.argv[0]).stem}", *sys.argv[1:]])
    print(f"\n{what}: {material}\n`{command}`, {cores} cores, Python {sys.version.split()[0]}")
    _print("what", "ours", "floor", "ratio", "accepted", "goal", "ok")
    _print(*("-" * width for width in _WIDTHS))


def row(
    what: str,
    ours: Timing | float,
    floor: Timing | float | None = None,
    goal: float | None = None,
    *,
    accepted: float | None = None,
    at_least: bool = False,
) -> None:
    """Print a line; note it as a result if it has an accepted value.

    With a floor, the accepted value and the goal are for the ratio ours / floor, otherwise for ours itself. They are maxima, or minima
    with `at_least`.
    """
    ratio = None if floor is None else _number(ours) / _number(floor)
    value = _number(ours) if ratio is None else ratio
    limit = goal if accepted is None else accepted
    reached = limit is None or (value >= limit if at_least else value <= limit)
    symbol = "≥" if at_least else "≤"
    _print(
        what,
        _shown(ours),
        "" if floor is None else _shown(floor),
        "" if ratio is None else f"{ratio:.2f}",
        *("" if one is None else f"{symbol} {one:,.10g}" for one in (accepted, goal)),
        "" if limit is None else "yes" if reached else "NO",
    )
    if accepted is not None and ROWS_VARIABLE in os.environ:
        numbers = _number(ours), None if floor is None else _number(floor), ratio
        measured = Measured(_input, what.strip(), *numbers, accepted, goal, at_least)
        with Path(os.environ[ROWS_VARIABLE]).open("a", encoding="utf-8") as file:
            file.write(json.dumps(measured) + "\n")


def _number(value: Timing | float) -> float:
    return value.median if isinstance(value, Timing) else value


def _shown(value: Timing | float) -> str:
    return str(value) if isinstance(value, Timing) else f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def _print(*cells: str) -> None:
    print("| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, _WIDTHS, strict=True)) + " |", flush=True)
