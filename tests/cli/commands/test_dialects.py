"""`zertz dialects`."""

import json

from typer.testing import CliRunner

from zertz_db.cli.main import app
from zertz_db.parser.dialects import DIALECTS, WRITERS


def test_every_dialect_is_listed_with_how_it_is_told() -> None:
    answer = CliRunner().invoke(app, ["dialects"])
    assert answer.exit_code == 0
    for dialect in DIALECTS:
        assert dialect.name in answer.stdout
        assert dialect.described_by in answer.stdout


def test_as_json_for_programs() -> None:
    listed = json.loads(CliRunner().invoke(app, ["dialects", "--json"]).stdout)
    assert [row["dialect"] for row in listed] == [dialect.name for dialect in DIALECTS]
    assert {row["dialect"] for row in listed if row["written"] == "yes"} == set(WRITERS)
    assert {row["dialect"] for row in listed if row["experimental"] == "yes"} == {"mail", "rec", "openxum", "direction"}
