"""The columns for the bulk load equal those of the classes, and a load needs no classes."""

import json
import os
import subprocess
import sys

from zertz_db.store.schema import ddl, table_columns


def test_the_file_of_columns_describes_the_classes() -> None:
    described = ddl.describe_columns()
    if os.environ.get("ZERTZ_REWRITE"):
        tables = ",\n".join(f"{json.dumps(name)}: {json.dumps(table)}" for name, table in described.items())
        table_columns.FILE.write_text(f"{{\n{tables}\n}}\n", "utf-8")
    assert json.loads(table_columns.FILE.read_text("utf-8")) == described


def test_an_import_needs_no_classes_of_tables() -> None:
    program = "import sys, zertz_db.ingest.importer; print({'sqlmodel', 'sqlalchemy', 'pandas'} & {*sys.modules})"
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "set()\n"
