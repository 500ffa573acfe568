"""The columns for the bulk load equal those of the classes, and a load needs no classes."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from zertz_db.store.schema import ddl, derive, table_columns


@pytest.mark.parametrize(
    ("file", "describe"),
    [(table_columns.FILE, derive.describe_columns), (ddl.FILE, derive.describe_statements)],
    ids=["columns", "statements"],
)
def test_the_files_describe_the_classes(file: Path, describe: Callable[[], dict[str, object]]) -> None:
    described = describe()
    if os.environ.get("ZERTZ_REWRITE"):
        tables = ",\n".join(f"{json.dumps(name)}: {json.dumps(table)}" for name, table in described.items())
        file.write_text(f"{{\n{tables}\n}}\n", "utf-8")
    assert json.loads(file.read_text("utf-8")) == described


def test_an_import_needs_no_classes_of_tables() -> None:
    program = "import sys, zertz_db.ingest.importer; print({'sqlmodel', 'sqlalchemy', 'pandas'} & {*sys.modules})"
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "set()\n"
