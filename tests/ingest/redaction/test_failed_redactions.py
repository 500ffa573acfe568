"""A record whose names zertz fails to redact is rejected, and nothing of it is stored; everything else goes on."""

from __future__ import annotations

import traceback
from itertools import cycle
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.ingest.databases import ask, contents
from tests.ingest.injecting import NAME, SOUND, game, inject, logged
from zertz_db.check.findings import OUR_FAULT
from zertz_db.ingest.import_paths import import_paths
from zertz_db.ingest.redaction import failed_redactions
from zertz_db.ingest.redaction.failed_redactions import REPLACEMENT
from zertz_db.ingest.redaction.redact_batches import RedactedNames
from zertz_db.ingest.tally import Tally
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.recheck import recheck_database
from zertz_db.store.annotations import people_file

STEPS = (
    "zertz_db.ingest.redaction.redact_batches:find_player_names",
    "zertz_db.ingest.redaction.redact_batches:find_words",
    "zertz_db.ingest.redaction.redactor:Redactor.record",
    "zertz_db.ingest.redaction.redactor:Redactor.name",
    "zertz_db.ingest.redaction.redactor:Redactor.tag",
    "zertz_db.ingest.redaction.redactor:Redactor.text",
)
ERRORS = (KeyError(NAME), RecursionError(NAME), UnicodeEncodeError("ascii", NAME, 0, 1, NAME), MemoryError())
TAGGED = game(NAME).replace("[Event", f'[Annotator "{NAME}"]\n[Event')
"""A game with the name in a field and in a tag without a column."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "db"
    folder.mkdir()
    people_file.adopt(folder, [people_file.tombstone(NAME)])
    return folder


def import_games(tmp_path: Path, folder: Path) -> Tally:
    """Import a text with three games, and an archive with the game of NAME under a name that has it, too."""
    (tmp_path / "club.txt").write_text("\n".join([game("Ada"), TAGGED, game("Cem")]))
    with ZipFile(tmp_path / "club.zip", "w") as archive:
        archive.writestr(f"{NAME}.txt", game(NAME, f"by {NAME}"))
        archive.writestr("Ada.txt", game("Ada", "again"))
    return import_paths([tmp_path / "club.txt", tmp_path / "club.zip"], folder)


def stored_texts(folder: Path) -> list[str]:
    """Return everything in a database, with records' bytes unpacked."""
    values = [value for rows in contents(folder).values() for row in rows for value in row]
    return [value.decode() if isinstance(value, bytes) else str(value) for value in values]


def test_without_a_fault_the_games_are_stored_under_a_pseudonym(tmp_path: Path, folder: Path) -> None:
    tally = import_games(tmp_path, folder)
    assert (tally.rejected, NAME in " ".join(stored_texts(folder))) == (0, False)


@pytest.mark.parametrize(("where", "error"), [*zip(STEPS, cycle(ERRORS), strict=False)], ids=STEPS)
def test_a_record_is_rejected_alone_and_its_name_is_nowhere(
    where: str,
    error: Exception,
    tmp_path: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with monkeypatch.context() as patch:
        inject(patch, where, error)
        tally = import_games(tmp_path, folder)
    assert tally.read == 5
    assert tally.rejected >= 1
    assert dict(tally.reasons) == {OUR_FAULT.code: tally.rejected}
    assert {name for (name,) in ask(folder, "SELECT player1 FROM games")} >= {*SOUND}
    assert not [text for text in stored_texts(folder) if NAME in text]
    count = ask(folder, "SELECT count(DISTINCT id) FROM _record WHERE status = 'rejected' AND bytes = ?", b"")
    assert logged(caplog) == (count[0][0], count[0][0])
    for entry in caplog.records:
        assert entry.exc_info
        written = entry.getMessage() + "".join(traceback.format_exception(entry.exc_info[1]))
        assert NAME not in written
        assert type(error).__name__ in written
        assert "fragile" in written  # where the error was raised
    assert examine(folder).problems == ()
    recheck_database(folder)  # reads other records of its game again
    assert examine(folder).is_fine
    assert not [text for text in stored_texts(folder) if NAME in text]


def test_the_other_records_of_a_game_that_a_rejected_one_represents_are_rejected(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    poorer = game(NAME).replace('[Event "Cup"]\n', "")
    (tmp_path / "club.txt").write_text("\n".join([TAGGED, poorer]))
    inject(monkeypatch, "zertz_db.ingest.redaction.redactor:Redactor.tag", KeyError(NAME))
    tally = import_paths([tmp_path / "club.txt"], folder)
    assert (tally.rejected, ask(folder, "SELECT count(*) FROM games")) == (2, [(0,)])
    data = [data.decode() for (data,) in ask(folder, "SELECT bytes FROM _record ORDER BY index")]
    assert (data[0], "[Player1" in data[1], NAME in data[1]) == ("", True, False)
    assert examine(folder).problems == ()


def test_a_file_s_name_that_can_not_be_redacted_is_not_stored(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / f"{NAME}.txt").write_text(game("Ada"))
    inject(monkeypatch, "zertz_db.ingest.redaction.redactor:Redactor.text", KeyError(NAME))
    assert import_paths([tmp_path / f"{NAME}.txt"], folder).stored == 1
    assert ask(folder, "SELECT path FROM _source") == ask(folder, "SELECT what FROM imports") == [(REPLACEMENT,)]


def test_members_of_archives_get_names_that_tell_them_apart() -> None:
    first, again, other, none = (failed_redactions._replace_name(name) for name in (NAME, NAME, f"{NAME} 2", ""))
    assert first.startswith(f"{REPLACEMENT}-")
    assert NAME not in first
    assert first == again != other
    assert none == ""  # a record that is in no archive


def test_errors_of_the_machine_end_the_import(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inject(monkeypatch, STEPS[0], ModuleNotFoundError("no lark"))
    with pytest.raises(ModuleNotFoundError):
        import_games(tmp_path, folder)
    assert RedactedNames([]).text(NAME) == NAME
