"""Choose the tests that run a line: measured once by coverage, the quickest first."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import NamedTuple

_SETTINGS = """
[run]
source = parser,zertz_db,dashboards
dynamic_context = test_function
core = ctrace
"""


_FAILURES = 1
"""pytest's status if all tests ran, and some failed."""


class Choice(NamedTuple):
    """Which test functions run each line, and how long each takes.

    lines: by file, by line, names of test functions. seconds: by test function, all its cases together.
    """

    lines: dict[str, dict[str, list[str]]]
    seconds: dict[str, float]

    def tests_of(self, path: Path, line: int, limit: float) -> list[str]:
        """Return the tests that run the line, quickest first, until their time adds up to `limit` seconds."""
        names = sorted(
            self.lines.get(path.as_posix(), {}).get(str(line), ()), key=lambda name: self.seconds.get(name, 0)
        )
        chosen, total = [], 0.0
        for name in names:
            total += self.seconds.get(name, 0)
            if chosen and total > limit:
                break
            chosen.append(name)
        return chosen


def measure(root: Path, tests: list[str], file: Path) -> Choice:
    """Run the tests once under coverage, and store which lines they ran in `file`.

    A test that fails without a mutation proves nothing: its name is printed, and it is left out. Raises RuntimeError if pytest stops.
    """
    settings, data, times = file.with_suffix(".ini"), file.with_suffix(".coverage"), file.with_suffix(".xml")
    settings.write_text(_SETTINGS)
    coverage = [sys.executable, "-m", "coverage"]
    run = [
        *coverage,
        "run",
        f"--rcfile={settings}",
        f"--data-file={data}",
        "-m",
        "pytest",
        "-q",
        f"--junitxml={times}",
        *tests,
    ]
    if subprocess.run(run, cwd=root, check=False).returncode not in (0, _FAILURES):
        raise RuntimeError("pytest stopped before the end of the tests.")
    failed = _failed(times)
    if failed:
        print("left out, they fail without a mutation:", *sorted(failed), sep="\n  ", flush=True)
    report = file.with_suffix(".report")
    subprocess.run(
        [*coverage, "json", "-q", f"--rcfile={settings}", f"--data-file={data}", "--show-contexts", "-o", str(report)],
        cwd=root,
        check=True,
    )
    files = json.loads(report.read_text())["files"]
    lines = {
        name: {
            line: sorted({_node(test) for test in tests if test} - failed)
            for line, tests in each.get("contexts", {}).items()
        }
        for name, each in files.items()
    }
    choice = Choice(lines, _seconds(times))
    file.write_text(json.dumps(choice))
    return choice


def load(file: Path) -> Choice:
    """Read the file of `measure`."""
    return Choice(*json.loads(file.read_text()))


def _node(context: str) -> str:
    """Return pytest's name of a test function: `tests.store.test_ids.test_x` is in tests/store/test_ids.py."""
    parts = context.split(".")
    module = next(index for index, part in enumerate(parts) if part.startswith("test_")) + 1
    return "/".join(parts[:module]) + ".py::" + "::".join(parts[module:])


def _seconds(report: Path) -> dict[str, float]:
    seconds: dict[str, float] = {}
    for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314 - pytest's own file
        name = _node(f"{case.get('classname')}.{case.get('name', '').split('[')[0]}")
        seconds[name] = seconds.get(name, 0) + float(case.get("time", 0))
    return seconds


def _failed(report: Path) -> set[str]:
    return {
        _node(f"{case.get('classname')}.{case.get('name', '').split('[')[0]}")
        for case in ElementTree.parse(report).iter("testcase")  # noqa: S314 - pytest's own file
        if case.find("failure") is not None or case.find("error") is not None
    }
