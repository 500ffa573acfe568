"""DuckDB is whole after its quick import, and only commands that need it import it."""

from __future__ import annotations

import subprocess
import sys

from zertz_db.cli.command_table import COMMANDS, WITHOUT_DUCKDB

QUICK = """
import sys
from zertz_db.cli.startup.duckdb_import import import_duckdb
import_duckdb()
quick = {"importlib.metadata", "duckdb._dbapi_type_object"}.isdisjoint(sys.modules)
import duckdb
from importlib.metadata import version
number = duckdb.connect().execute("SELECT 1").description[0][1]
print(quick, duckdb.__version__ == version("duckdb"), number == duckdb.NUMBER, number == duckdb.STRING)
"""


def test_duckdb_knows_its_version_and_its_types() -> None:
    assert _run(QUICK) == "True True True False"


def test_some_commands_never_import_duckdb() -> None:
    modules = sorted({f"zertz_db.cli.{row.module}" for row in COMMANDS if row.name in WITHOUT_DUCKDB})
    code = f"import sys, zertz_db.cli.main, {', '.join(modules)}\nprint('duckdb' in sys.modules)"
    assert _run(code) == "False"


def test_a_list_of_games_needs_no_writers_of_exports() -> None:
    code = "import sys, zertz_db.cli.commands.stored_games.overview\nprint('zertz_db.export' in sys.modules)"
    assert _run(code) == "False"


def _run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()
