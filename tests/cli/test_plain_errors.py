"""What is wrong with options and requests is said in plain words."""

from __future__ import annotations

from typing import Any

import pytest
from typer.testing import CliRunner

from zertz_db.cli.main import app
from zertz_db.plain_errors import rewrite


@pytest.mark.parametrize(
    ("message", "plain"),
    [
        ("Value error, 'x' is not one of 'text', 'json'.", "'x' is not one of 'text', 'json'."),
        ("Input should be greater than or equal to 0", "must be at least 0"),
        ("Input should be greater than 0", "must be more than 0"),
        ("Input should be less than or equal to 9", "must be at most 9"),
        ("Input should be a valid integer, unable to parse string as an integer", "must be a whole number"),
        ("Input should be 'exact', 'symmetry' or 'shape'", "must be 'exact', 'symmetry' or 'shape'"),
        ("String should have at most 8 characters", "must have at most 8 characters"),
        ("List should have at least 2 items after validation, not 1", "must have at least 2 items"),
        ("Field required", "is missing"),
        ("no ring z9", "no ring z9"),
    ],
)
def test_messages_of_pydantic(message: str, plain: str) -> None:
    assert rewrite(message) == plain


@pytest.mark.parametrize("arguments", [["check", "--format", "nosuch", "x"], ["import", "--wait", "-3", "x"]])
def test_wrong_options_have_no_foreign_words(arguments: list[str]) -> None:
    found: Any = CliRunner().invoke(app, arguments)
    assert found.exit_code == 2
    assert "Value error" not in found.output
    assert "Input should" not in found.output
    assert "Invalid value for" in found.output
