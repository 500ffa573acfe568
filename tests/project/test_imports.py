"""Modules are imported by statements, which the import contracts see, not by strings."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
BY_STRING = re.compile(r"\b(?:import_module|__import__|find_spec|run_module|run_path)\(")
ALLOWED = {
    "parser/lazy_names.py": "public names of packages",
    "parser/dialects.py": "readers and writers of the package itself",
    "zertz_db/extras.py": "whether packages of extras are installed",
    "zertz_db/cli/command_table.py": "modules of the room itself, each only if its command runs",
    "zertz_db/cli/startup/duckdb_import.py": "whether DuckDB is installed, and where",
    "zertz_db/cli/startup/help_pages.py": "classes of rich, each only if a help page uses it",
    "zertz_db/store/lake/catalog.py": "files of DuckDB's extensions, which are data",
    "zertz_db/rules/compiled.py": "sources of functions that are compiled, from the rooms that ask for it",
    "zertz_db/cli/servers/dashboard.py": "Streamlit, as a program",
}


def test_modules_are_imported_by_string_in_few_places() -> None:
    files = [file for room in ("zertz_db", "dashboards", "parser") for file in (ROOT / room).rglob("*.py")]
    using = {file.relative_to(ROOT).as_posix() for file in files if BY_STRING.search(file.read_text("utf-8"))}
    assert using == set(ALLOWED)


def test_the_command_line_names_no_module_of_the_dashboard_in_a_string() -> None:
    for file in (ROOT / "zertz_db").rglob("*.py"):
        assert not re.search(r"""["'](zertz_db\.)?dashboards[."']""", file.read_text("utf-8")), file
