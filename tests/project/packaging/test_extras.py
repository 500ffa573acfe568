"""The base works with three packages; every other part names the missing package and the extra to install."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import zertz_db
from tests.project.packaging.floors import list_floors
from zertz_db import queries
from zertz_db.cli.command_table import COMMANDS
from zertz_db.extras import EXTRAS, MissingPackage, build_error, install_hint, require_extra

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
BASE = {"check", "convert", "dialects", "explain", "generate"}
SENTENCE = re.compile(
    r"(this|zertz \w+) needs [\w., -]+, which (is|are) not installed: pip install '\.\[(?P<extra>\w+)\]' in the folder of zertz-db"
)


def ask(**wanted: Any) -> dict[str, Any]:
    """What happens without the packages of extras."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.project.packaging.without_packages"],
        input=json.dumps(wanted),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_the_commands_of_the_base_work(tmp_path: Path) -> None:
    game, made, packed = (str(tmp_path / name) for name in ("game.txt", "made.txt", "game.sgf.zst"))
    Path(game).write_text("1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns 0-1\n", "utf-8")
    Path(packed).write_bytes(b"\x28\xb5\x2f\xfd")
    commands = [
        ["--help"],
        ["--version"],
        ["check", game],
        ["convert", game, "--to", "zen"],
        ["explain", "E302"],
        ["dialects"],
        ["generate", "-n", "2", "-o", made],
        ["check", str(tmp_path / "none")],
        ["check", packed],
    ]
    help_page, version, check, convert, explain, dialects, generate, absent, zstandard = ask(commands=commands)[
        "commands"
    ]
    assert [done[0] for done in (help_page, version, check, convert, explain, dialects, generate)] == [0] * 7
    assert check[1].splitlines()[-1] == "1 record read = 1 verified + 0 unfinished + 0 illegal + 0 unreadable"
    assert "E302 error, rule 3.1" in explain[1]
    assert Path(made).read_text("utf-8").count("[Event ") == 2
    assert absent[0] == 2
    assert "no such file" in absent[2]
    assert "backports.zstd, which is not installed: pip install '.[db]'" in zstandard[1] or sys.version_info >= (3, 14)


def test_every_other_command_names_the_extra() -> None:
    names = [row.name for row in COMMANDS if row.name not in BASE]
    answers = ask(commands=[[name] for name in names])["commands"]
    extras = {}
    for name, (status, _, errors) in zip(names, answers, strict=True):
        if found := SENTENCE.search(errors):
            extras[name] = found["extra"]
            assert (status, errors.count("\n")) == (2, 1), (name, errors)
        assert "zertz itself" not in errors, (name, errors)
    assert {"games", "import", "play", "solve"} <= extras.keys()
    assert {name: extra for name, extra in extras.items() if extra != "db"} == {
        "serve": "api",
        "dashboard": "dashboard",
    }


def list_modules() -> list[str]:
    files = [file for room in ("zertz_db", "parser", "dashboards") for file in (ROOT / room).rglob("*.py")]
    pages = ROOT / "dashboards" / "views"
    names = [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files if pages not in file.parents]
    names = [name if name.startswith("zertz_db.") else f"zertz_db.{name}" for name in names]
    return [name.removesuffix(".__init__") for name in names if not name.startswith("zertz_db.data")]


def test_every_module_can_be_imported_or_names_what_is_missing() -> None:
    errors = {name: error for name, error in ask(modules=list_modules())["modules"].items() if error}
    assert [pair for pair in errors.items() if not SENTENCE.search(pair[1])] == []
    assert {"zertz_db.store.open_database", "zertz_db.client", "zertz_db.dashboards.app"} <= errors.keys()


def test_public_names_are_there_or_name_what_is_missing() -> None:
    names = [f"{package.__name__}.{name}" for package in (zertz_db, queries) for name in package.__all__]
    errors = {name: error for name, error in ask(names=names)["names"].items() if error}
    assert [pair for pair in errors.items() if not pair[1].startswith("MissingPackage: this needs ")] == []
    assert "zertz_db.open_database" in errors
    assert {"zertz_db.check_text", "zertz_db.Position", "zertz_db.list_moves"}.isdisjoint(errors)


