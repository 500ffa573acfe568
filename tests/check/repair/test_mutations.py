"""Faults in games: verdict and place equal those of a slow and obvious replay, and the original is among the repairs."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

import pytest

from tests.check.repair.mutations import Counts, archived, made_up, measure

ARCHIVE = Path(os.environ.get("ZERTZ_ARCHIVE", Path(__file__).parents[4] / "shared" / "archive" / "boardspace"))


def differences(found: dict[str, Counts]) -> list[str]:
    return [f"{kind}: {line}" for kind, counts in found.items() for line in counts.disagreements]


def test_verdicts_on_faults_are_those_of_a_slow_replay() -> None:
    found = measure(made_up(14), seed=1, with_repairs=2)
    assert differences(found) == []
    assert all(counts.faults for counts in found.values())
    tried, three = (sum(getattr(counts, name) for counts in found.values()) for name in ("tried", "three"))
    assert three > 0.9 * tried


def test_most_faults_are_found_out() -> None:
    found = measure(islice(made_up(7), 7), seed=2, with_repairs=0)
    for kind in ("placed ring, neighbour", "colour jumped", "capture turned round", "ply written twice"):
        assert found[kind].legal <= found[kind].faults // 3


@pytest.mark.archive
@pytest.mark.skipif(not ARCHIVE.is_dir(), reason="the archive of real games is not here (ZERTZ_ARCHIVE)")
def test_verdicts_on_faults_in_real_games_are_those_of_a_slow_replay() -> None:
    games = 2_000 if os.environ.get("ZERTZ_WHOLE_ARCHIVE") else 20
    assert differences(measure(archived([str(ARCHIVE)], games, seed=5), seed=5, with_repairs=0)) == []
