"""Load Arrow without pandas, which it imports for the first list that becomes an array: 0.4 s in each process of an import."""

from __future__ import annotations

import sys
from functools import cache

import pyarrow as pa

from zertz_db.rules import compiled


class _NoPandas:
    """Finder of modules that fails for pandas."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> None:
        """Raise ImportError for pandas; leave all else to other finders."""
        if name == "pandas":
            raise ImportError(name)


@cache
def prepare_arrow() -> None:
    """Make Arrow do without pandas in a process of ours (`compiled.is_lean`): other programs may convert tables to pandas."""
    if not compiled.is_lean():
        return
    sys.meta_path.insert(0, _NoPandas)  # type: ignore[arg-type] # a class with the one method that is called
    try:
        pa.array([None])  # Arrow looks for pandas once
    finally:
        sys.meta_path.remove(_NoPandas)  # type: ignore[arg-type]
