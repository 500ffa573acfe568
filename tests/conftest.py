"""What tests of several rooms share."""

from pathlib import Path

import pytest

from tests.queries.sample import build


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the database that `tests.queries.sample` describes. Only to be read."""
    return build(tmp_path_factory.mktemp("sample"))
