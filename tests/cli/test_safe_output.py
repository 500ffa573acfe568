"""What reaches the terminal, the pipe and the file: encodings, colours, widths."""

from __future__ import annotations

import csv
import fcntl
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import pytest
from rich.cells import cell_len

from zertz_db.cli.errors import Stop
from zertz_db.cli.main import main
from zertz_db.cli.safe_output import open_text_output, write_atomically
from zertz_db.cli.tables import print_result
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.result import Column, Result

ROOT = Path(__file__).parents[2]
ZERTZ = [sys.executable, "-c", "from zertz_db.cli.main import main; main()"]
ENCODINGS = {
    "ASCII": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "Latin-1": {"PYTHONIOENCODING": "latin-1"},
    "UTF-8": {"PYTHONUTF8": "1"},
}

TRIED = [pytest.param(name, marks=() if name == "ASCII" else pytest.mark.long) for name in ENCODINGS]
"""ASCII can show least; the others are for `make long`."""


def environment(**more: str) -> dict[str, str]:
    mine = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "FORCE_COLOR")}
    return {**mine, "PYTHONPATH": str(ROOT), "TERM": "xterm", **more}


def in_pipe(*arguments: str, folder: Path, **more: str) -> tuple[int, bytes, bytes]:
    done = subprocess.run([*ZERTZ, *arguments], cwd=folder, env=environment(**more), capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def on_terminal(
    *arguments: str, folder: Path, width: int = 100, patience: float = 1e9, output: BinaryIO | None = None, **more: str
) -> str:
    """What a terminal gets, with the progress after so many seconds; standard output may go elsewhere."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    python, option, code = ZERTZ
    begin = f"from zertz_db.cli import progress; progress._DELAY_SECONDS = {patience}; "
    with subprocess.Popen(
        [python, option, begin + code, *arguments],
        cwd=folder,
        env=environment(**more),
        stdin=theirs,
        stdout=output or theirs,
        stderr=theirs,
    ):
        os.close(theirs)
        said = b""
        try:
            while read := os.read(ours, 4096):
                said += read
        except OSError:  # the other end is closed
            pass
    os.close(ours)
    return said.decode().replace("\r\n", "\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.txt").write_text('[Player1 "Čeněk"]\n[Board "37"]\n\n1. Wd4,d1 Bd3,a1 ŵoops\n', "utf-8")
    (tmp_path / "good.txt").write_text(
        '[Player1 "Čeněk"]\n[Board "37"]\n[RuleSet "standard"]\n1. Wd4,d1 resigns\n', "utf-8"
    )
    return tmp_path


@pytest.mark.parametrize("encoding", TRIED)
def test_people_read_what_their_terminal_can_show(folder: Path, sample: Path, encoding: str) -> None:
    checked = in_pipe("check", "game.txt", folder=folder, **ENCODINGS[encoding])
    assert checked[0] == 1
    assert b"E210" in checked[1]
    for command in (["games"], ["show", "--help"], ["--help"], ["imports", "--rejects", "1"]):
        status, out, err = in_pipe(*command, folder=folder, ZERTZ_DB=str(sample), **ENCODINGS[encoding])
        assert (status, bool(out)) == (0, True), err


@pytest.mark.parametrize("encoding", TRIED)
def test_programs_read_utf_8(folder: Path, sample: Path, encoding: str) -> None:
    for command in (
        ["convert", "good.txt"],
        ["games", "--json"],
        ["games", "--csv"],
        ["export"],
        ["export", "--to", "jsonl"],
        ["sql", "select player1 from games", "--json"],
    ):
        status, out, err = in_pipe(*command, folder=folder, ZERTZ_DB=str(sample), **ENCODINGS[encoding])
        assert (status, "Čeněk" in out.decode("utf-8")) == (0, True), err
    status, out, _ = in_pipe("check", "game.txt", "--format", "jsonl", folder=folder, **ENCODINGS[encoding])
    assert (status, "ŵoops" in out.decode("utf-8")) == (1, True)


@pytest.mark.parametrize("encoding", TRIED)
def test_names_on_the_command_line_are_read_in_every_locale(folder: Path, sample: Path, encoding: str) -> None:
    asked = ["games", "--player", "čeněk", "--csv"]
    status, out, err = in_pipe(*asked, folder=folder, ZERTZ_DB=str(sample), **ENCODINGS[encoding])
    assert (status, "Čeněk" in out.decode("utf-8")) == (0, True), err
    question = "select event from games where player1 = 'Čeněk'"
    status, out, err = in_pipe("sql", question, "--csv", folder=folder, ZERTZ_DB=str(sample), **ENCODINGS[encoding])
    assert (status, out) == (0, b"event\nlarge\n"), err


@pytest.mark.parametrize("encoding", TRIED)
def test_files_have_names_in_every_locale(folder: Path, encoding: str) -> None:
    (folder / "good.txt").rename(folder / "žluť.txt")
    status, out, err = in_pipe("check", "žluť.txt", folder=folder, **ENCODINGS[encoding])
    assert (status, out) == (0, b"1 record read = 1 verified + 0 unfinished + 0 illegal + 0 unreadable\n"), err
    status, _, err = in_pipe("convert", "žluť.txt", "-o", "ž.txt", folder=folder, **ENCODINGS[encoding])
    assert (status, (folder / "ž.txt").is_file()) == (0, True), err
    assert in_pipe("check", "š.txt", folder=folder, **ENCODINGS[encoding])[0] == 2


OBEYED = {
    "title": "\x1b]0;x\x07",
    "letters": "\x1b(0",
    "colours": "\x1b[8;47;5m",
    "no colours": "\x1b[m",
    "back": "\x08",
    "one byte": "\x9b2J",
    "other direction": "\u202e",
}
OURS = re.compile(r"\x1b\[(?:0|31|33|36|1)m")


@pytest.mark.parametrize("signs", OBEYED.values(), ids=OBEYED)
@pytest.mark.parametrize("command", ["check", pytest.param("convert", marks=pytest.mark.long)])
def test_what_a_record_says_takes_no_hold_of_the_terminal(folder: Path, command: str, signs: str) -> None:
    """It is shown, on standard output and among the errors, and our own colours beside it."""
    (folder / "game.txt").write_text(f'[Board "37"]\n\n1. Wd4,d1 Q{signs}Q resigns\n', "utf-8")
    said = on_terminal(command, "game.txt", folder=folder)
    assert OURS.search(said)
    assert OURS.sub("", said).replace("\n", "").isprintable()
    assert signs.encode("unicode_escape").decode() in said


@pytest.mark.parametrize("signs", [signs for signs in OBEYED.values() if "m" not in signs])
def test_pipes_get_what_a_record_says_as_it_is(folder: Path, signs: str) -> None:
    (folder / "game.txt").write_text(f'[Board "37"]\n\n1. Wd4,d1 Q{signs}Q resigns\n', "utf-8")
    assert signs in in_pipe("check", "game.txt", folder=folder)[1].decode()


def test_help_has_its_colours_and_they_end(folder: Path) -> None:
    said = on_terminal("check", "--help", folder=folder)
    assert "\x1b[1m" in said
    assert "\\x1b" not in said


def test_findings_come_above_the_progress_and_take_no_hold_either(folder: Path) -> None:
    for number in range(3):
        (folder / f"odd{number}.txt").write_text('[Board "37"]\n\n1. Wd4,d1 \x1b[8;47;5m\n', "utf-8")
    said = on_terminal("check", *(f"odd{number}.txt" for number in range(3)), folder=folder, patience=-1)
    assert "\x1b[8" not in said
    assert "\\x1b" in said
    assert "\x1b[?25l" in said  # the progress itself


def test_findings_go_to_a_file_and_the_progress_to_the_terminal(folder: Path) -> None:
    (folder / "more.txt").write_text((folder / "game.txt").read_text("utf-8") * 3, "utf-8")
    with (folder / "found").open("wb") as file:
        said = on_terminal("check", "game.txt", "more.txt", folder=folder, patience=-1, output=file)
    assert "E210" not in said
    assert "checking" in said
    assert (folder / "found").read_text("utf-8").count("E210") == 4


def test_colours_are_for_terminals_that_want_them(folder: Path) -> None:
    assert "\x1b[" in on_terminal("check", "game.txt", folder=folder)
    assert "\x1b[" not in on_terminal("check", "game.txt", folder=folder, NO_COLOR="1")
    assert "\x1b[" not in on_terminal("check", "game.txt", folder=folder, TERM="dumb")
    assert b"\x1b[" not in in_pipe("check", "game.txt", folder=folder)[1]


def test_show_has_colours_for_terminals_that_want_them(folder: Path, sample: Path) -> None:
    db = str(sample)
    game = (
        in_pipe("games", "--limit", "1", "--csv", folder=folder, ZERTZ_DB=db)[1].decode().splitlines()[1].split(",")[0]
    )
    assert "\x1b[" in on_terminal("show", game, folder=folder, ZERTZ_DB=db)
    assert "\x1b[" not in on_terminal("show", game, folder=folder, ZERTZ_DB=db, NO_COLOR="1")
    assert b"\x1b[" not in in_pipe("show", game, folder=folder, ZERTZ_DB=db)[1]


@pytest.mark.parametrize(("width", "left_out"), [(100, None), (44, "board, plies"), (20, "player1, player2, result")])
def test_columns_are_left_out_where_the_terminal_is_narrow(
    folder: Path, sample: Path, width: int, left_out: str | None
) -> None:
    said = on_terminal("games", folder=folder, width=width, ZERTZ_DB=str(sample), NO_COLOR="1").splitlines()
    rows = [line for line in said if "2010.05.01" in line or width == 20]
    assert len(rows) >= 1
    notice = [line for line in said if line.startswith("the terminal is too narrow for")]
    assert len(notice) == bool(left_out)
    if left_out:
        assert left_out in notice[0]
    assert all(len(line) <= width for line in said if line not in notice)


def test_a_wide_answer_stands_upright_on_a_terminal(folder: Path, sample: Path) -> None:
    question = ["sql", "select id, board, movetext from games where event = 'large'"]
    said = on_terminal(*question, folder=folder, width=60, ZERTZ_DB=str(sample), NO_COLOR="1").splitlines()
    assert said[0] == "row 1"
    assert [line.split()[0] for line in said[1:4]] == ["id", "board", "movetext"]
    piped = in_pipe(*question, folder=folder, ZERTZ_DB=str(sample))[1].decode().splitlines()
    assert piped[0].split() == ["id", "board", "movetext"]


@pytest.mark.parametrize("name", ["Ada", "👩‍👩‍👧", "❤️", "e\u0301va", "文字", "a\u200bb", "\U0001f1e9\U0001f1ea", "한"])
def test_columns_line_up_whatever_is_in_them(capsys: pytest.CaptureFixture[str], name: str) -> None:
    print_result(Result((Column("name"), Column("next")), [(name, "|"), ("a long name", "|")]))
    lines = capsys.readouterr().out.splitlines()[1:]
    assert {cell_len(line.partition("|")[0]) for line in lines} == {len("a long name") + 2}


def test_no_csv_has_formulas(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record = '[Event "=1+1"]\n[Player1 "@Ada"]\n[Player2 "+Ben"]\n\n1. Wd4,d1 *\n'
    (tmp_path / "a.txt").write_text(record, "utf-8")
    import_paths([tmp_path / "a.txt"], tmp_path / "games.zertz")
    for command in ("games", "players", "tournaments", "export --to csv", "sql 'from games'", "ratings --history @ada"):
        form = [] if "export" in command else ["--csv"]
        monkeypatch.setattr(sys, "argv", ["zertz", *shlex.split(command), *form, "--db", str(tmp_path / "games.zertz")])
        with suppress(SystemExit):
            main()
        cells = list(chain.from_iterable(csv.reader(capsys.readouterr().out.splitlines())))
        assert cells
        assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))]


def test_the_command_line_starts_without_the_database() -> None:
    code = (
        "import sys; sys.argv = ['zertz', '--version']\n"
        "from zertz_db.cli.main import main\n"
        "try: main()\nexcept SystemExit: print({'duckdb', 'lark', 'numba', 'pandas', 'pyarrow', 'sqlmodel'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[1] == "set()"


# ---- files that appear when they are whole


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    with write_atomically(tmp_path / "a.txt", force=False) as path:
        path.write_text("whole")
        assert not (tmp_path / "a.txt").exists()
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_what_fails_leaves_nothing_and_the_message_names_the_file_wanted(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("mine")
    for failure in (
        lambda path: PermissionError(13, "Permission denied", str(path)),
        lambda path: ValueError(f"no {path}"),
    ):
        with pytest.raises(Stop) as stopped, write_atomically(tmp_path / "a.txt", force=True) as path:
            path.write_text("half")
            raise failure(path)
        assert str(stopped.value).startswith(f"{tmp_path / 'a.txt'} can't be written: ")
        assert ".part" not in str(stopped.value)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("a.txt", "mine")]


def test_a_device_is_written_to_as_it_is() -> None:
    with write_atomically(Path(os.devnull), force=False) as path:
        assert path == Path(os.devnull)
    assert not Path(os.devnull).is_file()


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    with write_atomically(tmp_path / "link.txt", force=True) as path:
        path.write_text("new")
    assert (tmp_path / "real.txt").read_text() == "new"
    assert (tmp_path / "link.txt").is_symlink()


def test_a_path_that_the_system_can_not_follow_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop.txt").symlink_to(tmp_path / "loop.txt")
    for name in ("loop.txt", "x" * 300):
        with pytest.raises(Stop, match="can't be written: "), write_atomically(tmp_path / name, force=True):
            pytest.fail("nothing can be written there")
    assert [path.name for path in tmp_path.iterdir()] == ["loop.txt"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_reported_with_the_file() -> None:
    full = pytest.raises(Stop, match=r"/dev/full can't be written: No space left on device\. Free")
    with full, open_text_output("/dev/full", force=False) as file:
        file.write("text")


def test_a_loop_of_links_is_refused_by_every_writer(folder: Path, sample: Path) -> None:
    (folder / "loop.txt").symlink_to(folder / "loop.txt")
    (folder / "legal.txt").write_text("1. Wd4,d1 Bd3,a1 *\n")
    for command in (["convert", "legal.txt"], ["export", "--to", "jsonl"]):
        status, _, errors = in_pipe(*command, "-o", "loop.txt", folder=folder, ZERTZ_DB=str(sample))
        assert (status, b"loop.txt can't be written: Too many levels" in errors) == (2, True)
