"""Every example in a command's help does what it shows, in a folder that has what it names."""

from __future__ import annotations

import io
import re
import shlex
import shutil
import sys
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest

from tests.queries.sample import OPENING, RECORDS, played, record
from zertz_db.cli import command_table
from zertz_db.cli.command_table import load_command
from zertz_db.cli.main import main
from zertz_db.edit.claim_names import set_kind
from zertz_db.edit.marks import add_mark
from zertz_db.edit.studies import save_study
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries import list_games
from zertz_db.rules.position import Position
from zertz_db.store.open_database import open_database
from zertz_db.variations.move_tree import MoveTree

COMMANDS = {row.name: load_command(row) for row in command_table.COMMANDS}
ELSEWHERE = {"serve": "test_server.py", "dashboard": "test_dashboard.py"}
"""Commands that go on until they are ended: where they are tested."""
LONG = " ".join(played(Position.start("37"), 2))
MORE = [
    record("twin", "Ada", "Ben", "2010.05.02", f"{OPENING} 3. Player1 resigns 0-1", Board="37"),
    record("long", "Adah", "Ben", "2010.05.03", LONG, Board="37"),
    record("bot", "Ada", "deepgrey", "2010.05.07", "1. Wd4,d1 *", Board="37"),
    record("named", "Ada Example", "anna", "2010.05.04", "1. Wd4,d1 *", Board="37"),
    "[Player1 \"Ada\"]\n[Player2 \"Ben\"]\n[Date \"2010.05.05\"]\n[Flags \"tournament\"]\n\n1. Wd4,d1 Bd3,a1 0-1\n\n",
    record("wrong", "Ada", "Ben", "2010.05.06", "1. Wd4,d1 Bd3,a1 2. Wa2,b1", Board="37"),
]  # fmt: skip


def examples(command: str) -> list[str]:
    """The examples of a command; what another program does with it is left out."""
    text = " ".join(re.split("Examples?:", COMMANDS[command].help or "", maxsplit=1)[-1].split())
    found = [one.strip() for one in text.split("·")]
    return [one for one in found if one.startswith("zertz ")]


def test_every_command_has_examples() -> None:
    missing = [name for name in COMMANDS if not any(one.startswith(f"zertz {name}") for one in examples(name))]
    assert missing == []


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all files and databases that examples name. Only to be copied."""
    folder = tmp_path_factory.mktemp("world")
    texts = RECORDS + MORE
    for name in ("games.txt", "corrected.txt", "notes.txt", "archive/a.txt", "games/a.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("".join(texts), "utf-8")
    (folder / "game.txt").write_text(texts[0], "utf-8")
    for name in ("archive.zip", "more.zip"):
        with zipfile.ZipFile(folder / name, "w") as archive:
            archive.write(folder / "games.txt", "inside.txt")
    import_paths([folder / "games.txt"], folder / "my.zertz")
    for number, second in ((2, "deepgrey"), (3, "Cy")):  # examples undo import 3
        import_paths(
            [
                write(
                    folder / f"{number}.txt",
                    record(f"import {number}", "Ada", second, f"20{number - 1}0.01.01", "1. Wd4,d1 *"),
                )
            ],
            folder / "my.zertz",
        )
    set_kind(folder / "my.zertz", "Cy", "bot")
    save_study(folder / "my.zertz", "Ada's trap", MoveTree(Position.start("37")), "ada")
    for name in ("mine", "club", "new", "old"):
        shutil.copytree(folder / "my.zertz", folder / f"{name}.zertz")
    return folder


def write(file: Path, text: str) -> Path:
    file.write_text(text, "utf-8")
    return file


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(name, marks=pytest.mark.long if number % 3 else ())
        for number, name in enumerate(name for name in COMMANDS if name not in ELSEWHERE)
    ],
)
def test_examples(
    command: str, world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "world"
    shutil.copytree(world, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("ZERTZ_DB", str(folder / "my.zertz"))
    write(folder / "game.sgf", (Path(__file__).parents[2] / "data").joinpath(sgf()).read_text("utf-8"))
    ids = names(command, folder)
    for example in examples(command):
        arguments, _, redirected = re.sub("|".join(ids), lambda found: ids[found[0]], example).partition(" < games")
        monkeypatch.setattr(sys, "argv", shlex.split(arguments.replace("1000000", "10")))
        make_room(sys.argv, folder)
        monkeypatch.setattr(sys, "stdin", io.StringIO())  # the input is empty
        if redirected:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((folder / "games.txt").read_bytes())))
        with pytest.raises(SystemExit) as ended:
            main()
        error = capsys.readouterr().err
        expected = (0, 1) if command in ("check", "convert", "import") else (0,)  # 1: some of the records are illegal
        assert int(ended.value.code or 0) in expected, (example, error)


def make_room(arguments: list[str], folder: Path) -> None:
    """Take away what a command is to write."""
    for option, target in pairwise(arguments):
        if option == "-o":
            shutil.rmtree(folder / target) if target.endswith("/") else (folder / target).unlink(missing_ok=True)


def names(command: str, folder: Path) -> dict[str, str]:
    """The ids in this database that stand for those in a command's examples."""
    with open_database(folder / "my.zertz") as database:
        ids = dict(list_games(database, columns=["event", "id"]).rows)
    made = add_mark(folder / "my.zertz", label="study", author="Cy", game=ids["named"]).id
    some = ids["resigned" if command == "duplicates" else "long"]
    other = made if command == "marks" else ids["twin"]
    return {"3T7K0V9QZ4M1A": some, "3T7K": some, "9NHW": ids["named"], "A05S": other}


def sgf() -> str:
    root = Path(__file__).parents[2] / "data"
    return str(min(root.rglob("*.sgf")).relative_to(root))
