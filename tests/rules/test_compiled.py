"""Storage of the compiled rules, and the fallback if they can't be stored."""

import shutil
from pathlib import Path

import pytest

from tests.rules.processes import ROOT, USE_EVERYTHING, run_python
from zertz_db.rules import compiled

VACANT = """
import numpy as np
from zertz_db.rules.compiled import functions

vacant = functions().vacant
print(vacant(np.array([7, 1] + 18 * [0], np.int64)))
print(sum(vacant.stats.cache_hits.values()), sum(vacant.stats.cache_misses.values()))
"""
"""Code that compiles `vacant`, which calls `occupied`, and prints the vacant ones of three rings with a marble on the first."""


@pytest.fixture
def copied_package(tmp_path: Path) -> Path:
    """Return a folder with a copy of the rules, to be edited."""
    shutil.copytree(ROOT / "zertz_db" / "rules", tmp_path / "copy" / "zertz_db" / "rules")
    (tmp_path / "copy" / "zertz_db" / "__init__.py").touch()
    shutil.copy(ROOT / "zertz_db" / "errors.py", tmp_path / "copy" / "zertz_db")
    shutil.copytree(ROOT / "parser", tmp_path / "copy" / "zertz_db" / "parser")
    return tmp_path / "copy"


def folders(cache: Path) -> list[str]:
    return sorted(folder.name for folder in cache.iterdir())


@pytest.mark.long
def test_stored_code_runs_in_another_process_without_compiling(stored_cache: tuple[Path, list[str]]) -> None:
    cache, (*found, misses) = stored_cache
    again = run_python(USE_EVERYTHING, ZERTZ_CACHE=str(cache))
    assert again.returncode == 0, again.stderr
    assert again.stdout.splitlines() == [*found, "0"]
    assert misses == "2"
    assert found[0] == "3277260"
    assert len(folders(cache)) == 1


@pytest.mark.long
def test_an_edited_callee_is_compiled_anew(copied_package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"

    def answer() -> list[str]:
        run = run_python(VACANT, copied_package, ZERTZ_CACHE=str(cache))
        assert run.returncode == 0, run.stderr
        return run.stdout.splitlines()

    assert answer() == ["6", "0 1"]
    first = folders(cache)
    assert answer() == ["6", "1 0"]
    assert folders(cache) == first
    kernel = copied_package / "zertz_db" / "rules" / "kernel.py"
    source = kernel.read_text(encoding="utf-8")
    edited = source.replace("return state[MARBLES] |", "return 2 * state[MARBLES] |")
    assert edited != source
    kernel.write_text(edited, encoding="utf-8")
    assert answer() == ["5", "0 1"]
    assert len(set(folders(cache)) - set(first)) == 1
    kernel.write_text(source, encoding="utf-8")
    assert answer()[0] == "6"
    assert len(folders(cache)) == 2


@pytest.mark.parametrize("name", ["board", "rule_sets", "kernel", "position_keys", "replay", "perft", "compiled"])
def test_every_source_of_the_rules_names_the_folder(
    name: str, copied_package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = copied_package / "zertz_db" / "rules"
    monkeypatch.setattr(compiled, "_HERE", rules)
    before = compiled.cache_folder("1.0", "processor")
    with (rules / f"{name}.py").open("a", encoding="utf-8") as source:
        source.write("\n")
    assert compiled.cache_folder("1.0", "processor") != before


def test_the_compiler_and_the_processor_name_the_folder_too() -> None:
    folders = {compiled.cache_folder(numba, processor) for numba in ("1.0", "1.1") for processor in ("this", "that")}
    assert len(folders) == 4


@pytest.mark.parametrize(
    ("environment", "parent"),
    [
        ({"ZERTZ_CACHE": "one", "XDG_CACHE_HOME": "two"}, "one"),
        ({"XDG_CACHE_HOME": "two", "LOCALAPPDATA": "three"}, "two/zertz-db"),
        ({"LOCALAPPDATA": "three"}, "three/zertz-db"),
        ({"HOME": "/home/four", "USERPROFILE": "/home/four"}, "/home/four/.cache/zertz-db"),
    ],
)
def test_the_folder_has_its_usual_place(
    environment: dict[str, str], parent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ZERTZ_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert compiled.cache_folder("1.0", "processor").parent == Path(parent)


@pytest.mark.parametrize("below", ["", "folder"])
@pytest.mark.long
def test_where_no_folder_can_be_written_the_rules_are_compiled_in_memory(below: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for _ in range(2):
        run = run_python(VACANT, ZERTZ_CACHE=str(file / below))
        assert run.returncode == 0, run.stderr
        assert run.stdout.splitlines() == ["6", "0 1"]
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("numba", "reason"), [("None", "ModuleNotFoundError"), ("object()", "AttributeError")], ids=["missing", "broken"]
)
def test_without_a_compiler_the_rules_run_interpreted(numba: str, reason: str, tmp_path: Path) -> None:
    code = f"""
import sys
sys.modules["numba"] = {numba}
from zertz_db.rules.compiled import CompilerMissing, functions
from zertz_db.rules.position import Position
try:
    functions()
except CompilerMissing as error:
    print(error)
print(len(Position.start("37").play("Wd4,d1").legal_moves()))
"""
    run = run_python(code, ZERTZ_CACHE=str(tmp_path))
    assert run.returncode == 0, run.stderr
    message, count = run.stdout.splitlines()
    assert message.startswith(f"numba can't compile the rules ({reason}: ")
    assert count == "1734"


def test_positions_need_neither_numba_nor_numpy() -> None:
    code = """
import sys
import zertz_db.rules.position, zertz_db.rules.compiled, zertz_db.rules.replay
print([name for name in ("numba", "numpy") if name in sys.modules])
"""
    assert run_python(code).stdout == "[]\n"
