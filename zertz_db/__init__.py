"""ZÈRTZ game records: read, checked against the rules, stored, searched and shown."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zertz_db.check.check_many import check_text
    from zertz_db.errors import BrokenEnvironment, InternalFault, UserMistake, ZertzError
    from zertz_db.ingest.import_paths import import_paths
    from zertz_db.rules.move import Move
    from zertz_db.rules.moves import Moves, list_moves
    from zertz_db.rules.position import Position
    from zertz_db.store.open_database import open_database

__all__ = [
    "BrokenEnvironment", "InternalFault", "Move", "Moves", "Position", "UserMistake", "ZertzError", "check_text",
    "import_paths", "list_moves", "open_database",
]  # fmt: skip

__version__ = "0.2.0"


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

from parser.lazy_names import import_on_use  # noqa: E402 - now it is ours
from zertz_db.extras import name_missing_packages  # noqa: E402

name_missing_packages()

__getattr__ = import_on_use(
    __name__,
    {
        "check.check_many": "check_text",
        "errors": "BrokenEnvironment InternalFault UserMistake ZertzError",
        "ingest.import_paths": "import_paths",
        "rules.move": "Move",
        "rules.moves": "Moves list_moves",
        "rules.position": "Position",
        "store.open_database": "open_database",
    },
)
