"""Many records: compiled and interpreted verdicts are equal."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import pytest

from zertz_db.check import check_many
from zertz_db.check.check_record import check
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.parser.gipf import reader as gipf
from zertz_db.parser.gipf.writer import write
from zertz_db.parser.record import Record
from zertz_db.play.generate import generate_games
from zertz_db.rules import compiled


def records() -> list[Record]:
    """Return games on every board, some of them with faults."""
    texts = [
        write(record)
        for board in ("37", "48", "61")
        for record in generate_games(12, board=board, seed=int(board), first="greedy", second="random", annotated=True)
    ]
    spoilt = [text.replace("3. ", "3. Wd4,d1 ", 1) for text in texts[::5]]
    unstated = [text.replace('[Board "37"]\n', "").replace('[RuleSet "standard"]\n', "") for text in texts[:4]]
    return list(gipf.read("\n".join([*texts, *spoilt, *unstated])))


def test_both_ways_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    found = records()
    monkeypatch.setattr(check_many, "ENOUGH_PLIES", 0)
    together = check_many.check_all(found)
    assert {verdict.verdict for verdict in together} >= {"verified", "illegal"}
    for one, other in zip(together, map(check, found), strict=True):
        assert one.as_json() == other.as_json()
        assert one.moves == other.moves
        assert one.attempt is not None and other.attempt is not None
        assert one.attempt.rows == other.attempt.rows


@pytest.mark.parametrize("failure", [compiled.CompilerMissing("no numba here"), RuntimeError("a damaged cache")])
def test_without_a_compiler_the_rules_run_interpreted_and_say_so(
    failure: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: str) -> None:
        raise failure

    monkeypatch.setattr(check_many, "ENOUGH_PLIES", 0)
    monkeypatch.setattr(compiled, "batch_function", fail)
    check_many._remember_failure.cache_clear()
    with caplog.at_level(logging.WARNING):
        verdicts = check_many.check_all(records()[:3])
    assert [verdict.verdict for verdict in verdicts] == ["verified"] * 3
    assert str(failure) in caplog.text and "interpreted" in caplog.text


def test_a_verdict_alone_is_the_same_verdict() -> None:
    found = records()
    for one, other in zip(check_many.check_all(found), check_many.check_all(found, full=False), strict=True):
        assert one.as_json() == other.as_json()
        assert one.moves == other.moves


def test_turns_that_repeat_are_found_in_bulk() -> None:
    text = Path(__file__).parents[2].joinpath("data", "generated-48.txt").read_text(encoding="utf-8")
    found = list(gipf.read(text))
    together = [{finding.code for finding in verdict.findings} for verdict in check_many.check_all(found)]
    assert together == [{finding.code for finding in check(record).findings} for record in found]
    assert {"N421"} in together


def test_a_text_is_checked_but_for_the_record_on_which_zertz_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = check_many.check_all

    def fragile(given: Sequence[Record], full: bool = True) -> list[CheckedRecord]:
        if any(record.board == "48" for record in given):
            raise RuntimeError("no idea")
        return whole(given, full)

    monkeypatch.setattr(check_many, "check_all", fragile)
    texts = [f'[Board "{board}"]\n[RuleSet "standard"]\n1. Wd4,d1 *\n' for board in ("37", "48", "61")]
    found = check_many.check_text("\n".join(texts))
    assert [(one.verdict, one.findings[-1].code) for one in found] == [
        ("unfinished", "N420"),
        ("unreadable", "E109"),
        ("unfinished", "N420"),
    ]
