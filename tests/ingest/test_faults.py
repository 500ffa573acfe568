"""Internal errors: a record on which zertz fails is rejected with its bytes, logged once, and everything else goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ingest.databases import ask
from tests.ingest.injecting import NAME, SOUND, game, inject, logged
from zertz_db.api.processes.record_checks import check_records
from zertz_db.check import check_many
from zertz_db.check.findings import OUR_FAULT
from zertz_db.export.notation import write_notations
from zertz_db.ingest.check_files import CheckOptions, check_paths
from zertz_db.ingest.dask_workers import Versions, import_on_worker
from zertz_db.ingest.import_paths import import_paths
from zertz_db.ingest.records.batch import BATCH_TABLES, ImportBatch, read_batch
from zertz_db.ingest.records.reader_version import READER_VERSION
from zertz_db.ingest.sources.place import Content, Damage, Place
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.recheck import recheck_database
from zertz_db.parser import dialects
from zertz_db.rules import compiled
from zertz_db.rules.compiled import sources_hash
from zertz_db.store.ids import from_text
from zertz_db.store.open_database import open_database
from zertz_db.store.schema.table_columns import arrow_schemas

ERRORS = (
    RuntimeError("no idea"),
    KeyError("d4"),
    RecursionError("too deep"),
    MemoryError(),
    AssertionError(),
    ValueError("odd"),
)

OF_FILES = (
    "zertz_db.ingest.records.read_records:decode",
    "zertz_db.ingest.records.read_records:detect",
    "zertz_db.ingest.records.read_records:split_segments",
)
"""Steps with a file before its records are known."""
READING = (
    "zertz_db.parser.gipf.grammar:split",
    "zertz_db.ingest.records.read_records:read",
    "zertz_db.ingest.records.read_records:add_encoding_notes",
    "zertz_db.ingest.records.read_records:encode",
    "zertz_db.parser.gipf.reader:record_of",
)
CHECKING = (
    "zertz_db.check.inference:states_board zertz_db.check.check_many:states_board",
    "zertz_db.check.replay.attempt:first_wrong_player zertz_db.check.check_many:first_wrong_player",
    "zertz_db.check.check_record:conclude zertz_db.check.check_many:conclude",
    "zertz_db.check.replay.attempt:encode zertz_db.check.replay.replay_many:_encoded",
    "zertz_db.check.replay.attempt:replay_game zertz_db.check.replay.replay_many:replay_batch",
)
"""Interpreted, and compiled."""
LAYING_OUT = (
    "zertz_db.ingest.records.batch:compute_weight",
    "zertz_db.ingest.records.batch:build_game_key",
    "zertz_db.ingest.records.batch:build_record_row",
    "zertz_db.ingest.records.batch:list_tags",
    "zertz_db.ingest.records.batch:build_finding_rows",
    "zertz_db.ingest.records.batch:build_game_row",
    "zertz_db.ingest.records.batch:collect_checked",
    "zertz_db.ingest.records.position_rows:_clocks",
)
WAYS = ("quick, interpreted", "thorough, interpreted", "quick, compiled", "thorough, compiled")


@pytest.fixture(params=WAYS)
def note(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A way to read and to replay; returns the comment that selects that reader for a game."""
    reading, _, replaying = request.param.partition(", ")
    set_replaying(monkeypatch, is_compiled=replaying == "compiled")
    return "a comment" if reading == "thorough" else ""


def set_replaying(patch: pytest.MonkeyPatch, *, is_compiled: bool) -> None:
    patch.setattr(check_many, "ENOUGH_PLIES", 0 if is_compiled else 10**9)
    if not is_compiled:
        patch.setattr(compiled, "is_loaded", lambda: False)


def laid_out(*texts: str) -> ImportBatch:
    contents = [Content(Place(f"{number}.txt", named=True), text.encode()) for number, text in enumerate(texts)]
    return read_batch(arrow_schemas(*BATCH_TABLES), None, contents)


def rejects(lot: ImportBatch) -> list[tuple[bytes, str]]:
    """Return the bytes of each rejected record, and the codes of its findings."""
    codes = dict(zip(lot.findings["record"].to_pylist(), lot.findings["code"].to_pylist(), strict=True))
    rows = lot.records
    every = zip(rows["id"], rows["bytes"], rows["game"], rows["reason"], rows["verdict"], strict=True)
    found = []
    for record, packed, number, reason, verdict in every:
        if number is None:
            assert (reason, verdict) == (codes[record], "unreadable")
            found.append((packed, reason))
    return found


