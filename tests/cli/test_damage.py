"""Whatever is damaged in a database's folder, every command ends soon, with a sentence: damages times commands, sampled."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest

from tests.cli.conftest import Run
from tests.queries.sample import RECORDS
from zertz_db.cli.servers import dashboard
from zertz_db.edit.correct_tags import correct_games
from zertz_db.edit.marks import add_mark
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.games.game_list import list_games
from zertz_db.store.annotations import corrections, game_merges, marks, people_file, people_toml
from zertz_db.store.annotations.people_file import NameAlias
from zertz_db.store.folder import generations
from zertz_db.store.open_database import open_database

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes with a name, and alarms")

_SECONDS = 300
"""Only a command that hangs takes so long."""
_SHARE = 5
"""Every fifth damage is tried, each with two commands of its own; SAMPLE=all in the environment tries all damages with all commands.

Three quarters of the tried damages are for `make long`."""
_ALL = os.environ.get("SAMPLE") == "all"

COMMANDS: dict[str, list[str]] = {
    "games": ["games"],
    "games labelled": ["games", "label:study"],
    "info": ["info"],
    "show": ["show", "GAME"],
    "stats": ["stats"],
    "openings": ["openings"],
    "find": ["find", "GAME", "--ply", "1"],
    "doctor": ["doctor"],
    "repair": ["doctor", "--repair"],
    "recheck": ["recheck"],
    "import": ["import", "MORE"],
    "export": ["export"],
    "export to a folder": ["export", "--to-db", "ELSEWHERE"],
    "export a copy": ["export", "-o", "COPY"],
    "merge": ["merge", "OTHER", "--into", "DB"],
    "merge from it": ["merge", "DB", "--into", "ELSEWHERE"],
    "undo": ["undo", "2"],
    "mark": ["mark", "GAME", "--label", "x"],
    "marks": ["marks"],
    "correct": ["correct", "GAME", "round=3"],
    "history": ["correct", "--history"],
    "players": ["players"],
    "claims": ["players", "--claims"],
    "proposals": ["players", "--proposals"],
    "claim": ["players", "Ada", "--is-not", "Ben"],
    "anonymise": ["players", "--anonymise", "Ada"],
    "ratings": ["ratings"],
    "duplicates": ["duplicates"],
    "imports": ["imports"],
    "migrate": ["migrate"],
    "sql": ["sql", "SELECT count(*) FROM plies"],
    "serve": ["serve", "--port", "0"],
    "dashboard": ["dashboard", "--no-browser", "--port", "PORT"],
}


def _live(db: Path) -> Path:
    found = generations.live_generation(db)
    assert found
    return found.path


def _put(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def _flip(path: Path, count: int, seed: str) -> None:
    chance, data = random.Random(seed), bytearray(path.read_bytes())  # noqa: S311 - no secret
    for _ in range(count):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def _replace_by(path: Path, make: Callable[[Path], object]) -> None:
    path.unlink(missing_ok=True)
    make(path)


WAYS: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: path.unlink(missing_ok=True),
    "empty": lambda path: _put(path, b""),
    "blank": lambda path: _put(path, b" \n\t\n"),
    "a line of text": lambda path: _put(path, b"nonsense\n"),
    "bytes": lambda path: _put(path, b"\xff\xfe\x00" * 1000),
    "zeros": lambda path: _put(path, bytes(5000)),
    "many brackets": lambda path: _put(path, b"a = " + b"[" * 50_000 + b"\n"),
    "a folder": lambda path: _replace_by(path, Path.mkdir),
    "a pipe": lambda path: _replace_by(path, os.mkfifo),
    "a loop": lambda path: _replace_by(path, lambda path: path.symlink_to(path.name)),
    "a link to nowhere": lambda path: _replace_by(path, lambda path: path.symlink_to("nowhere")),
    "a device": lambda path: _replace_by(path, lambda path: path.symlink_to("/dev/zero")),
    "half": lambda path: os.truncate(path, path.stat().st_size // 2) if path.exists() else None,
    "one bit": lambda path: _flip(path, 1, path.name[:10]) if path.exists() else None,
    "many bits": lambda path: _flip(path, 2000, path.name[:10]) if path.exists() else None,
    "a bad end": lambda path: _put(path, (path.read_bytes() if path.exists() else b"") + b'\n{"\xff'),
}
FILES: dict[str, Callable[[Path], Path]] = {
    "CURRENT": lambda db: db / "CURRENT",
    "CURRENT.new": lambda db: db / "CURRENT.new",
    "live": _live,
    "log of live": lambda db: _live(db).with_name(f"{_live(db).name}.wal"),
    "earlier": lambda db: generations.list_generations(db)[0].path,
    "working": lambda db: db / "working-abcdef.duckdb",
    "importer.lock": lambda db: db / "importer.lock",
    "annotations.lock": lambda db: db / "annotations.lock",
    **{
        room.FILE: lambda db, room=room: db / room.FILE
        for room in (people_file, people_toml, marks, game_merges, corrections)
    },  # type: ignore[misc]
}
DAMAGES = {f"{file} {way}": (file, way) for file in FILES for way in WAYS}
_TRIED = [*DAMAGES] if _ALL else [*DAMAGES][::_SHARE]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A database with something in each of its files, and the id of one of its games. Only to be copied."""
    folder = tmp_path_factory.mktemp("whole")
    half = len(RECORDS) // 2
    for name, records in (("a", RECORDS[:half]), ("b", RECORDS[half:])):
        (folder / f"{name}.txt").write_text("".join(records), "utf-8")
        import_paths([folder / f"{name}.txt"], folder / "db")
    (folder / "more.txt").write_text('[Player1 "Zoe"]\n[Board "37"]\n\n1. Wd4,d1 Bd3,a1 *\n')
    import_paths([folder / "more.txt"], folder / "other")
    with open_database(folder / "db") as database:
        game = str(list_games(database).rows[0][0])
    add_mark(folder / "db", "me", label="study", game=game)
    correct_games(folder / "db", [game], {"Event": "another"}, "me")
    people_file.adopt(folder / "db", [people_file.tombstone("Nobody")])
    people_file.append_aliases(folder / "db", [NameAlias("Ada", "Ben", "rejected", "", people_file.today())])
    return folder, game


