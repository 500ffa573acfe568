"""Aliases and redacted names, as text next to the generations."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from zertz_db.store.annotations import people_file
from zertz_db.store.annotations.people_file import NameAlias
from zertz_db.store.errors import UnreadableDatabase


def test_tombstones_are_read_unchanged_and_stored_once(tmp_path: Path) -> None:
    stones = [people_file.tombstone("Ada"), people_file.tombstone("Bo")]
    people_file.adopt(tmp_path, stones[:1])
    people_file.adopt(tmp_path, stones)
    people_file.adopt(tmp_path, [people_file.tombstone("ADA")])
    assert people_file.read_redacted(tmp_path) == stones


def test_text_of_others_stays(tmp_path: Path) -> None:
    text = '# our club\n{"aliases": {"adah": "Čeněk"}}\n'
    (tmp_path / people_file.FILE).write_text(text, "utf-8")
    people_file.adopt(tmp_path, [people_file.tombstone("Ada")])
    assert (tmp_path / people_file.FILE).read_text("utf-8").startswith(text)
    assert len(people_file.read_redacted(tmp_path)) == 1


def test_the_name_itself_is_not_in_it(tmp_path: Path) -> None:
    people_file.adopt(tmp_path, [people_file.tombstone("Adelheid")])
    assert "adelheid" not in (tmp_path / people_file.FILE).read_text("utf-8").casefold()


def test_pseudonyms_are_equal_everywhere_and_distinguish_names() -> None:
    assert people_file.tombstone("Ada").shown == people_file.tombstone("ADA").shown != people_file.tombstone("Bo").shown


def test_without_a_file_no_name_is_redacted(tmp_path: Path) -> None:
    assert people_file.read_redacted(tmp_path) == []


ADA = people_file.tombstone("Ada")
STONE = f'{{"name_hash": "{ADA.name_hash}", "shown": "x", "since": "2026-05-01"}}\n'
CLAIM = '{"name": "a", "player": "b", "verdict": "accepted", "since": "2026-05-01"}\n'


@pytest.mark.parametrize(
    "text",
    [
        b"[[withheld]]",
        b"<<<<<<< HEAD",
        b'{"shown": "x"}',
        b'{"name_hash": "short", "shown": "x", "since": "2026-05-01"}',
        STONE.replace('"x"', '" "').encode(),
        STONE.replace("2026-05-01", "soon").encode(),
        STONE.replace('"2026-05-01"', "7").encode(),
        STONE.replace('"x"', "7").encode(),
        STONE.replace("name_hash", "name_hush").encode(),
        STONE.replace("name_hash", "hash").encode(),
        f'{{"other": {STONE.strip()}}}'.encode(),
        f'{{"witheld": "{ADA.name_hash}"}}'.encode(),
        CLAIM.replace("{", f'{{"name_hash": "{ADA.name_hash}", ').encode(),
        STONE.encode()[:30],
        b'{"name_hash": "\xff"}',
        b"\0",
        f"{CLAIM}7\n".encode(),
        CLAIM.encode("utf-16"),
        b"[" * 100_000,
        b'{"a": ' + b"7" * 5_000 + b"}",
    ],
)
def test_a_file_with_unreadable_redacted_names_is_named(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / people_file.FILE
    path.write_bytes(text)
    for ask in (people_file.read_redacted, people_file.read_aliases, lambda folder: people_file.adopt(folder, [ADA])):
        with pytest.raises(UnreadableDatabase, match=r"people\.jsonl.* redacted names would return"):
            ask(tmp_path)
    assert people_file.faults(tmp_path)[0].startswith(f"{path}")
    assert path.read_bytes() == text


@pytest.mark.parametrize(
    "change", [str.encode, lambda text: text.encode("utf-8-sig"), lambda text: text.replace("\n", "\r\n").encode()]
)
def test_the_editor_s_encoding_does_not_matter(tmp_path: Path, change: Callable[[str], bytes]) -> None:
    (tmp_path / people_file.FILE).write_bytes(change(STONE + CLAIM))
    people_file.append_aliases(tmp_path, [claim("c", "d")])
    assert [one.name_hash for one in people_file.read_redacted(tmp_path)] == [ADA.name_hash]
    assert [one.name for one in people_file.read_aliases(tmp_path)] == ["a", "c"]
    people_file.redact_names(tmp_path, ["c"], str)
    assert [one.name for one in people_file.read_aliases(tmp_path)] == ["a"]
    assert people_file.faults(tmp_path) == []


def claim(name: str, player: str, verdict: str = "accepted", evidence: str = "") -> NameAlias:
    return NameAlias(name, player, verdict, evidence, dt.date(2026, 5, 1))


def test_aliases_are_read_unchanged(tmp_path: Path) -> None:
    written = [claim("Čeněk", 'a "b"\\\n\x7f', evidence="two lines\nof it"), claim("x", "y", "rejected")]
    people_file.append_aliases(tmp_path, written[:1])
    people_file.adopt(tmp_path, [people_file.tombstone("Bo")])
    people_file.append_aliases(tmp_path, written[1:])
    assert people_file.read_aliases(tmp_path) == written
    assert len(people_file.read_redacted(tmp_path)) == 1


@pytest.mark.parametrize(
    ("written", "current"),
    [
        ("a=b a!b", "a!b"),
        ("a=b b!a", "b!a"),
        ("a=b B?A", ""),
        ("a!b a?b a=b", "a=b"),
        ("a=b c=d a=b", "c=d a=b"),
        ("a?b", ""),
    ],
)
def test_the_last_alias_of_two_names_counts(tmp_path: Path, written: str, current: str) -> None:
    verdicts = {"=": "accepted", "!": "rejected", "?": "undone"}
    people_file.append_aliases(tmp_path, [claim(one[0], one[2], verdicts[one[1]]) for one in written.split()])
    letters = {verdict: letter for letter, verdict in verdicts.items()}
    assert (
        " ".join(f"{one.name}{letters[one.verdict]}{one.player}" for one in people_file.read_aliases(tmp_path))
        == current
    )


def test_aliases_of_redacted_names_count_for_nothing(tmp_path: Path) -> None:
    people_file.adopt(tmp_path, [people_file.tombstone("Ada")])
    people_file.append_aliases(tmp_path, [claim("ADA", "bo"), claim("cy", "ada"), claim("cy", "bo")])
    assert people_file.read_aliases(tmp_path) == [claim("cy", "bo")]


def test_names_are_redacted_in_aliases_and_evidence(tmp_path: Path) -> None:
    remark = "# Ada is the same as bo, says Cy\n"
    (tmp_path / people_file.FILE).write_text(remark, "utf-8")
    people_file.append_aliases(tmp_path, [claim("Ada", "bo"), claim("bo", "cy"), claim("cy", "ada", "undone")])
    people_file.adopt(tmp_path, [people_file.tombstone("ada")])
    people_file.redact_names(tmp_path, ["ada"], lambda text: text.replace("Ada", "anon"))
    text = (tmp_path / people_file.FILE).read_text("utf-8")
    assert text.startswith("# anon is the same as bo, says Cy\n")
    assert "ada" not in text.casefold()
    assert people_file.read_aliases(tmp_path) == [claim("bo", "cy")]
    assert len(people_file.read_redacted(tmp_path)) == 1


@pytest.mark.parametrize(
    ("faulty", "why"),
    [
        ('{"name": "a"}', "'player' is missing"),
        (CLAIM.replace("accepted", "maybe"), "a verdict is one of accepted, rejected, later, undone"),
        (CLAIM.replace('"a"', "7"), "'name' is not text"),
        (CLAIM.replace("2026-05-01", "12:00:00"), "'since' is not a day"),
        ('{"claims": [1]}', "'name' is missing"),
    ],
)
def test_other_faulty_lines_are_skipped_named_and_stay(
    tmp_path: Path, faulty: str, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / people_file.FILE
    path.write_text(STONE + faulty.strip() + "\n" + CLAIM.replace('"a"', '"c"'), "utf-8")
    assert [one.name for one in people_file.read_aliases(tmp_path)] == ["c"]
    assert len(people_file.read_redacted(tmp_path)) == 1
    [fault] = people_file.faults(tmp_path)
    assert fault.startswith(f"{path}:2 is not an alias ({why}). It is skipped")
    assert caplog.messages == [fault]
    people_file.append_aliases(tmp_path, [claim("d", "e")])
    people_file.redact_names(tmp_path, ["nobody"], str)
    assert faulty.strip() in path.read_text("utf-8")
    assert [one.name for one in people_file.read_aliases(tmp_path)] == ["c", "d"]


def test_names_are_redacted_at_every_depth_of_an_object(tmp_path: Path) -> None:
    path = tmp_path / people_file.FILE
    path.write_text('{"claims": [{"Ada": ["Ada and bo"]}]}\n{"name": "ADA"}\n', "utf-8")
    people_file.redact_names(tmp_path, ["ada"], lambda text: text.replace("Ada", "anon"))
    assert json.loads(path.read_text("utf-8")) == {"claims": [{"anon": ["anon and bo"]}]}


def test_a_hash_is_never_changed_and_all_beside_it_is_redacted(tmp_path: Path) -> None:
    path = tmp_path / people_file.FILE
    path.write_text(STONE.replace("{", '{"why": "a", '), "utf-8")
    people_file.redact_names(tmp_path, ["a"], lambda text: text.replace("a", "anon"))
    assert [one.name_hash for one in people_file.read_redacted(tmp_path)] == [ADA.name_hash]
    assert json.loads(path.read_text("utf-8"))["why"] == "anon"


def test_a_name_that_is_also_a_key_is_redacted_without_harm(tmp_path: Path) -> None:
    people_file.adopt(tmp_path, [ADA])
    people_file.append_aliases(tmp_path, [claim("player", "b"), claim("c", "d", evidence="a player")])
    people_file.redact_names(tmp_path, ["player"], lambda text: text.replace("player", "anon"))
    assert people_file.read_aliases(tmp_path) == [claim("c", "d", evidence="a anon")]
    assert people_file.read_redacted(tmp_path) == [ADA]
