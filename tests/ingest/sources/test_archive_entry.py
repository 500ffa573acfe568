"""A refusal of a member."""

from zertz_db.check.findings import LINK
from zertz_db.ingest.sources.archive_entry import MemberRefusal


def test_the_text_of_a_refusal_has_neither_its_kind_nor_its_bytes() -> None:
    refusal = MemberRefusal("a link to 'a.txt'", LINK, b"data")
    assert (str(refusal), refusal.kind, refusal.data) == ("a link to 'a.txt'", LINK, b"data")
