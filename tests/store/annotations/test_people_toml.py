"""Databases with the older form of aliases and redacted names."""

from __future__ import annotations

import datetime as dt
import errno
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from zertz_db.store.annotations import overlay, people_file, people_toml
from zertz_db.store.annotations.people_file import NameAlias
from zertz_db.store.errors import DiskFull, UnreadableDatabase

ADA = people_file.tombstone("Ada")
STONE = f"[[withheld]]\nname_hash = '{ADA.name_hash}'\nshown = 'x'\nsince = 2026-05-01\n"
CLAIM = "[[claim]]\nname = 'a'\nplayer = 'b'\nverdict = 'accepted'\nsince = 2026-05-01\n"


def claim(name: str, player: str, verdict: str = "accepted") -> NameAlias:
    return NameAlias(name, player, verdict, "", dt.date(2026, 5, 1))


def put(folder: Path, text: str | bytes) -> Path:
    path = folder / people_toml.FILE
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def contents(folder: Path) -> tuple[list[NameAlias], list[str]]:
    return people_file.read_aliases(folder), [one.name_hash for one in people_file.read_redacted(folder)]


def test_reading_leaves_the_folder_unchanged(tmp_path: Path) -> None:
    path = put(tmp_path, STONE + CLAIM)
    tmp_path.chmod(0o555)
    try:
        assert contents(tmp_path) == ([claim("a", "b")], [ADA.name_hash])
        assert people_file.faults(tmp_path) == []
    finally:
        tmp_path.chmod(0o755)
    assert [*tmp_path.iterdir()] == [path]
    assert path.read_text("utf-8") == STONE + CLAIM


