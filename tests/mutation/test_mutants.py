"""Each kind of mutant, and the code that is never changed."""

import ast
from pathlib import Path

import pytest

from tests.mutation.mutants import choose_mutants, mutants_of

ROOT = Path(__file__).resolve().parents[2]
SMALL_ROOMS = ("parser/zen", "zertz_db/export", "zertz_db/queries/players")


def changed(source: str) -> set[str]:
    """Return the source after each of its mutants."""
    return {mutant.apply(source.encode()).decode() for mutant in mutants_of(source.encode(), Path("x.py"))}


@pytest.mark.parametrize(
    ("source", "mutated"),
    [
        ("x = a == b", "x = a != b"),
        ("x = (a) <= (\n    b)", "x = (a) < (\n    b)"),
        ("x = é is not b", "x = é is b"),
        ("x = a + b", "x = a - b"),
        ("x = a and b and c", "x = a or b and c"),
        ("x = not a", "x = a"),
        ("if a:\n    b", "if not (a):\n    b"),
        ("x = True", "x = False"),
        ("x = 7", "x = 8"),
        ("for x in y:\n    break", "for x in y:\n    continue"),
        ("f(x)", "pass"),
        ("def f():\n    return x", "def f():\n    return None"),
    ],
)
def test_each_kind_of_change(source: str, mutated: str) -> None:
    assert mutated in changed(source)


@pytest.mark.parametrize(
    "source", ['"""1 == 2"""', "def f(x: a | b) -> c | d: ...", "x: a | b = y", "assert x == y", "import a"]
)
def test_types_and_docstrings_stay(source: str) -> None:
    assert changed(source) == set()


def test_mutants_of_the_project_compile_and_differ() -> None:
    mutants = choose_mutants(ROOT, 200, 5, SMALL_ROOMS)
    assert len({(mutant.path, mutant.line) for mutant in mutants}) == 200
    for mutant in mutants:
        source = (ROOT / mutant.path).read_bytes()
        assert ast.dump(ast.parse(mutant.apply(source))) != ast.dump(ast.parse(source))


def test_a_seed_always_chooses_the_same() -> None:
    first, again, other = (choose_mutants(ROOT, 20, seed, SMALL_ROOMS) for seed in (5, 5, 6))
    assert first == again != other