@pytest.fixture
def db(whole: tuple[Path, str], tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole[0] / "db", tmp_path / "db"))


@pytest.fixture
def bounded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Commands that would go on for ever end when they have begun; those that hang fail."""
    monkeypatch.setattr("zertz_db.cli.servers.serve.supervise", lambda *_: None)
    monkeypatch.setattr(dashboard.runpy, "run_module", lambda *_, **__: None)
    monkeypatch.setattr(dashboard, "_warm_up", lambda: None)

    def ring(_signal: int, _frame: FrameType | None) -> None:
        pytest.fail("it hangs")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(_SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def _chosen(damage: str) -> list[str]:
    return [*COMMANDS] if _ALL else random.Random(damage).sample([*COMMANDS], 2)  # noqa: S311 - no secret


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@pytest.mark.usefixtures("bounded")
@pytest.mark.parametrize(
    "damage", [pytest.param(one, marks=pytest.mark.long if number % 4 else ()) for number, one in enumerate(_TRIED)]
)
def test_every_command_ends_soon_with_a_sentence(
    run: Run, db: Path, whole: tuple[Path, str], tmp_path: Path, damage: str
) -> None:
    folder, game = whole
    names = {
        "GAME": game,
        "DB": str(db),
        "MORE": str(folder / "more.txt"),
        "OTHER": str(folder / "other"),
        "PORT": str(_free_port()),
    }
    file, way = DAMAGES[damage]
    WAYS[way](FILES[file](db))
    for number, name in enumerate(_chosen(damage)):
        own = names | {"ELSEWHERE": str(tmp_path / f"{number}"), "COPY": str(tmp_path / f"{number}.duckdb")}
        status, _, errors = run(*(own.get(word, word) for word in COMMANDS[name]))
        assert status in (0, 1, 2), (name, errors)
        assert "in zertz itself" not in errors, name
        assert "Traceback" not in errors, name
        last = errors.splitlines()[-1:] or [""]
        assert status != 2 or last[0].startswith("zertz: "), (name, errors)
