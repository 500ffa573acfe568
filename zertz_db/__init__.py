"""ZÈRTZ game records: read, checked against the rules, stored, searched and shown."""

from __future__ import annotations

from os.path import abspath, dirname, isdir, join
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

# In a checkout without symbolic links, as on Windows, the readers and the dashboard are beside this folder. pathlib would double the
# time of this import.
_PACKAGE = dirname(abspath(__file__))  # noqa: PTH100, PTH120
if not isdir(join(_PACKAGE, "parser")):  # noqa: PTH112, PTH118
    __path__.append(dirname(_PACKAGE))  # noqa: PTH120

from zertz_db.extras import name_missing_packages  # noqa: E402
from zertz_db.parser.lazy_names import import_on_use  # noqa: E402

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
