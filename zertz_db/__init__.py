"""ZÈRTZ game records: read, checked against the rules, stored, searched and shown."""

from __future__ import annotations

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

_CHECKOUT = Path(__file__).parents[1]
if not (_CHECKOUT / "zertz_db" / "parser").is_dir():  # a checkout without symbolic links, as on Windows: the rooms are beside it
    __path__.append(str(_CHECKOUT))

from zertz_db.extras import name_missing_packages
from zertz_db.parser.lazy_names import import_on_use

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
