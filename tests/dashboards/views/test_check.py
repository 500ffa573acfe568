"""The page to check and import records, the one with imports, and what both show of a record; run without a browser."""

from __future__ import annotations

import io
import shutil
import zipfile
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards.conftest import Boards, Lists
from tests.dashboards.opened_pages import html, opened, ran, rows, texts, verbatim
from tests.queries.sample import ILLEGAL, NONSENSE, RECORDS
from zertz_db import check_text
from zertz_db.dashboards.sections.downloads import group_records, pack_files
from zertz_db.dashboards.state import check_uploads
from zertz_db.dashboards.state.check_uploads import (
    Upload,
    build_repaired_text,
    find_record_repairs,
    get_display_name,
    read_uploads,
)
from zertz_db.dashboards.state.uploads import write_uploads
from zertz_db.ingest.stored.rejected_records import read_rejected
from zertz_db.ingest.stored.source_lookup import read_stored_record
from zertz_db.queries.database_info import list_rejects
from zertz_db.queries.games.game_list import count_games
from zertz_db.store.open_database import open_database

FAULTY = '[Board "37"] 1. Wd4,d1 Bd3,a1 2. x d3Wd6 Ba2,b1'
EVIL = "<script>alert(1)</script>"


pytestmark = pytest.mark.usefixtures("read_only")


def pasted(app: AppTest, text: str) -> AppTest:
    app.text_area("text to check").set_value(text)
    return ran(app)


def test_a_fault_is_shown_in_its_line_and_on_the_board(boards: Boards) -> None:
    app = pasted(opened("check.py"), FAULTY)
    assert "is not straight over one ring" in texts(app)
    line, carets = verbatim(app)[0].splitlines()
    assert line[carets.index("^") : carets.rindex("^") + 1] == "x d3Wd6"
    assert len(boards.given["frames"]) == 3
    assert boards.given["end"] == "The record goes wrong here, at ply 3."
    assert boards.given["ply"] == 2


def test_a_repair_is_accepted(boards: Boards) -> None:
    app = pasted(opened("check.py"), f"{FAULTY} *")
    assert "ply 3: x d3Wd5 for x d3Wd6" in texts(app).replace("\\", "")
    assert ["Accept", "Download"] in rows(app)
    app.button[[button.label for button in app.button].index("Accept")].click()
    ran(app)
    text = app.text_area("text to check").value
    assert text.startswith('[Board "37"] 1. Wd4,d1 Bd3,a1 2. x d3Wd5 {repaired: was x d3Wd6')
    assert [found.verdict for found in check_text(text)] == ["unfinished"]
    assert len(boards.given["frames"]) == 5


def test_files_without_records_are_named() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("letter.txt", "Dear Ada, I give up.")
    app = opened("check.py")
    app.get("file_uploader")[0].set_value(("letters.zip", packed.getvalue(), "application/zip"))
    assert "No records in 1 file." in texts(ran(app))


def test_short_texts_are_in_the_address() -> None:
    app = pasted(opened("check.py"), FAULTY)
    assert app.query_params["text"] == FAULTY
    assert "is not straight" in texts(opened("check.py", text=FAULTY))
    assert "text" not in pasted(app, RECORDS[0] * 50).query_params


def test_many_records_are_listed_and_one_is_shown(lists: Lists) -> None:
    app = pasted(opened("check.py"), "".join([*RECORDS[:3], ILLEGAL, NONSENSE]))
    assert lists.column("records", "Verdict") == ["illegal", "unreadable", "verified", "unfinished", "verified"]
    assert lists.column("records", "Most severe finding")[0].startswith("E302")
    assert "Choose a record" in texts(app)
    lists.clicks["records"] = {"row": "4"}
    assert "Record 4" in texts(ran(app))
    app.button_group("only").set_value("verified")
    ran(app)
    assert lists.keys("records") == ["1", "3"]


def test_what_is_all_right_is_said_so() -> None:
    app = pasted(opened("check.py"), RECORDS[0])
    assert "No findings" in texts(app)
    assert "<b>1</b>" in html(app)


@pytest.mark.parametrize("text", ["hello", "[Event", "1. " + "x" * 5000, f'[Player1 "{EVIL}"] 1. Wd4,d1 {EVIL} *'])
def test_any_text_gets_a_verdict(text: str) -> None:
    app = pasted(opened("check.py"), text)
    assert app.error == [] or "failed" not in app.error[0].value


def test_names_in_records_are_text() -> None:
    said = texts(pasted(opened("check.py"), f'[Player1 "{EVIL}"] 1. Wd4,d1 Bd3,a1 *'))
    assert EVIL not in said
    assert EVIL in said.replace("\\", "")


def test_files_and_archives_are_looked_into() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("inner.txt", RECORDS[0] + ILLEGAL)
        archive.writestr("notes.md", "nothing of ours")
    found = read_uploads([Upload("all.zip", packed.getvalue()), Upload("one.txt", RECORDS[1].encode())])
    assert [get_display_name(one.place) for one in found.records] == [
        "all.zip!inner.txt",
        "all.zip!inner.txt",
        "one.txt",
    ]
    assert [one.checked.verdict for one in found.records] == ["verified", "illegal", "unfinished"]
    assert [get_display_name(one.place) for one in found.skipped] == ["all.zip!notes.md"]
    assert not found.is_truncated


