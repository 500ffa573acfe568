"""What is said of people, as text beside the generations."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from zertz_db.store import people
from zertz_db.store.errors import UnreadableDatabase
from zertz_db.store.people import Claim


def test_tombstones_come_back_and_are_kept_once(tmp_path: Path) -> None:
    stones = [people.tombstone("Ada"), people.tombstone("Bo")]
    people.adopt(tmp_path, stones[:1])
    people.adopt(tmp_path, stones)
    people.adopt(tmp_path, [people.tombstone("ADA")])
    assert people.withheld(tmp_path) == stones


def test_what_others_have_written_stays(tmp_path: Path) -> None:
    text = '# our club\n[[aliases]]\nname = "adah"\nplayer = "Čeněk"\n'
    (tmp_path / people.FILE).write_text(text, "utf-8")
    people.adopt(tmp_path, [people.tombstone("Ada")])
    assert (tmp_path / people.FILE).read_text("utf-8").startswith(text)
    assert len(people.withheld(tmp_path)) == 1


def test_the_name_itself_is_not_in_it(tmp_path: Path) -> None:
    people.adopt(tmp_path, [people.tombstone("Adelheid")])
    assert "adelheid" not in (tmp_path / people.FILE).read_text("utf-8").casefold()


def test_what_is_shown_is_the_same_everywhere_and_tells_names_apart() -> None:
    assert people.tombstone("Ada").shown == people.tombstone("ADA").shown != people.tombstone("Bo").shown


def test_without_a_file_nobody_is_withheld(tmp_path: Path) -> None:
    assert people.withheld(tmp_path) == []


@pytest.mark.parametrize(
    "text", ["[[withheld]", "[[withheld]]\nshown = 'x'\n", "withheld = 7", "[[withheld]]\nname_hash = \xff"]
)
def test_a_file_that_can_not_be_read_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / people.FILE).write_bytes(text.encode("latin-1"))
    with pytest.raises(UnreadableDatabase, match=r"people\.toml can't be read"):
        people.withheld(tmp_path)


def claim(name: str, player: str, verdict: str = "accepted", evidence: str = "") -> Claim:
    return Claim(name, player, verdict, evidence, dt.date(2026, 5, 1))


def test_claims_come_back_as_they_were_said(tmp_path: Path) -> None:
    said = [claim("Čeněk", 'a "b"\\\n\x7f', evidence="two lines\nof it"), claim("x", "y", "rejected")]
    people.say(tmp_path, said[:1])
    people.adopt(tmp_path, [people.tombstone("Bo")])
    people.say(tmp_path, said[1:])
    assert people.claims(tmp_path) == said
    assert len(people.withheld(tmp_path)) == 1


@pytest.mark.parametrize(
    ("said", "current"),
    [
        ("a=b a!b", "a!b"),
        ("a=b b!a", "b!a"),
        ("a=b B?A", ""),
        ("a!b a?b a=b", "a=b"),
        ("a=b c=d a=b", "c=d a=b"),
        ("a?b", ""),
    ],
)
def test_of_claims_about_two_names_the_last_one_counts(tmp_path: Path, said: str, current: str) -> None:
    verdicts = {"=": "accepted", "!": "rejected", "?": "undone"}
    people.say(tmp_path, [claim(one[0], one[2], verdicts[one[1]]) for one in said.split()])
    signs = {verdict: sign for sign, verdict in verdicts.items()}
    assert " ".join(f"{one.name}{signs[one.verdict]}{one.player}" for one in people.claims(tmp_path)) == current


def test_claims_about_withheld_names_count_for_nothing(tmp_path: Path) -> None:
    people.adopt(tmp_path, [people.tombstone("Ada")])
    people.say(tmp_path, [claim("ADA", "bo"), claim("cy", "ada"), claim("cy", "bo")])
    assert people.claims(tmp_path) == [claim("cy", "bo")]


def test_names_are_taken_out_of_claims_and_remarks(tmp_path: Path) -> None:
    remark = "# Ada is the same as bo, says Cy\n"
    (tmp_path / people.FILE).write_text(remark, "utf-8")
    people.say(tmp_path, [claim("Ada", "bo"), claim("bo", "cy"), claim("cy", "ada", "undone")])
    people.adopt(tmp_path, [people.tombstone("ada")])
    people.withhold(tmp_path, ["ada"], lambda text: text.replace("Ada", "anon"))
    text = (tmp_path / people.FILE).read_text("utf-8")
    assert text.startswith("# anon is the same as bo, says Cy\n")
    assert "ada" not in text.casefold()
    assert people.claims(tmp_path) == [claim("bo", "cy")]
    assert len(people.withheld(tmp_path)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "[[claim]]\nname = 'a'\n",
        "[[claim]]\nname = 'a'\nplayer = 'b'\nverdict = 'maybe'\nsince = 2026-05-01\n",
        "claim = 3",
    ],
)
def test_a_faulty_claim_is_told_with_the_file(tmp_path: Path, text: str) -> None:
    (tmp_path / people.FILE).write_text(text, "utf-8")
    with pytest.raises(UnreadableDatabase, match=r"people\.toml can't be read"):
        people.claims(tmp_path)
