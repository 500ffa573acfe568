"""Counts of bits, also without the function of newer versions of numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zertz_db.rules.bit_counts import count_bits

WORDS = st.lists(st.integers(0, (1 << 64) - 1), max_size=20)


@pytest.mark.parametrize("is_old", [False, True])
@given(words=WORDS)
def test_counts_are_those_of_python(is_old: bool, words: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if is_old:
            patch.delattr(np, "bitwise_count", raising=False)
        array = np.array(words, np.uint64)
        assert count_bits(array).tolist() == [word.bit_count() for word in words]
        square = np.stack([array, array], axis=1)
        assert count_bits(square).tolist() == [[word.bit_count()] * 2 for word in words]
        assert count_bits(square[:, 1]).tolist() == [word.bit_count() for word in words]
