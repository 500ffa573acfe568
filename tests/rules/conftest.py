"""Share the compiled functions between tests of the rules."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.rules.processes import USE_EVERYTHING, run_python
from zertz_db.rules import compiled as rules_compiled


@pytest.fixture(scope="session")
def stored_cache(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Return a cache that another process has filled, and its output."""
    folder = tmp_path_factory.mktemp("cache")
    answer = run_python(USE_EVERYTHING, ZERTZ_CACHE=str(folder))
    assert answer.returncode == 0, answer.stderr
    return folder, answer.stdout.splitlines()


@pytest.fixture(scope="session")
def compiled(stored_cache: tuple[Path, list[str]]) -> SimpleNamespace:
    """Return the compiled functions, as loaded from disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZERTZ_CACHE", str(stored_cache[0]))
        return rules_compiled.functions.__wrapped__()
