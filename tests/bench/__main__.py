"""Run all benchmarks, and append their results to the page of performance: python -m tests.bench --help.

The exit status is 1 if an accepted value is missed by more than 10 % in this run and in the one before, of the same input, number of
cores and Python.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.results import PAGE, Measured, add_results, describe_circumstances, find_losses, read_results
from tests.bench.timing import ROWS_VARIABLE

_HERE = Path(__file__).parent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("only", nargs="*", help="names of benchmarks, such as bench_start; default: all")
    parser.add_argument("--page", type=Path, default=PAGE, help="page that the results are appended to")
    parser.add_argument("--no-record", action="store_true", help="append nothing")
    wanted = parser.parse_args()
    read_results(wanted.page)  # an hour later it would be too late to find that it has no table
    run = describe_circumstances()
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.jsonl"
        rows.touch()
        failed = [name for name in _find_modules(wanted.only) if not _run_module(name, rows)]
        measured = [Measured(*json.loads(line)) for line in rows.read_text("utf-8").splitlines()]
        page = wanted.page
        if wanted.no_record:
            page = Path(folder) / PAGE.name
            page.write_bytes(wanted.page.read_bytes())
        results = add_results(page, run, measured)
    problems = [*(f"{name} failed" for name in failed), *find_losses(results)]
    print(f"\n{len(results)} results{'' if wanted.no_record else f' appended to {page}'}")
    print(*problems, sep="\n")
    return int(bool(problems))


def _find_modules(only: list[str]) -> list[str]:
    """Return the names of benchmarks, all or some."""
    files = sorted(_HERE.rglob("bench_*.py"))
    unknown = set(only) - {file.stem for file in files}
    if unknown:
        raise SystemExit(f"there is no benchmark {', '.join(sorted(unknown))}")
    chosen = (file for file in files if not only or file.stem in only)
    return [".".join(("tests.bench", *file.relative_to(_HERE).with_suffix("").parts)) for file in chosen]


def _run_module(name: str, rows: Path) -> bool:
    return (
        subprocess.run(
            [sys.executable, "-m", name], check=False, env={**os.environ, ROWS_VARIABLE: str(rows)}
        ).returncode
        == 0
    )


if __name__ == "__main__":
    sys.exit(main())
