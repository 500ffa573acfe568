"""ZÈRTZ game records: read, checked against the rules, stored, searched and shown."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

__version__ = "0.1.0"


def _find_our_parser() -> None:
    """Refuse to start where another module named `parser` comes before ours: its errors would puzzle everybody.

    Ours is the one with a `record` module; it is looked for, not imported.
    """
    try:
        spec = find_spec("parser")
    except ValueError:  # a module put in place without a specification
        spec = None
    folders = (spec.submodule_search_locations if spec else None) or []
    if any((Path(folder) / "record.py").is_file() for folder in folders):
        return
    if spec is None:
        raise ImportError("zertz_db needs its package `parser`, which is not there. Install zertz-db again.")
    raise ImportError(
        "zertz_db needs its own package `parser`, but another module of that name comes first: "
        f"{spec.origin or folders}. Rename that module, take its folder off PYTHONPATH, or start from another folder."
    )


_find_our_parser()
