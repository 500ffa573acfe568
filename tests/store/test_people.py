"""What is said of people, as text beside the generations."""

from __future__ import annotations

from pathlib import Path

import pytest

from zertz_db.store import people
from zertz_db.store.errors import UnreadableDatabase


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
