"""Verdicts on results of `make bench`, and their table on a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.results import PAGE, Circumstances, Measured, add_results, find_losses, judge, read_results

RUN = Circumstances("2026-11-30", "abc1234", "2", "3.11.7")
PAGE_TEXT = """# Performance

Text.

| date | commit | cores | python | input | what | value | floor | ratio | accepted | goal | verdict |
|---|---|---|---|---|---|---|---|---|---|---|---|
"""


def measured(value: float, accepted: float = 2.0, goal: float | None = 1.0, *, at_least: bool = False) -> Measured:
    return Measured("a game", "start", value, None, None, accepted, goal, at_least)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.md"
    path.write_text(PAGE_TEXT, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("previous", "now", "verdict"),
    [
        (None, measured(0.9), "goal"),
        (None, measured(1.5), "accepted"),
        (None, measured(0.9, goal=None), "accepted"),
        (None, measured(2.1), "within 10 %"),
        (None, measured(2.3), "missed"),
        (1.0, measured(2.3), "missed"),
        (2.1, measured(2.3), "missed"),
        (2.3, measured(2.3), "missed twice"),
        (2.3, measured(2.1), "within 10 %"),
        (2.3, measured(0.9), "goal"),
        (2.3, measured(2.3, accepted=2.5), "accepted"),
        (None, measured(11, accepted=8, goal=10, at_least=True), "goal"),
        (None, measured(9, accepted=8, goal=10, at_least=True), "accepted"),
        (None, measured(7.3, accepted=8, goal=10, at_least=True), "within 10 %"),
        (9, measured(7, accepted=8, goal=10, at_least=True), "missed"),
        (6, measured(7, accepted=8, goal=10, at_least=True), "missed twice"),
    ],
)
def test_verdict(previous: float | None, now: Measured, verdict: str) -> None:
    assert judge(previous, now) == verdict


def test_the_ratio_to_a_floor_is_judged() -> None:
    assert judge(None, Measured("real games", "check", 4.0, 2.0, 2.0, 1.7, 1.4, at_least=False)) == "missed"


def test_results_are_appended_and_compared_with_the_run_before(page: Path) -> None:
    add_results(page, RUN, [measured(1.5)])
    assert page.read_text("utf-8").removeprefix(PAGE_TEXT) == (
        "| 2026-11-30 | abc1234 | 2 | 3.11.7 | a game | start | 1.5 | — | — | ≤ 2 | ≤ 1 | accepted |\n"
    )
    verdicts = []
    for value in (2.3, 2.4, 1.9, 2.3):
        [result] = add_results(page, RUN, [measured(value)])
        verdicts.append((result.verdict, find_losses([result])))
    lost = "start (a game): 2.4, accepted ≤ 2, missed by more than 10 % twice in a row"
    assert verdicts == [("missed", []), ("missed twice", [lost]), ("accepted", []), ("missed", [])]
    assert [result.judged for result in read_results(page)] == [1.5, 2.3, 2.4, 1.9, 2.3]


@pytest.mark.parametrize(
    ("run", "one"),
    [
        (RUN._replace(cores="8"), measured(2.3)),
        (RUN._replace(python="3.14.0"), measured(2.3)),
        (RUN, measured(2.3)._replace(input="1,000 games")),
        (RUN, measured(2.3)._replace(what="end")),
    ],
)
def test_other_inputs_and_machines_are_not_compared(page: Path, run: Circumstances, one: Measured) -> None:
    add_results(page, RUN, [measured(2.3)])
    assert [result.verdict for result in add_results(page, run, [one])] == ["missed"]
    assert [result.verdict for result in add_results(page, RUN, [measured(2.3)])] == ["missed twice"]


def test_the_page_of_performance_has_a_table_at_its_end() -> None:
    assert all(result.judged > 0 and result.verdict for result in read_results(PAGE))


def test_a_page_without_a_table_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("# Performance\n", encoding="utf-8")
    with pytest.raises(ValueError, match="has no table of results"):
        read_results(tmp_path / "page.md")
