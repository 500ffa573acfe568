"""Every code is explained, every example raises its code, and the page agrees."""

from __future__ import annotations

import re

import pytest

from zertz_db.check.catalogue import FAMILIES, PAGE, explanations, page
from zertz_db.check.findings import catalogue
from zertz_db.ingest.records.read_records import SourceRecord, read_and_check
from zertz_db.ingest.sources.place import Content, Place

IN_WORDS = {
    "E101", "E102", "E103", "E104", "E105", "E106", "E107", "E109", "E110", "N111", "N112", "N113", "N114", "N121",
    "E240", "E260", "E261", "E308", "E309", "E329", "N421", "N506",
}  # fmt: skip
"""Codes of files and archives rather than records, or whose examples would be long."""


def test_every_code_is_explained() -> None:
    assert catalogue().keys() - explanations().keys() == set()


def test_every_code_belongs_to_a_family() -> None:
    assert {code[1] for code in catalogue()} <= FAMILIES.keys()
    assert all(re.fullmatch(r"[EWN][1-7][0-9]{2}", code) for code in catalogue())


def test_examples_are_records_wherever_they_can_be() -> None:
    assert {code for code, explained in explanations().items() if explained.example.startswith("$")} == IN_WORDS


@pytest.mark.parametrize("code", sorted(explanations().keys() & catalogue().keys() - IN_WORDS))
def test_an_example_raises_its_code(code: str) -> None:
    example = explanations()[code].example
    found = read_and_check([Content(Place("example", named=True), example.encode())])
    codes = {finding.code for one in found if isinstance(one, SourceRecord) for finding in one.checked.findings}
    assert code in codes


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page(), "run python -m zertz_db.check.catalogue"
