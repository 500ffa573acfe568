"""The folder of a site: its files, equal bytes for equal games, its filter; frames of the board equal the dashboard's."""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
import random
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from zertz_db.dashboards.components.board_files import read_elements, read_script, read_style
from zertz_db.dashboards.components.board_frames import build_frame, build_racks, draw_preview
from zertz_db.export.web import checker
from zertz_db.export.web.board_data import describe_board
from zertz_db.export.web.checker import CheckerError, collect_checker
from zertz_db.export.web.site import FRONTEND, BoardFiles, is_site, write_site
from zertz_db.queries.games.game_list import list_games
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database

NODE = shutil.which("node")
BOARD = BoardFiles(read_script(), read_style(), read_elements())
FRAMES = """
const site = process.argv[1];
const { Boards } = await import(`${site}/archive/boards.js`);
const { parsePosition } = await import(`${site}/rules/notation.js`);
const { drawPreview, makeFrame, makeRacks } = await import(`${site}/parts/frames.js`);
const { boards: described, cases } = JSON.parse(await new Response(process.stdin).text());
const boards = new Boards(described);
console.log(JSON.stringify(cases.map(({ before, position: text, move }) => {
  const position = parsePosition(text, boards);
  const preview = drawPreview(parsePosition(before, boards), move);
  return { frame: makeFrame(position, move), racks: makeRacks([position], ["Ada", "Ben"]), preview };
})));
"""


def read_bytes(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_equal_databases_give_equal_bytes(database: Database, tmp_path: Path) -> None:
    sites = [write_site(database, tmp_path / name, BOARD) for name in ("one", "other")]
    files = read_bytes(tmp_path / "one")
    assert files == read_bytes(tmp_path / "other")
    assert sites[0].sizes == {name: len(content) for name, content in files.items()}
    assert str(tmp_path).encode() not in b"".join(files.values())


def test_all_games_are_written_with_their_facts(database: Database, tmp_path: Path) -> None:
    written = write_site(database, tmp_path, BOARD, title="Club")
    start, facts = (
        json.loads(gzip.decompress((tmp_path / f"data/{name}.json.gz").read_bytes())) for name in ("start", "games")
    )
    lines = gzip.decompress((tmp_path / "data/moves.txt.gz").read_bytes()).decode().splitlines()
    listed = list_games(database, columns=("id", "movetext", "result", "player1")).dicts()
    assert written.games == start["facts"]["games"] == len(listed) == len(lines)
    assert start["facts"]["title"] == "Club"
    results = [facts["result"]["values"][at] for at in facts["result"]["at"]]
    firsts = [start["names"][at] if at >= 0 else None for at in facts["player1"]]
    found = dict(zip(facts["id"], zip(lines, results, firsts, strict=True), strict=True))
    assert found == {row["id"]: (row["movetext"], row["result"], row["player1"]) for row in listed}
    assert facts["board"] == sorted(facts["board"])


@pytest.mark.parametrize("written", [1, 2, 20])
def test_a_site_that_was_not_written_to_its_end_shows_no_page_and_can_be_replaced(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: int
) -> None:
    left = iter(range(written))
    write_bytes = Path.write_bytes

    def write(path: Path, content: bytes) -> int:
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write_bytes(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", write)
        with pytest.raises(OSError, match="No space left"):
            write_site(database, tmp_path, BOARD)
    assert is_site(tmp_path)
    assert not (tmp_path / "index.html").exists()
    assert write_site(database, tmp_path, BOARD).sizes == {
        name: len(content) for name, content in read_bytes(tmp_path).items()
    }


def test_a_folder_with_other_files_is_no_site(tmp_path: Path) -> None:
    assert not is_site(tmp_path)
    (tmp_path / "offline.js").write_text("// of another program")
    (tmp_path / "index.html").write_text("mine")
    assert not is_site(tmp_path)


def test_a_filter_chooses_the_games(database: Database, tmp_path: Path) -> None:
    written = write_site(database, tmp_path, BOARD, "board:48")
    assert written.games == len(list_games(database, "board:48").rows)


def test_the_files_name_each_other(database: Database, tmp_path: Path) -> None:
    write_site(database, tmp_path, BOARD)
    files = read_bytes(tmp_path)
    kept = json.loads(re.search(r"FILES = (\[.*\]);", files["offline.js"].decode())[1])  # type: ignore[index]
    assert {*kept} == {"./", *files} - {"index.html", "offline.js"}
    for name, content in files.items():
        if name.endswith(".js") and not name.startswith("board/"):
            for module in re.findall(r'(?:from|import\()\s*"(\.[^"]+)"', content.decode()):
                assert (tmp_path / name).parent.joinpath(module).is_file(), f"{name} imports {module}"
    assert not re.search(
        rb"https?://(?!www\.w3\.org/)", b"".join(content for name, content in files.items() if not name.endswith(".gz"))
    )


def test_no_text_of_a_record_becomes_html() -> None:
    """Only the board's own drawings are set as HTML; `element` of html.js sets text."""
    found = {
        path.name
        for path in FRONTEND.rglob("*.js")
        if re.search(r"innerHTML|insertAdjacentHTML|document\.write|eval\(", path.read_text("utf-8"))
    }
    assert found == {"board_view.js"}


def test_the_checker_is_packed_with_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(CheckerError, match=r"has no pyodide\.mjs; get Pyodide with"):
        collect_checker(tmp_path)
    for name in checker._PYODIDE:
        (tmp_path / name).write_text("x", "utf-8")
    files = collect_checker(tmp_path)
    assert files == collect_checker(tmp_path)
    names = zipfile.ZipFile(io.BytesIO(files["checker/zertz.zip"])).namelist()
    assert {
        "zertz_db/check/check_many.py",
        "zertz_db/rules/kernel.py",
        "zertz_db/parser/gipf/reader.py",
        "lark/lark.py",
    } <= {*names}
    assert not [name for name in names if name.startswith(("zertz_db/store/", "zertz_db/cli/"))]


def _cut_decimals(racks: list[dict[str, Any]]) -> str:
    """Return racks with whole numbers: Python rounds halves to the even digit, JavaScript up."""
    return re.sub(r"(\d)\.\d", r"\1", json.dumps(racks))


@pytest.mark.skipif(NODE is None, reason="node is missing")
def test_the_board_shows_what_the_dashboards_shows() -> None:
    starts = [Position.start(board, rules) for board in ("37", "48", "61") for rules in ("standard", "blitz")]
    chance = random.Random(5)  # noqa: S311 - no secret
    cases: list[tuple[Position, Position, str]] = []
    for position in starts:
        while not position.is_over:
            move = position.notation(chance.choice(position.legal_moves()))
            cases.append((position, position := position.play(move), move))
    cases = [case for case in cases if not case[1].is_over]
    asked = {
        "boards": [describe_board(start.board) for start in starts[::2]],
        "cases": [{"before": before.text, "position": after.text, "move": move} for before, after, move in cases],
    }
    command = [str(NODE), "--input-type=module", "-e", FRAMES, FRONTEND.as_uri()]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for found, (before, after, move) in zip(json.loads(done.stdout), cases, strict=True):
        racks: list[dict[str, Any]] = build_racks([after], ("Ada", "Ben"))
        assert found["frame"] == json.loads(json.dumps(build_frame(after, move))), move
        assert _cut_decimals(found["racks"]) == _cut_decimals(racks)
        assert found["preview"] == draw_preview(before, move)