@pytest.mark.parametrize(
    ("packages", "named"),
    [
        (["numba"], "numba, which is"),
        (["numba", "PIL"], "numba and Pillow, which are"),
        (["a", "b", "c"], "a, b and c, which are"),
        (["a", "b", "c", "d"], "a, b, c and 1 other package, which are"),
        (["a", "b", "c", "d", "e"], "a, b, c and 2 other packages, which are"),
    ],
)
def test_a_message_names_a_few_packages(packages: list[str], named: str) -> None:
    error = build_error(packages, "fast", "the solver")
    assert str(error) == f"the solver needs {named} not installed: {install_hint('fast')}"
    assert error.name == packages[0]


@pytest.mark.parametrize("extra", [*EXTRAS, "all"])
def test_extras_are_those_of_the_project(extra: str) -> None:
    """EXTRAS names what our code imports: the project's requirements, and what these bring along."""
    requirements = PROJECT["optional-dependencies"][extra]
    names = {re.split(r"[^\w.-]", one)[0].lower().replace("-", "_") for one in requirements} - {"zertz_db"}
    brought = {"sqlalchemy", "llvmlite", "starlette", "pydantic"}
    imported = {"resvg_py": "resvg_py", "PIL": "pillow", "backports": "backports.zstd"}
    known = {imported.get(name, name) for name in EXTRAS.get(extra, ())} - brought
    unloaded = {"duckdb_extension_postgres_scanner", "duckdb_extension_httpfs", "numpy"} - set(EXTRAS.get(extra, ()))
    assert names - unloaded == known


def test_the_base_is_three_packages() -> None:
    assert [re.split(r"\W", one)[0] for one in PROJECT["dependencies"]] == ["lark", "typer", "rich"]


def test_all_has_every_extra_but_the_tools_of_development() -> None:
    everything = re.findall(r"\w+", PROJECT["optional-dependencies"]["all"][0].partition("[")[2])
    assert sorted(everything) == sorted(EXTRAS)
    assert set(PROJECT["optional-dependencies"]) == {*EXTRAS, "all", "dev", "site"}


def test_floors_pin_what_the_project_allows() -> None:
    floors = list_floors("db", "fast")
    assert "lark==1.1.2" in floors
    assert "duckdb==1.5.0" in floors  # not its upper bound
    assert all("==" in one for one in floors)


def test_an_extra_that_is_there_is_no_error() -> None:
    require_extra("db", "this test")


def test_many_missing_packages_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zertz_db.extras._is_installed", lambda _: False)
    with pytest.raises(MissingPackage) as raised:
        require_extra("dashboard", "zertz dashboard")
    assert str(raised.value).startswith("zertz dashboard needs streamlit, altair, duckdb and ")
    assert str(raised.value).endswith(install_hint("dashboard"))


_HIDDEN = """
import sys, duckdb, pyarrow
from zertz_db.extras import hide_pandas, replace_hidden_pandas

searches = []
with hide_pandas():
    replace_hidden_pandas()
    sys.meta_path.insert(0, type("Counter", (), {"find_spec": staticmethod(lambda name, *_: searches.append(name))}))
    connection = duckdb.connect()
    connection.execute("SELECT unnest(?)", [[1, None, "a"]])
    connection.register("rows", pyarrow.table({"game": [1, 2]}))
    print(connection.execute("FROM rows").fetchall(), searches.count("pandas"))
print("pandas" in sys.modules, connection.execute("SELECT 1 AS x").df().shape, pyarrow.table({"x": [1]}).to_pandas().shape)
"""


def test_duckdb_does_not_search_for_hidden_pandas() -> None:
    shown = subprocess.check_output([sys.executable, "-c", _HIDDEN], text=True)
    assert shown.splitlines() == ["[(1,), (2,)] 0", "False (1, 1) (1, 1)"]
