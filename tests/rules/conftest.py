"""What several tests of the rules share: the compiled functions, once for all of them."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.rules.processes import USE_EVERYTHING, run_python
from zertz_db.rules import compiled as rules_compiled


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A cache that another process has filled, and what it printed."""
    folder = tmp_path_factory.mktemp("cache")
    answer = run_python(USE_EVERYTHING, ZERTZ_CACHE=str(folder))
    assert answer.returncode == 0, answer.stderr
    return folder, answer.stdout.splitlines()


@pytest.fixture(scope="session")
def compiled(kept: tuple[Path, list[str]]) -> SimpleNamespace:
    """The compiled functions, as they come back from the disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZERTZ_CACHE", str(kept[0]))
        return rules_compiled.functions.__wrapped__()
