"""Run test files on one mutant, in a forked process: large packages are imported once, before the first fork."""

from __future__ import annotations

import importlib
import math
import multiprocessing
import os
import resource
import shutil
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "mutation"
"""Copies of the checkout, with compiled code that later runs use."""

NOTICED, ENDLESS, SURVIVED = "noticed", "no end", "SURVIVED"

_PACKAGES = ("pytest", "hypothesis", "numpy", "pandas", "pyarrow.parquet", "duckdb", "numba", "streamlit.testing.v1")
_DATABASES = ("sample", "of_club", "puzzle_games", "imported_archives")
"""Fixtures of a whole session: a database, only to be read."""
_ENDLESS_CPU = 60
"""Seconds of processor time beyond the limit after which a test counts as endless."""
_ENDLESS_CLOCK = 1200
"""Seconds after which a run counts as endless: on a busy machine that is little work."""
_IDLE_CLOCK, _IDLE_CPU = 60, 0.5
"""Seconds, and seconds of processor time: a run that uses less in that time waits for something that never comes."""


def import_packages() -> None:
    """Import what most tests need, except the project's own modules. Later processes have the same environment."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ |= {
        "OPENBLAS_NUM_THREADS": "1",  # a fork has no threads
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # plugins cost more than most tests
        "PYTHONPYCACHEPREFIX": str(FOLDER / "bytecode"),
    }
    sys.dont_write_bytecode, sys.pycache_prefix = False, os.environ["PYTHONPYCACHEPREFIX"]
    for name in _PACKAGES:
        importlib.import_module(name)


def copy_checkout(folder: Path, names: Sequence[str]) -> Path:
    """Copy files and symbolic links of the checkout. Compiled code that an earlier run stored in the folder stays."""
    for name in names:
        copy = folder / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_symlink():
            copy.unlink(missing_ok=True)
        shutil.copy2(ROOT / name, copy, follow_symlinks=False)
    return folder


class Answer(NamedTuple):
    """What the tests say. test: the first one that failed. seconds: of processor time."""

    outcome: str
    test: str
    seconds: float


def run_tests(
    copy: Path,
    tests: Sequence[str],
    limit: float,
    without: Sequence[str] = (),
    *,
    interpreted: bool = False,
    rebuild: bool = True,
) -> Answer:
    """Run tests in a copy of the checkout until one fails, or they used `limit` seconds.

    without: tests to leave out. interpreted: without numba. rebuild: build the databases of the tests again,
    instead of using those of an earlier run.
    """
    chosen = [*tests, *(f"--deselect={test}" for test in without)]
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(copy, chosen, limit, interpreted, rebuild, sender))
    process.start()
    sender.close()
    try:
        has_ended = wait_for_answer(receiver, process.pid or 0)
        return Answer(*receiver.recv()) if has_ended else Answer(ENDLESS, "", _ENDLESS_CLOCK)
    except EOFError:  # the process was killed, as a rule by its limit of processor time
        return Answer(ENDLESS, "", limit + _ENDLESS_CPU)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid or 0, signal.SIGKILL)
        process.join()


def wait_for_answer(receiver: Connection, session: int) -> bool:
    """Return whether an answer comes: not in `_ENDLESS_CLOCK` seconds, nor from processes that do next to nothing."""
    used = 0.0
    for _ in range(_ENDLESS_CLOCK // _IDLE_CLOCK):
        if receiver.poll(_IDLE_CLOCK):
            return True
        before, used = used, _used_by(session)
        if 0 <= used - before < _IDLE_CPU:
            return False
    return False


def _used_by(session: int) -> float:
    """Return the processor seconds of the processes of a session and of those that they waited for; infinity if unknown."""
    if not Path("/proc").is_dir():
        return math.inf
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            fields = path.read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15])) if int(fields[3]) == session else 0
    return ticks / os.sysconf("SC_CLK_TCK")


class _Watch:
    """Plugin of pytest: remember the test that failed; stop at the limit; give tests the `databases` that an earlier run built."""

    def __init__(self, limit: float, databases: Path | None) -> None:
        self._limit, self._databases = limit, databases
        self.failed = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed = report.nodeid

    pytest_collectreport = pytest_runtest_logreport

    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Any:
        name = fixturedef.argname
        if not self._databases or name not in _DATABASES:
            return None  # pytest does it
        stored = self._databases / name
        if not stored.exists():
            built = fixturedef.func(request.getfixturevalue("tmp_path_factory"))
            shutil.copytree(built.parent, stored.with_suffix(f".{os.getpid()}"))
            stored.with_suffix(".name").write_text(built.name)
            with suppress(OSError):  # another process was quicker
                stored.with_suffix(f".{os.getpid()}").rename(stored)
        folder = stored / stored.with_suffix(".name").read_text()
        fixturedef.cached_result = (folder, fixturedef.cache_key(request), None)
        return folder

    def pytest_runtest_teardown(self, item: Any) -> None:
        if _used() > self._limit:
            item.session.shouldstop = "limit"


def _used() -> float:
    """Return the seconds of processor time of this process and the processes that it waited for."""
    kinds = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(each.ru_utime + each.ru_stime for each in kinds)


def _run(copy: Path, tests: list[str], limit: float, interpreted: bool, rebuild: bool, answers: Connection) -> None:
    os.setsid()
    most = int(limit) + _ENDLESS_CPU
    resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
    log = os.open(copy / "log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream, target in ((0, os.open(os.devnull, os.O_RDONLY)), (1, log), (2, log)):
        os.dup2(target, stream)
    os.chdir(copy)
    os.environ |= {"PYTHONPATH": str(copy), "ZERTZ_CACHE": str(copy / ".compiled")}
    sys.path[:] = [str(copy), *(each for each in sys.path if Path(each).resolve() != ROOT)]
    for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
        del sys.modules[name]
    if interpreted:
        sys.modules["numba"] = None  # type: ignore[assignment] # an import fails
    import pytest

    watch = _Watch(limit, None if rebuild else FOLDER / "databases")
    status = pytest.main(["-q", "-x", "-p", "no:cacheprovider", *tests], plugins=[watch])
    sys.stdout.flush()
    survived = status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    survived |= status == pytest.ExitCode.INTERRUPTED and not watch.failed  # by the limit
    answers.send((SURVIVED if survived else NOTICED, watch.failed, _used()))
    os._exit(0)
