"""`zertz check` and `zertz convert`, as a user meets them: in a process of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

import zertz_db
from zertz_db.cli.main import app
from zertz_db.parser.dialects import WRITERS

ROOT = Path(__file__).parents[3]

ILLEGAL = '[Board "37"]\n[RuleSet "standard"]\n1. Wd4,d1 Bd3,a1\n2. Wa2,b1\n'
LEGAL = '[Board "37"]\n[RuleSet "standard"]\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns\n'


def zertz(*arguments: str, folder: Path, given: bytes = b"", **environment: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-c", "from zertz_db.cli.main import main; main()", *arguments],
        cwd=folder,
        input=given,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "COLUMNS": "100", **environment},
        capture_output=True,
        check=False,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_a_finding_has_its_place_the_line_and_a_caret(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(ILLEGAL)
    done = zertz("check", "game.txt", folder=tmp_path)
    assert done.stdout == (
        "game.txt:4:4: E302 a capture is compulsory here: x d3Wd5 and x d4Bd2 (ply 3, rule 3.1)\n"
        "    2. Wa2,b1\n"
        "       ^^^^^^\n"
        "    suggestion: ply 2: Ba3,a1 for Bd3,a1; with that all 3 plies are legal\n"
        "1 record read = 0 verified + 0 unfinished + 1 illegal + 0 unreadable\n"
    )
    assert (done.returncode, done.stderr) == (1, "")


def test_a_member_of_an_archive_is_named(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        archive.writestr("good.txt", LEGAL)
        archive.writestr("bad.txt", ILLEGAL)
    done = zertz("check", "games.zip", folder=tmp_path)
    assert done.stdout.startswith("games.zip!bad.txt:4:4: E302 ")
    assert done.stdout.endswith("2 records read = 1 verified + 0 unfinished + 1 illegal + 0 unreadable\n")


@pytest.mark.parametrize(
    ("rules", "status", "told"),
    [
        ("original", 0, "N420"),
        ("standard+noties", 1, "W401 the record states 1/2-1/2, but by the rules, which have no ties, it is 0-0"),
        ("nonsense", 2, "no rule set is called 'nonsense'"),
    ],
)
def test_the_rules_of_records_that_state_none_can_be_said(tmp_path: Path, rules: str, status: int, told: str) -> None:
    moves = '[Board "37"]\n\n1. Wd4,d1 Bd3,a1 '
    (tmp_path / "game.txt").write_text(moves + "*\n" + moves + "tie\n")
    done = zertz("check", "game.txt", "--rules", rules, "--strict", "--select", "N420,N505,W401", folder=tmp_path)
    assert done.returncode == status
    assert told in done.stdout + done.stderr
    assert "N505" not in done.stdout


def test_jsonl_has_an_object_a_record(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text(LEGAL + "\n" + ILLEGAL)
    done = zertz("check", "games.txt", "--format", "jsonl", folder=tmp_path)
    good, bad = map(json.loads, done.stdout.splitlines())
    assert good == {
        "source": "games.txt",
        "member": None,
        "index": 0,
        "line": 1,
        "dialect": "gipf",
        "board": "37",
        "rule_set": "standard",
        "verdict": "verified",
        "plies": 3,
        "ending": "resign",
        "winner": 1,
        "winning_sets": [],
        "captured": [[1, 0, 0], [0, 0, 0]],
        "pool": [5, 8, 9],
        "findings": [],
    }
    assert (bad["index"], bad["line"], bad["verdict"], bad["winner"], bad["plies"]) == (1, 5, "illegal", None, 2)
    assert [(finding["code"], finding["line"], finding["ply"]) for finding in bad["findings"]] == [("E302", 8, 3)]


BINARY = bytes(range(256)) * 4


@pytest.mark.parametrize(
    ("name", "content", "status", "said"),
    [
        ("empty.txt", b"", 1, "E101 the file is empty"),
        ("blank.txt", b" \r\n\n", 1, "E101 the file is empty"),
        ("binary.dat", BINARY, 1, "E102 a binary file"),
        ("letter.txt", b"Dear Sir,\nyours.\n", 1, "E103 no notation"),
        (
            "pretty.jsonl",
            b'{\n  "moves": [\n    "Wd4,a1"\n  ]\n}\n',
            1,
            "suggestion: write it as JSON lines, by `jq -c .`",
        ),
        (
            "list.json",
            b'[\n  {\n    "moves": []\n  }\n]\n',
            1,
            "suggestion: write it as JSON lines, by `jq -c '.[]'`",
        ),
        ("other.json", b'{\n  "name": "x"\n}\n', 1, "E103 no notation of Z\u00c8RTZ games is recognised in it\n"),
        ("cut.zip", b"PK\x03\x04" + b"\1" * 60, 1, "E104 a zip archive without its directory"),
        ("legal.txt", LEGAL.encode(), 0, "1 record read = 1 verified"),
    ],
)
def test_odd_files_named_by_the_user(tmp_path: Path, name: str, content: bytes, status: int, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    done = zertz("check", name, folder=tmp_path)
    assert (done.returncode, done.stderr) == (status, "")
    assert said in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "missing.txt"], "missing.txt: no such file or folder"),
        (["check", "folder"], "folder: the folder has no files in it"),
        (["check", "letters"], "no records found in letters; 1 file has no records"),
        (["check"], "Missing argument"),
        (["check", "x", "--format", "xml"], "--format"),
        (["import", "missing.txt"], "missing.txt: no such file or folder"),
        (["convert", "letters/a.txt", "-o", "letters/a.txt"], "choose another --output"),
        (
            ["check", "letters/a.txt", "--dialect", "morse"],
            "unknown dialect 'morse'; valid: jsonl, boardspace, ",
        ),
        (["check", "letters/a.txt", "--letters", "la"], "unknown language 'la'; valid: en, it, fr, de, nl"),
        (["import", "letters/a.txt", "--letters", "la"], "unknown language 'la'; valid: en, it, fr, de, nl"),
        (["check", "letters/a.txt", "--select", "E3,Q"], "no code begins with 'Q'"),
        (["check", "letters/a.txt", "--jobs", "0"], "--jobs"),
        (["convert", "letters/a.txt", "--to", "morse"], "valid: gipf, zen, boardspace, jsonl"),
    ],
)
def test_trouble_is_told_in_a_sentence(tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "a.txt").write_text("Dear Sir,\nyours.\n")
    done = zertz(*arguments, folder=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "games.zertz").exists()


def test_standard_input(tmp_path: Path) -> None:
    done = zertz("check", "-", folder=tmp_path, given=LEGAL.encode())
    assert done.stdout == "1 record read = 1 verified + 0 unfinished + 0 illegal + 0 unreadable\n"


def test_strict_fails_on_warnings(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(LEGAL.replace("resigns", "resigns 0-1"))
    assert zertz("check", "game.txt", folder=tmp_path).returncode == 0
    assert zertz("check", "game.txt", "--strict", folder=tmp_path).returncode == 1


def test_convert_writes_canonical_notation_that_reads_back(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text(LEGAL + "\n" + ILLEGAL)
    done = zertz("convert", "games.txt", "-o", "canonical.txt", folder=tmp_path)
    assert done.returncode == 1
    assert "E302" in done.stderr
    text = (tmp_path / "canonical.txt").read_text("utf-8")
    assert text.endswith("\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 Player2 resigns 1-0\n") or "x d3Wd5" in text
    again = zertz("convert", "canonical.txt", folder=tmp_path)
    assert (again.returncode, again.stdout) == (0, text)


def test_findings_come_in_the_order_of_the_lines(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(
        '[Board "37"]\n[Rules "blitz"]\n\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 Player1 resigns\n3. 1-0'
    )
    lines = [
        line for line in zertz("check", "game.txt", folder=tmp_path).stdout.splitlines() if line.startswith("game")
    ]
    places = [int(line.split(":")[1]) for line in lines]
    assert len(places) > 1
    assert places == sorted(places)


def test_convert_replaces_no_file_unless_told_so(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(LEGAL)
    (tmp_path / "mine.txt").write_text("mine")
    done = zertz("convert", "game.txt", "-o", "mine.txt", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "mine.txt exists; name another file, or use --force" in done.stderr
    assert (tmp_path / "mine.txt").read_text() == "mine"
    done = zertz("convert", "game.txt", "-o", "mine.txt", "--force", folder=tmp_path)
    assert done.returncode == 0
    assert "1 record written to mine.txt" in done.stderr
    assert "Wd4,d1" in (tmp_path / "mine.txt").read_text()


def test_convert_leaves_nothing_behind_where_there_is_nothing_to_write(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Sir,\nyours.\n")
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "a.txt").write_text("Dear Sir,\nyours.\n")
    assert zertz("convert", "letters", "-o", "out.txt", folder=tmp_path).returncode == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["letter.txt", "letters"]


def test_convert_to_jsonl_adds_moves_and_counts(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(LEGAL)
    done = zertz("convert", "game.txt", "--to", "jsonl", "--legal-counts", folder=tmp_path)
    found = json.loads(done.stdout)
    assert found["moves"] == ["Wd4,d1", "Bd3,a1", "x d3Wd5"]
    assert found["legal_counts"] == [1944, 1734, 2]


@pytest.mark.long
def test_workers_do_not_change_what_is_printed(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        for number in range(60):
            archive.writestr(f"{number:02}.txt", (LEGAL if number % 7 else ILLEGAL) + "\n{" + "x" * 100_000 + "}\n")
    alone = zertz("check", "games.zip", folder=tmp_path, ZERTZ_WORKERS="1")
    together = zertz("check", "games.zip", folder=tmp_path, ZERTZ_WORKERS="2")
    assert alone.stdout.endswith("60 records read = 51 verified + 0 unfinished + 9 illegal + 0 unreadable\n")
    assert (together.stdout, together.returncode) == (alone.stdout, alone.returncode)


@pytest.mark.long
def test_a_file_that_is_one_long_line_shows_the_part_around_a_finding(tmp_path: Path) -> None:
    games = "1. Wd4,d1 Bd3,a1 2. Wa2,b1 * " * 2000
    (tmp_path / "games.txt").write_text(games)
    done = zertz("check", "games.txt", folder=tmp_path)
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) < 200
    carets = [number for number, line in enumerate(lines) if set(line) <= {" ", "^"} and "^" in line]
    marked = {lines[number - 1][lines[number].index("^") : lines[number].rindex("^") + 1] for number in carets}
    assert "Wa2,b1" in marked
    assert lines[-1] == "2,000 records read = 0 verified + 0 unfinished + 2,000 illegal + 0 unreadable"


BOTH = ILLEGAL + "\n" + LEGAL.replace("resigns", "resigns 0-1")


@pytest.mark.parametrize(
    ("options", "codes", "status"),
    [
        ([], ["E302", "W435"], 1),
        (["--select", "E3"], ["E302"], 1),
        (["--select", "W,E1"], ["W435"], 0),
        (["--select", "W", "--strict"], ["W435"], 1),
        (["--ignore", "E302"], ["W435"], 0),
        (["--ignore", "E,W"], [], 0),
        (["--ignore", "e", "--select", "e302"], ["E302"], 1),
        (["--select", "E3", "--ignore", "E302"], [], 0),
        (["--exit-zero"], ["E302", "W435"], 0),
        (["--exit-zero", "--strict"], ["E302", "W435"], 0),
    ],
)
@pytest.mark.parametrize("form", ["text", "json", "jsonl", "github"])
def test_what_is_selected_is_told_and_decides_the_status(
    tmp_path: Path, options: list[str], codes: list[str], status: int, form: str
) -> None:
    (tmp_path / "games.txt").write_text(BOTH)
    done = CliRunner().invoke(app, ["check", str(tmp_path / "games.txt"), "--format", form, *options])
    assert (re.findall(r"\b[EWN][0-9]{3}\b", done.stdout), done.exit_code) == (codes, status)
    if form == "json":
        assert [record["verdict"] for record in json.loads(done.stdout)] == ["illegal", "verified"]


def test_statistics_count_codes(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text((ILLEGAL + "\n") * 3 + BOTH)
    done = CliRunner().invoke(app, ["check", str(tmp_path / "games.txt"), "--statistics"])
    assert done.stdout == (
        "        4  E302  a placement where a capture is compulsory\n"
        "        1  W435  a resignation contradicts the result\n"
        "5 records read = 1 verified + 0 unfinished + 4 illegal + 0 unreadable\n"
    )


def test_a_board_is_drawn_at_the_fault(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text(BOTH)
    plain = CliRunner().invoke(app, ["check", str(tmp_path / "games.txt")]).stdout
    drawn = CliRunner().invoke(app, ["check", str(tmp_path / "games.txt"), "--boards"]).stdout
    board = zertz_db.Position.start("37").play("Wd4,d1").play("Bd3,a1").picture()
    assert drawn.count("".join(f"    {row}\n" for row in board.splitlines())) == 1
    assert [line for line in plain.splitlines() if line not in drawn.splitlines()] == []


def test_an_annotation_cannot_be_broken_by_what_is_in_a_record(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a,b.zip", "w") as archive:
        archive.writestr("x\n::error::y.txt", ILLEGAL)
    done = CliRunner().invoke(app, ["check", str(tmp_path / "a,b.zip"), "--format", "github"])
    (line,) = done.stdout.splitlines()
    assert "a%2Cb.zip,title=E302::" in line


def test_colours_are_for_terminals_only(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text(BOTH)
    for form in ("text", "github"):
        assert "\x1b" not in CliRunner().invoke(app, ["check", str(tmp_path / "games.txt"), "--format", form]).stdout
    assert "\x1b[" in CliRunner().invoke(app, ["check", str(tmp_path / "games.txt")], color=True).stdout


def test_letters_of_another_language(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text("1. Bd4,d1 Gd3,a1 2. x d3Bd5 *\n")
    done = CliRunner().invoke(app, ["convert", str(tmp_path / "games.txt"), "--letters", "it"])
    assert "1. Wd4,d1 Gd3,a1 2. x d3Wd5" in done.stdout


def test_every_form_that_can_be_written_is_named_in_the_help() -> None:
    shown = CliRunner().invoke(app, ["convert", "--help"]).stdout
    assert all(form in shown for form in WRITERS)


@pytest.mark.parametrize("form", WRITERS)
def test_every_form_reads_back(tmp_path: Path, form: str) -> None:
    game = (
        '[Player1 "Ada"]\n[Player2 "Ben"]\n[Board "37"]\n[RuleSet "standard"]\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 Wa2,b1 1-0\n'
    )
    (tmp_path / "games.txt").write_text(game)
    written = CliRunner().invoke(app, ["convert", str(tmp_path / "games.txt"), "--to", form])
    (tmp_path / "converted").write_text(written.stdout)
    again = CliRunner().invoke(app, ["convert", str(tmp_path / "converted"), "--to", form])
    assert (written.exit_code, _of_the_game(form, again.stdout)) == (0, _of_the_game(form, written.stdout))


def _of_the_game(form: str, text: str) -> object:
    """What was written of a game, without where its record was found."""
    if form != "jsonl":
        return text
    found = json.loads(text)
    return {key: value for key, value in found.items() if key not in ("source", "line", "dialect", "findings")}


FAULTY = '[Board "37"]\n[RuleSet "standard"]\n1. Wd4,d1 Bd3,a1\n2. x d3Wd6 Ba2,b1 *\n'


def test_fix_writes_a_copy_beside_the_file_with_a_comment_at_each_repair(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text(LEGAL + "\n" + FAULTY)
    done = CliRunner().invoke(app, ["check", str(tmp_path / "games.txt"), "--fix"])
    assert done.exit_code == 1
    assert (tmp_path / "games.txt").read_text() == LEGAL + "\n" + FAULTY
    copy = (tmp_path / "games.repaired.txt").read_text()
    assert copy.startswith(LEGAL)
    assert "x d3Wd5 {repaired: was x d3Wd6" in copy
    assert CliRunner().invoke(app, ["check", str(tmp_path / "games.repaired.txt")]).exit_code == 0


def test_fix_replaces_no_file(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text(FAULTY)
    (tmp_path / "games.repaired.txt").write_text("mine")
    done = CliRunner().invoke(app, ["check", str(tmp_path / "games.txt"), "--fix"])
    assert "exists and stays unchanged" in done.stderr
    assert (tmp_path / "games.repaired.txt").read_text() == "mine"


def test_fix_writes_nothing_where_nothing_is_illegal(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text(LEGAL)
    CliRunner().invoke(app, ["check", str(tmp_path / "games.txt"), "--fix"])
    assert [path.name for path in tmp_path.iterdir()] == ["games.txt"]


def test_fix_of_a_member_goes_beside_the_archive_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    with zipfile.ZipFile(tmp_path / "sub" / "games.zip", "w") as archive:
        archive.writestr("../../bad.txt", FAULTY)
    CliRunner().invoke(app, ["check", str(tmp_path / "sub" / "games.zip"), "--fix"])
    there = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.txt"))
    assert there == ["sub/games.zip-..-..-bad.repaired.txt"]


def test_standard_input_cannot_be_fixed(tmp_path: Path) -> None:
    done = zertz("check", "-", "--fix", folder=tmp_path, given=FAULTY.encode())
    assert (done.returncode, "name a file instead of standard input" in done.stderr) == (2, True)


def test_jobs_do_not_change_what_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERTZ_WORKERS", "1")
    (tmp_path / "games.txt").write_text(BOTH)
    alone, together = (
        CliRunner().invoke(app, ["check", str(tmp_path / "games.txt"), "--jobs", jobs]).stdout for jobs in "12"
    )
    assert alone == together


def test_an_archive_on_standard_input(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        archive.writestr("bad.txt", ILLEGAL)
    done = zertz("check", "-", folder=tmp_path, given=(tmp_path / "games.zip").read_bytes())
    assert done.stdout.startswith("-!bad.txt:4:4: E302 ")