def test_the_state_of_an_older_database_is_the_same(tmp_path: Path) -> None:
    put(tmp_path, STONE)
    assert overlay.state(tmp_path).startswith("people.toml ")


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: people_file.append_aliases(folder, [claim("c", "d")]),
        lambda folder: people_file.adopt(folder, [people_file.tombstone("Bo")]),
        lambda folder: people_file.redact_names(folder, ["nobody"], str),
    ],
)
def test_the_next_change_moves_it(tmp_path: Path, change: Callable[[Path], None]) -> None:
    put(tmp_path, STONE + CLAIM + CLAIM.replace("'a'", "'e'"))
    change(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [people_file.FILE]
    aliases, hashes = contents(tmp_path)
    assert aliases[:2] == [claim("a", "b"), claim("e", "b")]
    assert hashes[0] == ADA.name_hash


def test_without_a_change_nothing_is_moved(tmp_path: Path) -> None:
    path = put(tmp_path, STONE)
    people_file.adopt(tmp_path, [ADA])
    people_file.append_aliases(tmp_path, [])
    assert [*tmp_path.iterdir()] == [path]


def test_entries_and_remarks_keep_their_order(tmp_path: Path) -> None:
    put(
        tmp_path,
        f'''# our club
{CLAIM.replace("'a'", '"a # no remark"')}evidence = """
# no remark
[[claim]]
"""  # after the moves
[[ claim ]] # by hand
name = 'a # no remark'
player = 'b'
verdict = 'undone'
since = 2026-05-02T12:00:00
# the end''',
    )
    before = contents(tmp_path)
    people_file.append_aliases(tmp_path, [claim("c", "d")])
    assert contents(tmp_path) == ([*before[0], claim("c", "d")], [])
    lines = (tmp_path / people_file.FILE).read_text("utf-8").splitlines()
    assert [line for line in lines if line.startswith("#")] == [
        "# our club",
        "# after the moves",
        "# by hand",
        "# the end",
    ]
    entries = [json.loads(line) for line in lines if not line.startswith("#")]
    assert [entry["verdict"] for entry in entries] == ["accepted", "undone", "accepted"]
    assert entries[0]["evidence"] == "# no remark\n[[claim]]\n"
    assert lines.index("# after the moves") == 2


@pytest.mark.parametrize(
    "change", [str.encode, lambda text: text.encode("utf-8-sig"), lambda text: text.replace("\n", "\r\n").encode()]
)
def test_the_editor_s_encoding_does_not_matter(tmp_path: Path, change: Callable[[str], bytes]) -> None:
    put(tmp_path, change(f"# ours\n{STONE}{CLAIM}"))
    people_file.append_aliases(tmp_path, [claim("c", "d")])
    assert contents(tmp_path) == ([claim("a", "b"), claim("c", "d")], [ADA.name_hash])
    assert (tmp_path / people_file.FILE).read_bytes().startswith(b'# ours\n{"name_hash"')
    assert people_file.faults(tmp_path) == []


def test_lines_of_the_newer_file_count_after_it(tmp_path: Path) -> None:
    people_file.append_aliases(tmp_path, [claim("b", "a", "rejected")])
    (tmp_path / people_file.FILE).write_bytes(b"\xef\xbb\xbf" + (tmp_path / people_file.FILE).read_bytes())
    put(tmp_path, STONE + CLAIM)  # for example, from version control
    expected = [claim("b", "a", "rejected")], [ADA.name_hash]
    assert contents(tmp_path) == expected
    people_file.redact_names(tmp_path, [], str)
    assert contents(tmp_path) == expected
    assert not (tmp_path / people_toml.FILE).exists()


def test_a_stopped_move_is_ended_by_the_next_change(tmp_path: Path) -> None:
    text = "# ours\n" + STONE + CLAIM + CLAIM.replace("accepted", "undone") + CLAIM
    put(tmp_path, text)
    people_file.redact_names(tmp_path, [], str)
    moved = (tmp_path / people_file.FILE).read_bytes()
    put(tmp_path, text)  # as if it was stopped before the older file was removed
    assert contents(tmp_path) == ([claim("a", "b")], [ADA.name_hash])
    people_file.append_aliases(tmp_path, [claim("c", "d")])
    assert (tmp_path / people_file.FILE).read_bytes().startswith(moved + b'{"name": "c"')
    assert not (tmp_path / people_toml.FILE).exists()


def test_on_a_full_disk_nothing_is_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path, STONE)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(DiskFull):
        people_file.append_aliases(tmp_path, [claim("c", "d")])
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize(
    "text",
    [
        b"[[withheld]",
        b"[[withheld]]\nshown = 'x'\n",
        b"[[withheld]]\nname_hash = 'short'\nshown = 'x'\nsince = 2026-05-01\n",
        STONE.replace("'x'", "' '").encode(),
        STONE.replace("2026-05-01", "'soon'").encode(),
        STONE.replace("'x'", "7").encode(),
        b"withheld = 7",
        b"withheld = ['x']",
        STONE.replace("[[withheld]]", "[withheld]").encode(),
        STONE.replace("[[withheld]]", "[[witheld]]").encode(),
        STONE.replace("[[withheld]]", "[[other]]").encode(),
        b"[[withheld]]\nname_hash = \xff",
        b"\0",
        f"{CLAIM}a = 1\na = 2\n".encode(),
        CLAIM.encode("utf-16"),
        b"a = " + b"[" * 100_000,
        b"a = " + b"7" * 5_000,
        b"since = 2026-13-45",
    ],
)
def test_a_file_with_unreadable_redacted_names_is_named_and_not_moved(tmp_path: Path, text: bytes) -> None:
    path = put(tmp_path, text)
    changes: list[Callable[[Path], object]] = [
        people_file.read_redacted,
        people_file.read_aliases,
        lambda folder: people_file.adopt(folder, [ADA]),
        lambda folder: people_file.append_aliases(folder, [claim("a", "b")]),
        lambda folder: people_file.redact_names(folder, ["a"], str),
    ]
    for change in changes:
        with pytest.raises(UnreadableDatabase, match=r"people\.toml.* redacted names would return"):
            change(tmp_path)
    assert people_file.faults(tmp_path)[0].startswith(f"{path}")
    assert path.read_bytes() == text
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize(
    ("faulty", "place", "moved"),
    [
        ("[[claim]]\nname = 'a'\n", ":5: the entry 1", {"name": "a"}),
        (CLAIM.replace("accepted", "maybe"), ":5: the entry 1", {"verdict": "maybe"}),
        (CLAIM.replace("'a'", "7"), ":5: the entry 1", {"name": 7}),
        (CLAIM.replace("2026-05-01", "12:00:00"), ":5: the entry 1", {"since": "12:00:00"}),
        ("[[claims]]\nname = 'a'\n", ": 'claims' is not a table", {"claims": [{"name": "a"}]}),
        ("[other]\nname = 'a'\n", ": 'other' is not a table", {"other": {"name": "a"}}),
    ],
)
def test_other_faulty_entries_are_skipped_named_and_stay(
    tmp_path: Path, faulty: str, place: str, moved: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    path = put(tmp_path, STONE + faulty + CLAIM.replace("'a'", "'c'"))
    assert [one.name for one in people_file.read_aliases(tmp_path)] == ["c"]
    assert len(people_file.read_redacted(tmp_path)) == 1
    [fault] = people_file.faults(tmp_path)
    assert fault.startswith(f"{path}{place}")
    assert caplog.messages == [fault]
    people_file.append_aliases(tmp_path, [claim("d", "e")])
    people_file.redact_names(tmp_path, ["nobody"], str)
    assert [one.name for one in people_file.read_aliases(tmp_path)] == ["c", "d"]
    [fault] = people_file.faults(tmp_path)
    assert "is not an alias" in fault
    entries = [json.loads(line) for line in (tmp_path / people_file.FILE).read_text("utf-8").splitlines()]
    assert [entry for entry in entries if moved.items() <= entry.items()]


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("claim = 3\n", [{"claim": 3}]),
        ("claim = [{name = 'a'}, 'b']\n", [{"name": "a"}, {"claim": "b"}]),
        ("[claim]\nname = 'a'\n", [{"claim": {"name": "a"}}]),
    ],
)
def test_a_table_that_is_no_list_is_named_and_stays(tmp_path: Path, text: str, moved: list[object]) -> None:
    put(tmp_path, text)
    assert people_file.read_aliases(tmp_path) == []
    assert people_file.faults(tmp_path)
    people_file.append_aliases(tmp_path, [claim("a", "b")])
    lines = (tmp_path / people_file.FILE).read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines[:-1]] == moved
    assert people_file.read_aliases(tmp_path) == [claim("a", "b")]


def test_names_are_redacted_in_remarks_and_faulty_entries_too(tmp_path: Path) -> None:
    named = CLAIM.replace("'a'", "'Ada'")
    put(tmp_path, f"# Ada is bo\n{named}[[claim]]\nname = 'ADA'\n[other]\nAda = 'Ada'\n")
    people_file.redact_names(tmp_path, ["ada"], lambda text: text.replace("Ada", "anon"))
    assert [path.name for path in tmp_path.iterdir()] == [people_file.FILE]
    text = (tmp_path / people_file.FILE).read_text("utf-8")
    assert text.startswith("# anon is bo\n")
    assert "ada" not in text.casefold()
