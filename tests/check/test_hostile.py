"""Texts made to fill memories or to take forever: each is read, with one finding for the problem, and so is the next record."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from zertz_db.check.check_many import check_text
from zertz_db.ingest.records import read_records
from zertz_db.ingest.records.read_records import SourceRecord, read_and_check
from zertz_db.ingest.sources.place import Content, Place
from zertz_db.parser.text.size_limits import MAX_PLIES, MAX_RECORD_LENGTH

TAG = '[Event "x"]\n'
SERVER = '(;GM[22]SU[Zertz]P0[id "ada"]P1[id "bo"]\n'
PUT = "Player {}: {{'action': 'PUT', 'marble': 'w', 'dst': 'D4', 'remove': 'D1'}}\n"
SERVER_PLIES = "; P0[RtoB 2 0 D 4]; P0[R- D 1]; P0[Done]\n; P1[RtoB 2 0 D 4]; P1[R- D 1]; P1[Done]\n"

PLIES = {
    "gipf": (TAG, "Wd4,d1 Wd4,d1 ", "\n" + TAG + "1. Wd4,d1 *"),
    "boardspace": (SERVER, SERVER_PLIES, ")\n" + SERVER + ")"),
    "zen": (TAG, "Wb3-c4 Wb3-c4 ", "\n" + TAG + "1. Wb3-c4 *"),
    "zertz3d": ("37\n", "Wd4,d1\nWd4,d1\n", "37\nWd4,d1"),
    "transcript": ("# Rings: 37\n", PUT.format(1) + PUT.format(2), "# Rings: 37\n" + PUT.format(1)),
    "terse": ("1. ", "wd4,d1 wd4,d1 ", "\n1. wd4,d1"),
    "newsletter": ("1. ", "Nd2, a3, Nd2, a3; ", "\n1. Nd2, a3"),
    "rec": ("# Zertz game record\n", "1 Wd4,d1\n2 Wd4,d1\n", "# Zertz game record\n"),
    "openxum": ("", "Pm1D4W Rr1D1 Pm2D4W Rr2D1 ", None),
    "direction": ("1. ", "D4:w/D1 D4:w/D1 ", "\n1. D4:w/D1"),
}
"""For each dialect with any number of plies in a record: its start, two plies, and another record."""


@pytest.mark.parametrize("dialect", PLIES)
def test_the_plies_of_a_record_are_limited(dialect: str) -> None:
    begin, two, another = PLIES[dialect]
    most = begin + two * (MAX_PLIES // 2)
    assert "E260" not in codes(most + (another or ""), dialect)[0]
    found = check_text(most + two + (another or ""), dialect)
    assert len(found[0].record.plies) == MAX_PLIES
    assert [fault(one.record.fault) for one in found] == ["E260", None][: len(found)]
    assert len(found) == (1 if another is None else 2)


LONG = {
    "gipf": (TAG + "1. Wd4,d1 {", "} *\n" + TAG + "1. Wd4,d1 *"),
    "boardspace": (SERVER + "; C[", "])\n" + SERVER + ")"),
    "zen": (TAG + "1. Wb3-a1 {", "} *\n" + TAG + "1. Wb3-a1 *"),
    "zertz3d": ("37\n#", "\n37\nWd4,d1"),
    "transcript": ("#", "\n" + PUT.format(1) + "# Seed: 1\n" + PUT.format(1)),
    "terse": ("1. wd4,d1 {", "}\n1. wd4,d1"),
    "newsletter": ("1. Nd2, a3 {", "}\n1. Nd2, a3"),
    "mail": ("Summary of Zertz Board 1\n", "\nSummary of Zertz Board 2\n 1 Wd4,d1"),
    "rec": ("# Zertz game record\n# ", "\n# Zertz game record\n1 Wd4,d1"),
    "openxum": ("Pm1D4W ", ""),
    "direction": ("1. D4:w/D1 {", "}\n1. D4:w/D1"),
}
"""For each dialect a record up to its long part, and the record after it."""


@pytest.mark.parametrize("dialect", LONG)
def test_a_record_is_only_so_long(dialect: str) -> None:
    begin, rest = LONG[dialect]
    found = check_text(begin + "word " * (MAX_RECORD_LENGTH // 5) + rest, dialect)
    assert [fault(one.record.fault) for one in found] == ["E261", None][: len(found)]
    assert len(found) == (2 if "\n" in rest else 1)
    first = found[0]
    assert [finding.code for finding in first.findings if finding.severity == "error"] == ["E261"]
    assert first.record.span.end - first.record.span.start > MAX_RECORD_LENGTH
    assert first.record.plies == ()


MANY = 20_000
SHORT = {
    "tags": (TAG.replace("Event", "A") * MANY, "gipf", {"W526"}),
    "comments before the first ply": ("{a} " * MANY + "1. Wd4,d1 *", "gipf", set()),
    "comments behind a ply": ("1. Wd4,d1 " + "{a} " * MANY, "gipf", set()),
    "marks": ("1. Wd4,d1 " + "! " * MANY, "gipf", set()),
    "variations": ("1. Wd4,d1 " + "(a) " * MANY, "gipf", set()),
    "variations within each other": ("1. Wd4,d1 " + "(" * MANY + ")" * MANY, "gipf", set()),
    "variations within each other, in ZEN": ("1. Wb3-a1 " + "(" * MANY + ")" * MANY, "zen", set()),
    "variations that are never closed": ("1. Wd4,d1 " + "(a " * MANY, "gipf", {"E212"}),
    "braces": ("1. Wd4,d1 " + "{" * MANY, "gipf", {"E211"}),
    "escapes": ("1. Wd4,d1 {" + "\\}" * MANY + "}", "gipf", set()),
    "clocks": ("1. Wd4,d1 {" + "[%clk x]" * MANY + "}", "gipf", {"W524"}),
    "blanks": ("1. Wd4,d1" + "\n" * MANY + "*", "gipf", set()),
    "a word": ("1. Wd4,d1 " + "a" * MANY, "gipf", {"E210"}),
    "jumps": ("1. x d1" + "Gd3Wd1" * MANY, "gipf", {"E315"}),
    "claimed marbles": ("1. Wd4,d1 x " + "Wa1" * MANY, "gipf", {"E322"}),
    "properties": (SERVER + "A[x]" * MANY + ")", "boardspace", set()),
    "comments of a turn": (SERVER + ";P0[RtoB 2 0 D 4]" + ";C[x]" * MANY + ")", "boardspace", {"W410"}),
    "comments behind a turn": (SERVER + SERVER_PLIES + ";P1[Reset]" + ";C[x]" * MANY + ")", "boardspace", {"E304"}),
    "jumps of a turn": (SERVER + ";P0[BtoB D 1 D 3];P0[BtoB D 3 F 3];P0[BtoB F 3 D 1]" * 3000 + ")", "boardspace", {"E315"}),
    "actions of a chain": ("37\n" + "x d1Gd3\nx d3Gd1\n" * (MANY // 2), "zertz3d", {"E315"}),
    "mails": ("".join(f"A new Zertz board ({number % 500})\n" for number in range(1000)), "mail", {"N755"}),
}  # fmt: skip
"""Contents that can be numerous in a record within the limits, with reader and expected finding."""


@pytest.mark.parametrize("what", SHORT)
def test_there_may_be_much_of_anything(what: str) -> None:
    text, dialect, expected = SHORT[what]
    reported = set().union(*codes(text, dialect)) - {"N420", "N503", "N505", "W572"}
    assert reported == expected


TINY = {
    "a header": ("37\n", 1),
    "a tag and an end": ('[Event "x"]\n*\n', 1),
    "tags": (TAG * 100, 1),
    "a long comment": (TAG + "1. Wd4,d1 {" + "word " * 5000 + "}", 2),
    "no record": ("hello", 1),
}
"""Files with almost no plies, and the minimum number of plies of equal weight."""


@pytest.mark.parametrize("what", TINY)
def test_records_without_plies_do_not_pile_up(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, weight = TINY[what]
    monkeypatch.setattr(read_records, "_BATCH_WEIGHT", 20)
    taken = []

    def contents() -> Iterator[Content]:
        while True:
            taken.append(1)
            yield Content(Place("a.txt"), text.encode())

    next(read_and_check(contents()))
    assert len(taken) * weight <= 20


@pytest.mark.parametrize(("name", "unit"), [("a.txt", "37\n"), ("a.txt", '[Event "x"]\n*\n'), ("a.sgf", "(;GM[22])\n")])
def test_every_one_of_many_tiny_records_is_read(name: str, unit: str) -> None:
    found = read_and_check([Content(Place(name, named=True), (unit * 2000).encode())])
    assert sum(isinstance(one, SourceRecord) for one in found) == 2000


def codes(text: str, dialect: str) -> list[set[str]]:
    return [{finding.code for finding in one.findings} for one in check_text(text, dialect)]


def fault(found: object) -> str | None:
    return getattr(found, "code", None)
