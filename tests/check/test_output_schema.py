"""The JSON that check and convert write is what its schemas describe: on every sample, and not on anything else."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from zertz_db import samples
from zertz_db.check.output_schema import build_check_schema, build_convert_schema
from zertz_db.ingest.check_files import CheckOptions, check_paths

SAMPLES = ("dialects", "faults.txt", "server-faults.sgf", "annotated.txt", "irregular/leniencies.txt")
SCHEMAS = {"check": build_check_schema(), "convert": build_convert_schema()}


@cache
def written(command: str) -> list[dict[str, Any]]:
    is_convert = command == "convert"
    wanted = CheckOptions(json=True, moves=is_convert, legal_counts=is_convert, repairs=not is_convert)
    folder = samples.folder()
    paths = [folder / name for name in SAMPLES]
    reports = [report for batch in check_paths(paths, wanted) for report in batch]
    return [json.loads(json.dumps(report.json)) for report in reports if report.json is not None]


@pytest.mark.parametrize("command", SCHEMAS)
def test_the_output_on_the_samples_is_valid(command: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[command])
    validator = Draft202012Validator(SCHEMAS[command])
    found = written(command)
    assert len(found) > 100
    for row in found:
        assert [error.message for error in validator.iter_errors(row)] == []


@pytest.mark.parametrize("command", SCHEMAS)
def test_the_schema_names_no_key_that_is_never_written(command: str) -> None:
    rows = written(command)
    assert {key for row in rows for key in row} == SCHEMAS[command]["properties"].keys()
    assert {row["verdict"] for row in rows} == {"verified", "unfinished", "illegal", "unreadable"}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("verdict", "legal"), ("plies", -1), ("winner", 3), ("ending", "mate"), ("line", 0), ("captured", [[1, 2, 3]]), ("pool", [1, 2]),
        ("dialect", "pgn"), ("findings", [{}]), ("more", 1), ("source", None),
    ],
)  # fmt: skip
def test_other_values_are_invalid(key: str, value: object) -> None:
    row = copy.deepcopy(written("check")[0])
    assert Draft202012Validator(SCHEMAS["check"]).is_valid(row)
    assert not Draft202012Validator(SCHEMAS["check"]).is_valid({**row, key: value})