def test_files_of_one_name_are_told_apart() -> None:
    brought = [("club.txt", b"1"), ("club.txt", b"2"), ("club (2).txt", b"3"), ("", b"4"), ("", b"5")]
    with write_uploads(brought) as called:
        assert [Path(path).read_bytes() for path in called] == [data for _, data in brought]
        assert [*called.values()] == ["club.txt", "club (2).txt", "club (2) (2).txt", "pasted.txt", "pasted (2).txt"]
    assert not any(Path(path).exists() for path in called)


def test_a_name_of_a_file_stays_in_its_folder() -> None:
    found = read_uploads([Upload("../../odd/name.txt", RECORDS[0].encode()), Upload("", RECORDS[1].encode())])
    assert [get_display_name(one.place) for one in found.records] == ["name.txt", "pasted.txt"]


def test_more_records_than_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_uploads, "MAX_RECORDS", 2)
    found = read_uploads([Upload("many.txt", "".join(RECORDS).encode())])
    assert (len(found.records), found.is_truncated) == (2, True)


def test_a_repair_that_is_not_proven_is_not_written() -> None:
    [found] = read_uploads([Upload("faulty.txt", FAULTY.encode())]).records
    texts_of_repairs = [
        build_repaired_text(found, repair)
        for repair in find_record_repairs(found.data, found.number, found.checked, found.text)
    ]
    assert texts_of_repairs
    assert all(text and check_text(text)[0].is_game for text in texts_of_repairs)


def test_records_are_imported_only_where_that_is_allowed(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(sample, tmp_path / "db")
    monkeypatch.setenv("ZERTZ_DB", str(tmp_path / "db"))
    new = RECORDS[0].replace("2010.05.01", "2020.05.01") + ILLEGAL
    app = pasted(opened("check.py"), new)
    assert "--allow-import" in texts(app)
    assert not [button for button in app.button if button.key == "import"]
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "1")
    app = pasted(opened("check.py"), new)
    assert app.button("import").label == "Import 1 game; 1 record is rejected"
    app.button("import").click()
    assert "2 records read = 1 stored + 0 duplicate + 1 rejected." in texts(ran(app)).replace("\\", "")
    assert app.button("import").label == "Import no new game; 1 record of known games; 1 record is rejected"
    with open_database(tmp_path / "db") as database:
        assert count_games(database) == 7


def test_a_corrected_file_says_what_it_no_longer_holds(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(sample, tmp_path / "db")
    monkeypatch.setenv("ZERTZ_DB", str(tmp_path / "db"))
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "1")
    dates = ("2020.05.01", "2021.05.01", "2021.05.01")
    said = (
        "",
        "The files no longer hold 1 stored record; withdrawing them would remove 1 game",
        "Withdrew 1 stored record",
    )
    for date, words in zip(dates, said, strict=True):
        app = opened("check.py")
        app.session_state["files dropped before"] = [
            Upload("club.txt", RECORDS[0].replace("2010.05.01", date).encode())
        ]
        app = ran(app)
        if words.startswith("Withdrew"):
            app.checkbox("replace").check()
        app.button("import").click()
        found = texts(ran(app))
        assert words in found
        assert ("stored record" in found) == bool(words)
    with open_database(tmp_path / "db") as database:
        assert count_games(database) == 7


def test_imports_with_balance_and_reasons(lists: Lists) -> None:
    app = opened("imports.py", run="1")
    assert lists.keys("runs") == ["2", "1"]
    assert [f"<b>{number}</b>" in html(app) for number in (8, 6, 0, 2)] == [True] * 4
    assert "E302" in lists.keys("reasons")
    assert len(lists.keys("rejects")) == 2
    lists.clicks["reasons"] = {"row": "E302"}
    assert ran(app).query_params["code"] == "E302"
    assert len(lists.keys("rejects")) == 1
    app.button("all").click()
    assert "code" not in ran(app).query_params


def test_a_reject_is_reviewed(lists: Lists, boards: Boards) -> None:
    app = opened("imports.py", run="1", code="E302")
    lists.clicks["rejects"] = {"row": "0"}
    app = ran(app)
    assert "rules, section 3.1" in texts(app)
    assert boards.given["end"] == "The record goes wrong here, at ply 3."


def test_a_kept_record_is_read_again(sample: Path) -> None:
    with open_database(sample) as database:
        for row in list_rejects(database, 1).dicts():
            found = read_stored_record(database, 1, row["path"], row["member"], row["index"])
            assert found is not None
            assert row["reason"] in [finding.code for finding in found.checked.findings]
        assert read_stored_record(database, 9, "nowhere", "", 0) is None


def count_rejects(folder: Path, run: int) -> int:
    with open_database(folder) as database:
        return len(list_rejects(database, run).rows)


