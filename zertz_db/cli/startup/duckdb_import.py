"""Import DuckDB without two modules that it imports and commands don't need: half of the time of its import, 20 ms.

`importlib.metadata` finds DuckDB's own version. `duckdb._dbapi_type_object` makes types such as `duckdb.NUMBER`, and for them a database
in memory.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

_METADATA, _TYPES = "importlib.metadata", "duckdb._dbapi_type_object"
_PREFIX, _SUFFIX = "duckdb-", ".dist-info"


def import_duckdb() -> None:
    """Import DuckDB with stand-ins for these modules. Nothing is imported if there is no DuckDB, or if it has been imported."""
    version = None if {"duckdb", _METADATA} & sys.modules.keys() else _find_version()
    if version is None:
        return
    metadata = ModuleType(_METADATA)
    metadata.version = lambda _name: version  # type: ignore[attr-defined]
    sys.modules.update({_METADATA: metadata, _TYPES: _LateTypes(_TYPES)})
    try:
        import duckdb  # noqa: F401
    finally:
        del sys.modules[_METADATA], sys.modules[_TYPES]


class _LateTypes(ModuleType):
    """A stand-in for the module of types: each name in it is a type that is made when it is first used."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _LateType(name)


class _LateType:
    def __init__(self, name: str) -> None:
        self._name = name

    def _load(self) -> Any:
        from duckdb import _dbapi_type_object  # what this module is for

        return getattr(_dbapi_type_object, self._name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._load(), name)

    def __call__(self, *arguments: Any) -> Any:
        return self._load()(*arguments)

    def __eq__(self, other: object) -> bool:
        return bool(self._load() == other)

    def __hash__(self) -> int:
        return hash(self._load())


def _find_version() -> str | None:
    """Return the version by the name of the folder beside DuckDB; None unless there is exactly one."""
    spec = find_spec("duckdb")
    if spec is None or spec.origin is None:
        return None
    names = os.listdir(Path(spec.origin).parents[1])  # noqa: PTH208 - a folder of hundreds of names, which need not be paths
    found = [name for name in names if name.startswith(_PREFIX) and name.endswith(_SUFFIX)]
    return found[0].removeprefix(_PREFIX).removesuffix(_SUFFIX) if len(found) == 1 else None
