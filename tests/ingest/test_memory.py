"""An import takes no more memory than it uses."""

import os
import subprocess
import sys

import pytest

_POOL = "import zertz_db.ingest.records.batch, pyarrow; print(pyarrow.default_memory_pool().backend_name)"


@pytest.mark.parametrize(("wished", "pool"), [({}, "system"), ({"ARROW_DEFAULT_MEMORY_POOL": "mimalloc"}, "mimalloc")])
def test_arrow_uses_the_system_s_memory_pool_by_default(wished: dict[str, str], pool: str) -> None:
    others = {name: value for name, value in os.environ.items() if name != "ARROW_DEFAULT_MEMORY_POOL"}
    done = subprocess.run(
        [sys.executable, "-c", _POOL], capture_output=True, text=True, check=True, env={**others, **wished}
    )
    assert done.stdout.strip() == pool
