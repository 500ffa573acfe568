"""Results of `make bench`: rows on the page of performance, and the verdict on a value by the one before."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"
TOLERANCE = 0.1
"""Share by which an accepted value may be missed."""
MISSED, MISSED_TWICE = "missed", "missed twice"
_EMPTY = "\N{EM DASH}"


class Measured(NamedTuple):
    """A measured value with its limits.

    ratio: to the floor, or None without a floor. accepted, goal: limits of the ratio, or of the value without a floor: maxima, or minima
    with `at_least`.
    """

    input: str
    what: str
    value: float
    floor: float | None
    ratio: float | None
    accepted: float
    goal: float | None
    at_least: bool

    @property
    def judged(self) -> float:
        """Return the number that the limits are for."""
        return self.value if self.ratio is None else self.ratio


class Circumstances(NamedTuple):
    """When, of which commit and where something was measured."""

    date: str
    commit: str
    cores: str
    python: str


class Result(NamedTuple):
    """A row of the page, as texts."""

    date: str
    commit: str
    cores: str
    python: str
    input: str
    what: str
    value: str
    floor: str
    ratio: str
    accepted: str
    goal: str
    verdict: str

    @property
    def key(self) -> tuple[str, ...]:
        """Return what two results must have in common to be compared."""
        return self.cores, self.python, self.input, self.what

    @property
    def judged(self) -> float:
        """Return the number that the limits are for."""
        return float(self.value if self.ratio == _EMPTY else self.ratio)


def is_missed(value: float, accepted: float, at_least: bool = False) -> bool:
    """Return whether an accepted value is missed by more than the tolerance."""
    return value < accepted * (1 - TOLERANCE) if at_least else value > accepted * (1 + TOLERANCE)


def judge(previous: float | None, measured: Measured) -> str:
    """Return the verdict on a value. previous: the value of the run before, of the same input on the same machine; None without one."""
    now, accepted, goal = measured.judged, measured.accepted, measured.goal
    if is_missed(now, accepted, measured.at_least):
        was_missed = previous is not None and is_missed(previous, accepted, measured.at_least)
        return MISSED_TWICE if was_missed else MISSED
    if goal is not None and _reaches(now, goal, measured.at_least):
        return "goal"
    return "accepted" if _reaches(now, accepted, measured.at_least) else "within 10 %"


def describe_circumstances() -> Circumstances:
    """Return date, commit (with + if files differ from it), number of cores and version of Python."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    commit = _git("rev-parse", "--short", "HEAD") or "unknown"
    changes = _git("status", "--porcelain", "--untracked-files=no", "--", ".", f":!{PAGE.parent.name}/{PAGE.name}")
    today = datetime.now(UTC).date().isoformat()
    return Circumstances(today, commit + "+" * bool(changes), str(cores), sys.version.split()[0])


def _git(*arguments: str) -> str:
    """Return the output of git; "" if it fails, or if there is no git."""
    program = shutil.which("git")
    if program is None:
        return ""
    done = subprocess.run([program, *arguments], cwd=PAGE.parents[1], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def read_results(page: Path) -> list[Result]:
    """Return the results on a page, oldest first. Raise ValueError if it has no table of results."""
    lines = page.read_text("utf-8").splitlines()
    head = _line(Result._fields)
    if head not in lines:
        raise ValueError(f"{page} has no table of results: {head}")
    begin = lines.index(head) + 2
    rows = (tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in lines[begin:] if line)
    return [Result(*cells) for cells in rows]


def add_results(page: Path, run: Circumstances, measured: list[Measured]) -> list[Result]:
    """Judge values by the results on a page, append them to its table, and return them. The table is the end of the page."""
    before = {result.key: result.judged for result in read_results(page)}
    results = []
    for one in measured:
        key = run.cores, run.python, one.input, one.what
        results.append(_to_result(run, one, judge(before.get(key), one)))
    with page.open("a", encoding="utf-8") as file:
        file.writelines(_line(result) + "\n" for result in results)
    return results


def find_losses(results: list[Result]) -> list[str]:
    """Return a sentence for each accepted value that was missed twice in a row."""
    return [
        f"{result.what} ({result.input}): {result.judged:g}, accepted {result.accepted}, "
        f"missed by more than {100 * TOLERANCE:g} % twice in a row"
        for result in results
        if result.verdict == MISSED_TWICE
    ]


def _to_result(run: Circumstances, one: Measured, verdict: str) -> Result:
    symbol = "≥" if one.at_least else "≤"
    limits = (_EMPTY if limit is None else f"{symbol} {limit:.4g}" for limit in (one.accepted, one.goal))
    numbers = (_EMPTY if number is None else f"{number:.4g}" for number in (one.value, one.floor, one.ratio))
    return Result(*run, one.input.replace("|", "/"), one.what.replace("|", "/"), *numbers, *limits, verdict)


def _reaches(value: float, limit: float, at_least: bool) -> bool:
    return value >= limit if at_least else value <= limit


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"
