"""The list of slow tests names tests that exist."""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]


def test_every_name_in_the_list_is_a_test() -> None:
    listed = [line for line in (TESTS / "slow_tests.txt").read_text("utf-8").splitlines() if line.startswith("tests/")]
    assert listed == sorted(set(listed))
    assert [name for name in listed if not is_test(*name.split("::"))] == []


def is_test(path: str, name: str) -> bool:
    module = TESTS.parent / path
    return module.exists() and any(
        isinstance(node, ast.FunctionDef) and node.name == name for node in ast.parse(module.read_text("utf-8")).body
    )