@pytest.mark.parametrize("where", [*READING, *CHECKING, *LAYING_OUT])
def test_a_record_on_which_a_step_fails_is_rejected_alone(
    where: str, note: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    games = [game(first, note) for first in ("Ada", NAME, "Cem")]
    whole = laid_out("\n".join(games))
    assert (whole.games.num_rows, rejects(whole)) == (3, [])
    for error in ERRORS[len(where) % 3 :: 3]:
        caplog.clear()
        with monkeypatch.context() as patch:
            inject(patch, where, error)
            lot = laid_out("\n".join(games))
        ((data, code),) = rejects(lot)
        assert (data.decode().strip(), code) == (games[1].strip(), OUR_FAULT.code)
        assert lot.games["player1"].to_pylist() == [*SOUND]
        assert type(error).__name__ in lot.findings["message"].to_pylist()[-1] or lot.findings.num_rows > 1
        assert logged(caplog) == (1, 1)


@pytest.mark.parametrize("where", [*OF_FILES, *READING, *CHECKING, *LAYING_OUT])
def test_a_file_on_which_a_step_fails_does_not_affect_others(
    where: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    if where.endswith(":encode") and "ingest" in where:
        pytest.skip("the bytes of a file with one record are those of the file")
    set_replaying(monkeypatch, is_compiled=False)
    inject(monkeypatch, where, RuntimeError("no idea"))
    games = [game(first) for first in ("Ada", NAME, "Cem")]
    lot = laid_out(*games)
    assert rejects(lot) == [(games[1].encode(), OUR_FAULT.code)]
    assert lot.games["player1"].to_pylist() == [*SOUND]
    assert logged(caplog) == (1, 1)


@pytest.mark.parametrize(
    "where", ["zertz_db.check.replay.replay_many:_encoded", "zertz_db.check.replay.replay_many:replay_batch"]
)
def test_only_a_record_on_which_the_compiled_rules_fail_is_replayed_interpreted(
    where: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    set_replaying(monkeypatch, is_compiled=True)
    inject(monkeypatch, where, RuntimeError("no idea"))
    interpreted = []
    check = check_many.check
    monkeypatch.setattr(
        check_many, "check", lambda record, full: (interpreted.append(record.player1), check(record, full))[1]
    )
    check_many._remember_failure.cache_clear()
    lot = laid_out("\n".join(game(first) for first in ("Ada", NAME, "Cem")))
    assert (lot.games.num_rows, interpreted) == (3, [NAME])
    assert "fail on one record (RuntimeError: no idea)" in caplog.text


def test_errors_of_the_machine_reject_no_records(monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (OSError(28, "No space left on device"), ModuleNotFoundError("no lark"), KeyboardInterrupt()):
        with monkeypatch.context() as patch:
            inject(patch, "zertz_db.parser.gipf.reader:record_of", error)  # type: ignore[arg-type]
            with pytest.raises(type(error)):
                laid_out(game(NAME))


def test_the_same_record_twice_is_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    inject(monkeypatch, "zertz_db.ingest.records.batch:build_game_row", RuntimeError("no idea"))
    lot = laid_out(game(NAME), game("Ada"), game(NAME))
    assert [code for _, code in rejects(lot)] == [OUR_FAULT.code] * 2
    assert lot.findings.num_rows == len(set(lot.findings["record"].to_pylist()))
    assert logged(caplog) == (1, 1)


def test_with_a_representative_record_the_game_s_other_records_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    inject(monkeypatch, "zertz_db.ingest.records.batch:collect_checked", RuntimeError("no idea"))
    more = game(NAME).replace("[Event", '[Site "Club"]\n[Event')
    lot = laid_out(game(NAME), more, game("Ada"))
    assert [code for _, code in rejects(lot)] == [OUR_FAULT.code] * 2
    assert lot.games["player1"].to_pylist() == ["Ada"]


@pytest.mark.parametrize(
    "where",
    [
        "zertz_db.parser.gipf.reader:record_of",
        "zertz_db.check.check_record:conclude",
        "zertz_db.ingest.records.batch:build_game_row",
    ],
)
def test_from_import_to_recheck(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    set_replaying(monkeypatch, is_compiled=False)
    file, db = tmp_path / "games.txt", tmp_path / "db"
    file.write_text("\n".join(game(first, "a comment") for first in ("Ada", NAME, "Cem")))
    with monkeypatch.context() as patch:
        inject(patch, where, RuntimeError("no idea"))
        balance = import_paths([file], db)
        assert (balance.stored, balance.rejected, dict(balance.reasons)) == (2, 1, {OUR_FAULT.code: 1})
        assert logged(caplog) == (1, 1)
        diagnosis = examine(db)
        assert (diagnosis.is_fine, diagnosis.failures) == (True, 1)  # it equals what is stored
    (found,) = recheck_database(db)
    assert (found.row.verdict, found.verdict, found.is_failure) == ("unreadable", "verified", False)
    assert ask(db, "SELECT player1 FROM games ORDER BY ALL") == [("Ada",), ("Cem",), (NAME,)]
    before = (db / "CURRENT").read_text()
    with monkeypatch.context() as patch:  # once the game is stored it must not be lost
        inject(patch, where, RuntimeError("no idea"))
        diagnosis = examine(db)
        assert [one.is_failure for one in diagnosis.differences] == [True]
        assert [one.is_failure for one in recheck_database(db)] == [True]
        assert "the stored record is unchanged" in str(diagnosis.differences[0])
    assert (db / "CURRENT").read_text() == before
    diagnosis = examine(db)
    assert (diagnosis.is_fine, diagnosis.failures) == (True, 0)


def test_an_export_goes_on_without_the_game_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "games.txt").write_text("\n".join(game(first) for first in ("Ada", NAME, "Cem")))
    import_paths([tmp_path / "games.txt"], tmp_path / "db")
    inject(monkeypatch, "zertz_db.export.notation:write", RuntimeError("no idea"))
    with open_database(tmp_path / "db") as database:
        ids = dict(database.connection().execute("SELECT player1, id FROM games").fetchall())
        written = dict(write_notations(database, [from_text(number) for number in ids.values()]))
    assert [player for player, number in ids.items() if written[number] is None] == [NAME]
    assert logged(caplog) == (1, 1)


REPORTING = (
    ("zertz_db.ingest.check_files:build_excerpt", CheckOptions(), "unreadable"),
    ("zertz_db.check.explain_illegal:board_at_fault", CheckOptions(boards=True), "unreadable"),
    ("zertz_db.check.repair.repairs:apply_repair", CheckOptions(repairs=True), "illegal"),
    ("zertz_db.check.repair.repairs:candidate_batches", CheckOptions(repairs=True), "illegal"),
    ("zertz_db.check.checked_record:Checked.as_json", CheckOptions(json=True), "unreadable"),
)


@pytest.mark.parametrize(("where", "wanted", "verdict"), REPORTING)
def test_a_report_names_the_record_on_which_zertz_fails(
    where: str,
    wanted: CheckOptions,
    verdict: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    illegal = [game(first).replace("x d3", "Wa2,a3 x d3") for first in ("Ada", NAME, "Cem")]
    for number, text in enumerate(illegal):
        (tmp_path / f"{number}.txt").write_text(text)
    if where.endswith("as_json"):
        fail_once(monkeypatch)
    else:
        inject(monkeypatch, where, RuntimeError("no idea"))
    found = [report for lot in check_paths([tmp_path], wanted) for report in lot]
    assert [report.verdict for report in found] == ["illegal", verdict, "illegal"]
    failed = [OUR_FAULT.code in {finding.code for finding, _ in report.findings} for report in found]
    assert failed == [False, True, False]
    assert logged(caplog) == (1, 1)


def fail_once(patch: pytest.MonkeyPatch) -> None:
    """Make `CheckedRecord.as_json` fail on NAME's verdict."""
    from zertz_db.check.checked_record import CheckedRecord

    whole = CheckedRecord.as_json

    def as_json(checked: CheckedRecord) -> dict[str, object]:
        if checked.record.player1 == NAME:
            raise RuntimeError("no idea")
        return whole(checked)

    patch.setattr(CheckedRecord, "as_json", as_json)


@pytest.mark.parametrize("form", ["gipf", "zen", "boardspace"])
def test_a_conversion_goes_on_without_the_game_that_cannot_be_written(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "games.txt").write_text("\n".join(game(first) for first in ("Ada", NAME, "Cem")))
    module = {
        "gipf": "zertz_db.parser.gipf.writer",
        "zen": "zertz_db.parser.zen.writer",
        "boardspace": "zertz_db.parser.boardspace.writer",
    }[form]
    inject(monkeypatch, f"{module}:write", KeyError("d4"))
    found = [report for lot in check_paths([tmp_path / "games.txt"], CheckOptions(form=form)) for report in lot]
    assert [report.conversion is None for report in found] == [False, True, False]
    assert [finding.code for finding, _ in found[1].findings] == [OUR_FAULT.code]
    assert logged(caplog) == (1, 1)


@pytest.mark.parametrize(
    "where",
    ["zertz_db.ingest.sources.read_bytes:_read_content", "zertz_db.ingest.sources.discover:_list_places_in_file"],
)
def test_a_file_whose_bytes_zertz_fails_to_fetch_is_rejected(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for first in ("Ada", NAME, "Cem"):
        (tmp_path / f"{first}.txt").write_text(game(first))
    with monkeypatch.context() as patch:
        inject(patch, where, KeyError("no idea"))
        balance = import_paths([tmp_path], tmp_path / "db")
    assert (balance.stored, dict(balance.reasons)) == (2, {OUR_FAULT.code: 1})
    assert logged(caplog) == (1, 1)
    assert len(recheck_database(tmp_path / "db")) == 1
    assert ask(tmp_path / "db", "SELECT count(*) FROM games") == [(3,)]


def test_the_service_names_the_record_on_which_zertz_fails(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    text = "\n".join(game(first) for first in ("Ada", NAME, "Cem")).encode()
    with monkeypatch.context() as patch:
        inject(
            patch, "zertz_db.check.check_record:conclude zertz_db.check.check_many:conclude", RuntimeError("no idea")
        )
        found = list(check_records(text, None))
    assert [one["verdict"] for one in found] == ["verified", "unreadable", "verified"]
    assert [one["code"] for one in found[1]["findings"]] == [OUR_FAULT.code]
    fail_once(monkeypatch)
    assert [one["verdict"] for one in check_records(text, None)] == ["verified", "unreadable", "verified"]
    assert logged(caplog) == (2, 2)


@pytest.mark.parametrize(
    "where", ["zertz_db.parser.gipf.reader:record_of", "zertz_db.ingest.records.batch:build_game_row"]
)
def test_a_worker_of_a_cluster_goes_on(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    inject(monkeypatch, where, RuntimeError("no idea"))
    contents: list[Content | Damage] = [
        Content(Place(f"{first}.txt", named=True), game(first).encode()) for first in ("Ada", NAME, "Cem")
    ]
    lot = import_on_worker(contents, None, Versions(READER_VERSION, sources_hash()))
    assert rejects(lot) == [(game(NAME).encode(), OUR_FAULT.code)]


DIALECTS = {
    "gipf": '[Player1 "{}"]\n1. Wd4,d1 Bd3,a1 *\n\n',
    "boardspace": '(;GM[22]VV[1]SU[Zertz]P0[id "{}"]P1[id "Ben"];P0[RtoB 2 0 D 4];P0[R- D 1];P0[Done])\n',
    "zen": '[Player1 "{}"]\n1. Wd4-d1 Bd3-a1 *\n\n',
    "zertz3d": "37\n# Player 1: {}\nWd4,d1\nBd3,a1\n",
    "transcript": "# Rings: 37\nPlayer 1 ({}): {{'action': 'PUT', 'marble': 'w', 'dst': 'D4', 'remove': 'D1'}}\n",
    "terse": '[Player1 "{}"]\n1. wd4,d1 f2-f4\n\n',
    "newsletter": '[Player1 "{}"]\n1. Nd2, a3, Nf4, a4; *\n\n',
    "rec": "# Zertz game record\n# {}\n1 Wd4,d1\n",
}
"""A record in each dialect whose texts may have several records with names."""


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_reader_goes_on_with_the_next_record(
    dialect: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    text = "".join(DIALECTS[dialect].format(name) for name in ("Ada", NAME, "Cem"))
    assert [record.fault for record in dialects.read(text, dialect)] == [None] * 3
    if dialect == "boardspace":
        fail_on_piece(monkeypatch)
    else:
        where = (
            "zertz_db.parser.gipf.reader:_read_piece"
            if dialect == "gipf"
            else "zertz_db.parser.gipf.derived_dialect:_piece"
        )
        inject(monkeypatch, where, RuntimeError("no idea"))
    found = [record.fault and record.fault.code for record in dialects.read(text, dialect)]
    assert found == [None, OUR_FAULT.code, None]
    assert logged(caplog) == (1, 1)


def fail_on_piece(patch: pytest.MonkeyPatch) -> None:
    """Make the reader of the server's form fail on NAME's segment of the text."""
    from zertz_db.parser.boardspace import reader as boardspace

    whole = boardspace._Piece.game

    def fragile(piece: boardspace._Piece) -> object:
        if NAME in piece.text[piece.span.start : piece.span.end]:
            raise RuntimeError("no idea")
        return whole(piece)

    patch.setattr(boardspace._Piece, "game", fragile)
