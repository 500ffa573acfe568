"""Measure, and print the table of a benchmark: our time against a floor measured in the same run."""

import gc
import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

ARCHIVE = Path(os.environ.get("ZERTZ_ARCHIVE", Path(__file__).parents[3] / "shared" / "archive" / "boardspace"))
"""The folder of a private archive of real records; it need not exist: benchmarks on it are then skipped."""

_WIDTHS = (54, 12, 12, 8, 10, 4)


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
            _rest()
            begin = time.perf_counter()
            function()
            taken[name].append(time.perf_counter() - begin)
    return {name: Timing(statistics.median(times), max(times) - min(times)) for name, times in taken.items()}


def _rest() -> None:
    """Collect garbage and flush the disk, so that no measurement pays for an earlier one."""
    gc.collect()
    if hasattr(os, "sync"):
        os.sync()


def heading(what: str, material: str) -> None:
    """Print the head of a table: the subject, the material, the command and the number of cores."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    command = " ".join(["python -m", f"tests.bench.{Path(sys.argv[0]).stem}", *sys.argv[1:]])
    print(f"\n{what}: {material}\n`{command}`, {cores} cores, Python {sys.version.split()[0]}")
    _print("what", "ours", "floor", "ratio", "goal", "ok")
    _print(*("-" * width for width in _WIDTHS))


def row(
    what: str,
    ours: Timing | float,
    floor: Timing | float | None = None,
    goal: float | None = None,
    *,
    at_least: bool = False,
) -> bool:
    """Print a line, and return whether the goal was reached.

    With a floor, the goal is for the ratio ours / floor, otherwise for ours itself. It is a maximum, or a minimum with `at_least`.
    """
    ratio = None if floor is None else _number(ours) / _number(floor)
    value = _number(ours) if ratio is None else ratio
    reached = goal is None or (value >= goal if at_least else value <= goal)
    symbol = "≥" if at_least else "≤"
    _print(
        what,
        _shown(ours),
        "" if floor is None else _shown(floor),
        "" if ratio is None else f"{ratio:.2f}",
        "" if goal is None else f"{symbol} {goal:,.10g}",
        "" if goal is None else "yes" if reached else "NO",
    )
    return reached


def _number(value: Timing | float) -> float:
    return value.median if isinstance(value, Timing) else value


def _shown(value: Timing | float) -> str:
    return str(value) if isinstance(value, Timing) else f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def _print(*cells: str) -> None:
    print("| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, _WIDTHS, strict=True)) + " |", flush=True)