def test_good_records_are_imported_without_the_rejected_ones(own: Path) -> None:
    app = pasted(opened("check.py"), RECORDS[0].replace("2010.05.01", "2020.05.01") + ILLEGAL)
    app.button("import games").click()
    assert "1 records read = 1 stored + 0 duplicate + 0 rejected." in texts(ran(app)).replace("\\", "")
    assert count_rejects(own, 3) == 0


def test_a_record_of_a_file_is_edited_in_the_file(lists: Lists) -> None:
    app = opened("check.py")
    app.session_state["files dropped before"] = [Upload("club.txt", (RECORDS[0] + FAULTY).encode())]
    app = ran(app)
    lists.clicks["records"] = {"row": "2"}
    app = ran(app)
    [field] = [area for area in app.text_area if area.label == "Its text"]
    assert field.value == FAULTY
    field.set_value(FAULTY.replace("x d3Wd6", "x d3Wd5"))
    app = ran(app)
    app.button("use text").click()
    ran(app)
    assert lists.column("records", "Verdict") == ["verified", "unfinished"]


def test_a_record_that_can_t_be_edited_in_its_file_is_pasted() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("club.txt", FAULTY)
    app = opened("check.py")
    app.session_state["files dropped before"] = [Upload("club.zip", packed.getvalue())]
    app = ran(app)
    [field] = [area for area in app.text_area if area.label == "Its text"]
    field.set_value(FAULTY.replace("x d3Wd6", "x d3Wd5"))
    app = ran(app)
    app.button("use text").click()
    ran(app)
    assert "The text was added to the pasted records." in app.toast[0].value
    assert "x d3Wd5" in app.text_area("text to check").value


def test_a_rejected_record_is_edited_checked_and_imported(own: Path, lists: Lists) -> None:
    app = opened("imports.py", run="1", code="E302", record="1")
    assert app.button("import revised").disabled
    app.text_area[0].set_value("1. Wd4,d1 nonsense")
    app = ran(app)
    assert app.button("import revised").disabled
    assert "This text would be rejected." in texts(app)
    app.text_area[0].set_value(RECORDS[0].replace("2010.05.01", "2020.05.01"))
    app = ran(app)
    app.button("import revised").click()
    app = ran(app)
    assert "1 records read = 1 stored" in texts(app).replace("\\", "")
    assert "A revised text of this record was imported." in texts(app)
    assert lists.keys("rejects") == []
    app.checkbox("revised").check()
    ran(app)
    assert lists.keys("rejects") == ["1"]
    with open_database(own) as database:
        assert count_games(database) == 7


def test_an_import_is_undone_after_a_confirmation(own: Path, lists: Lists) -> None:
    app = opened("imports.py", run="1")
    app.button("undo import").click()
    assert "Undone. Removed: " in texts(ran(app)).replace("\\", "")
    assert lists.column("runs", "Source")[1].endswith("(undone)")
    assert not [button for button in app.button if button.key == "undo import"]
    with open_database(own) as database:
        assert count_games(database) < 6


def test_all_records_are_read_again(own: Path) -> None:
    app = opened("imports.py")
    app.button("recheck").click()
    assert "No changes: every record reads as it is stored." in texts(ran(app)).replace("\\", "")
    assert own.exists()


def test_an_import_is_shown_and_nothing_is_undone_where_writing_is_not_allowed() -> None:
    app = opened("imports.py", run="1", record="1")
    headings = ["Import 1", "Why records were rejected", "Rejected records", "The record", "Repairs"]
    assert [element.value for element in app.subheader] == headings
    keys = {button.key for button in app.button}
    assert not keys & {"undo import", "recheck", "import revised"}


@pytest.mark.parametrize(
    ("records", "files"),
    [
        ([("a.txt", b"1. x\n\n"), ("a.txt", b"1. y"), ("b.txt", b"")], [("a.txt", b"1. x\n\n1. y\n")]),
        ([("a.txt", b"1\0"), ("a.txt", b"2\0")], [("a.txt", b"1\x002\0")]),
        ([("b.txt", b"1"), ("a.txt", b"2")], [("b.txt", b"1\n"), ("a.txt", b"2\n")]),
    ],
)
def test_records_become_files(records: list[tuple[str, bytes]], files: list[tuple[str, bytes]]) -> None:
    assert group_records(records) == files


def test_several_files_become_an_archive() -> None:
    with zipfile.ZipFile(io.BytesIO(pack_files([("x.zip!d/a.txt", b"1"), ("a.txt", b"2")]))) as packed:
        assert packed.namelist() == ["001 x.zip!d!a.txt", "002 a.txt"]


def test_bytes_of_rejected_records_can_be_downloaded(sample: Path) -> None:
    with open_database(sample) as database:
        found = read_rejected(database, 1)
        assert [one[:3] for one in found] == [
            (row["path"], row["member"], row["index"]) for row in list_rejects(database, 1).dicts()
        ]
        assert any(ILLEGAL.strip().encode() == one.data.strip() for one in found)
