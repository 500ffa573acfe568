"""Import DuckDB without `importlib.metadata`, which it imports to find its own version: that takes half of its import, 12 ms."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

_METADATA = "importlib.metadata"
_PREFIX, _SUFFIX = "duckdb-", ".dist-info"


def import_duckdb() -> None:
    """Import DuckDB, with a stand-in for `importlib.metadata` that knows its version. Nothing is imported if there is no DuckDB."""
    version = None if {"duckdb", _METADATA} & sys.modules.keys() else _find_version()
    if version is None:
        return
    stand_in = ModuleType(_METADATA)
    stand_in.version = lambda _name: version  # type: ignore[attr-defined]
    sys.modules[_METADATA] = stand_in
    try:
        import duckdb  # noqa: F401
    finally:
        del sys.modules[_METADATA]


def _find_version() -> str | None:
    """Return the version by the name of the folder beside DuckDB; None unless there is exactly one."""
    spec = find_spec("duckdb")
    if spec is None or spec.origin is None:
        return None
    names = os.listdir(Path(spec.origin).parents[1])  # noqa: PTH208 - a folder of hundreds of names, which need not be paths
    found = [name for name in names if name.startswith(_PREFIX) and name.endswith(_SUFFIX)]
    return found[0].removeprefix(_PREFIX).removesuffix(_SUFFIX) if len(found) == 1 else None
