"""Plain arguments are converted as Typer converts them, and the library for the others stays out."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer

from zertz_db.cli.command_table import COMMANDS, load_command
from zertz_db.cli.startup.plain_values import OPEN, convert

VALUES = (
    *(
        "5",
        "0",
        "-1",
        "007",
        "1_000",
        " 5",
        "٣",
        "5.0",
        "1e3",
        "1.5",
        "nan",
        "",
        "text",
        "json",
        "JSON",
        "-",
        "a//b/../c",
    ),
    *("no\0path", "999999999999999999999", 5, 0, -1, 2.5, True, Path("x"), None, ["a", "b"], ("a",), [], [1], b"5"),
)


def own_parameters() -> Iterator[Any]:
    """Yield the parameters of all commands, one of each kind."""
    seen = set()
    for row in COMMANDS:
        if row.extra:
            continue
        for param in load_command(row).params:
            kind = getattr(param, "type_descriptor", None)
            if kind is None:
                continue
            info = kind.parameter_info
            key = (
                str(kind.annotation),
                param.nargs,
                param.multiple,
                info.min,
                info.max,
                info.exists,
                info.dir_okay,
                info.writable,
            )
            if key not in seen:
                seen.add(key)
                yield param


def convert_by_typer(param: Any, value: Any) -> Any:
    try:
        return type(param).get_runtime_param(param).coerce(value, param=param, ctx=None)
    except Exception as error:  # noqa: BLE001 - whatever Typer refuses
        return error


def test_plain_values_are_those_of_typer() -> None:
    plain = 0
    for param in own_parameters():
        if not hasattr(param, "get_runtime_param"):
            pytest.skip("this version of Typer converts values itself")
        for value in VALUES:
            found = convert(value, param)
            if found is OPEN:
                continue
            expected = convert_by_typer(param, value)
            assert (type(found), found) == (type(expected), expected), (param.name, value)
            plain += 1
    assert plain > 50


class Colour(StrEnum):
    red = "red"
    dark_red = "RED"


@pytest.mark.parametrize(
    ("kind", "option", "value", "expected"),
    [
        (int, typer.Option(min=1, max=5), "5", 5),
        (int, typer.Option(min=1, max=5), "6", OPEN),
        (int, typer.Option(min=1, max=5, clamp=True), "4", OPEN),
        (float, typer.Option(), "0.25", 0.25),
        (float, typer.Option(min=0), 10, 10.0),
        (bool, typer.Option(), False, False),
        (Colour, typer.Option(), "RED", Colour.dark_red),
        (Colour, typer.Option(case_sensitive=False), "RED", OPEN),
        (str, typer.Option(parser=str.upper), "a", OPEN),
        (Path, typer.Option(exists=True), "nowhere", OPEN),
        (Path, typer.Option(), "nowhere", Path("nowhere")),
    ],
)
def test_limits_and_own_parsers_are_left_to_typer(kind: Any, option: Any, value: Any, expected: Any) -> None:
    app = typer.Typer()

    @app.command()
    def run(given: Annotated[kind, option]) -> None:  # type: ignore[valid-type]
        """Take one option."""

    run.__annotations__["given"] = Annotated[kind, option]
    param = typer.main.get_command(app).params[0]
    assert convert(value, param) == expected


PLAIN = (
    ("game.txt", '[Board "37"]\n[RuleSet "standard"]\n\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 1-0\n'),
    (
        "game.sgf",
        """(;GM[22]VV[2]
SU[Zertz]
P0[id "ada"]
P1[id "bo"]
; P0[0 Start P0]
; P0[1 RtoB 2 0 D 4]TM[14005]
; P0[2 R- D 1]TM[16073]
; P0[3 Done ]TM[19368]
; P1[4 RtoB 2 2 D 3]TM[1000]
; P1[5 R- A 1]TM[2000]
; P1[6 Done ]TM[3000]
;
P0[time 0:00:19 ]
P1[time 0:00:03 ]
)
""",
    ),
)


@pytest.mark.parametrize(("name", "text"), PLAIN, ids=[name for name, _ in PLAIN])
def test_a_check_of_a_plain_file_loads_no_large_package(name: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    program = (
        "import sys\n"
        "from zertz_db.cli.main import app\n"
        f"app(['check', '--jobs', '1', {str(file)!r}], standalone_mode=False)\n"
        "large = ('lark', 'pydantic', 'numpy', 'numba', 'duckdb', 'pandas', 'sqlalchemy', 'rich', 'multiprocessing')\n"
        "print([name for name in sys.modules if name in large])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "[]", done.stdout + done.stderr
    assert "1 record read" in done.stdout
