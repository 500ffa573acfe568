"""Records can be pickled, including those of the fast path."""

from __future__ import annotations

import pickle

import pytest

from zertz_db import samples
from zertz_db.parser.dialects import read
from zertz_db.parser.packed_plies import PackedPlies

GIPF = '[Event "x"]\n[Player1 "Ada"]\n[Player2 "Ben"]\n[Board "37"]\n\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 Gc3,g1 *\n'


@pytest.mark.parametrize("looked_at", [False, True])
def test_plies_of_the_fast_path_can_be_pickled(looked_at: bool) -> None:
    [record] = read(GIPF, "gipf")
    assert isinstance(record.plies, PackedPlies)
    if looked_at:
        assert len(record.plies.plies) == 4
        assert record.plies.numbers
    assert pickle.loads(pickle.dumps(record)) == record  # noqa: S301 - our own


@pytest.mark.parametrize("dialect", ["boardspace", "gipf"])
def test_samples_travel(dialect: str) -> None:
    ending = {"boardspace": "*.sgf", "gipf": "*.txt"}[dialect]
    files = sorted(samples.folder().rglob(ending))[:10]
    records = [record for file in files for record in read(file.read_text("utf-8", "replace"), dialect, file.name)]
    assert records
    assert pickle.loads(pickle.dumps(records)) == records  # noqa: S301 - our own
