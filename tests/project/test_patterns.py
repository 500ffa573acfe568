"""Regular expressions mean the same in every version of Python that the project runs on."""

import json
import subprocess
import sys

import pytest

from tests.project.patterns import ROOT, is_unsafe


@pytest.mark.parametrize(
    ("pattern", "unsafe"),
    [
        (r"(?:;\s*+P(?:x|y)\s*+)++", True),
        (r"a(?:bc)?+d", True),
        (r"a((?:b|cd){2,3}+)", True),
        (r"(?=(?:ab)*+)|x", True),
        (r"(ab)*+", True),
        (r"(?>ab|c)*+[a-z]++\s*+.?+a{2,3}+", False),
        (r"(?:(?>ab|c))*+", False),
        (r"(?:ab|c)*(?>(?:ab)*)", False),
    ],
)
def test_a_possessive_quantifier_behind_a_group_that_is_not_atomic_is_found(pattern: str, unsafe: bool) -> None:
    assert is_unsafe(pattern) is unsafe


@pytest.mark.long
def test_no_expression_of_ours_has_one() -> None:
    # In a process of its own: what this one has compiled already is not compiled again.
    command = [sys.executable, "-m", "tests.project.patterns"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    patterns = json.loads(answer.stdout)
    assert len(patterns) > 300
    assert [pattern for pattern, flags in patterns if is_unsafe(pattern, flags)] == []
