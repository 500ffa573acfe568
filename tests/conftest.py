"""What tests of several rooms share."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.analyses import JudgedClub, build_judged_club
from tests.ingest.databases import archives
from tests.queries import club
from tests.queries.sample import build
from zertz_db import import_paths, logs

with suppress(ImportError):  # other versions of Python run the tests of the archive without it
    from hypothesis import HealthCheck, settings

    # How long an example takes says nothing on a busy machine.
    settings.register_profile("new", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("repeatable", settings.get_profile("new"), derandomize=True)
    settings.load_profile("repeatable")


_SLOW = Path(__file__).with_name("slow_tests.txt")
_SHARE = 3


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark cases of slow tests as long: all but every third case; the only case of a test too."""
    slow = {line for line in _SLOW.read_text("utf-8").splitlines() if line.startswith("tests/")}
    cases = [item for item in items if _get_name(item) in slow and not item.get_closest_marker("long")]
    numbers = Counter(map(_get_name, cases))
    seen: Counter[str] = Counter()
    for item in cases:
        name = _get_name(item)
        if numbers[name] == 1 or seen[name] % _SHARE:
            item.add_marker(pytest.mark.long)
        seen[name] += 1


def _get_name(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


@pytest.fixture(scope="session", autouse=True)
def error_log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The file of internal errors that tests bring about on purpose: theirs are not the user's."""
    path = tmp_path_factory.mktemp("log") / "errors.log"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(logs.LOG_VARIABLE, str(path))
        yield path


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the database that `tests.queries.sample` describes. Only to be read."""
    return build(tmp_path_factory.mktemp("sample"))


@pytest.fixture(scope="session")
def imported_archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a database with the two archives of `tests.ingest.databases`. Only to be read: `copied` copies it."""
    folder = tmp_path_factory.mktemp("archives")
    for files in archives(folder):
        import_paths(files, folder / "db")
    return folder / "db"


@pytest.fixture(scope="session")
def of_club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the database that `tests.queries.club` describes. Only to be read."""
    return club.build(tmp_path_factory.mktemp("club"))


@pytest.fixture(scope="session")
def judged_club(tmp_path_factory: pytest.TempPathFactory) -> JudgedClub:
    """A database with analyses of forced wins. Only to be read."""
    return build_judged_club(tmp_path_factory.mktemp("judged"))


@pytest.fixture(scope="session")
def puzzle_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with puzzles, to read only."""
    from tests.puzzle_games import build_puzzle_games

    return build_puzzle_games(tmp_path_factory.mktemp("puzzles"))
