"""Count the bits of many words at once."""

from __future__ import annotations

from functools import cache
from typing import Any

_PIECE_BITS = 16


def count_bits(words: Any) -> Any:
    """Return the number of bits of each word of an array of unsigned integers, 16 bits or longer: an array of the same shape."""
    import numpy as np

    if hasattr(np, "bitwise_count"):
        return np.bitwise_count(words)
    # numpy 1
    pieces = np.ascontiguousarray(words).view(np.uint16).reshape(*words.shape, words.itemsize * 8 // _PIECE_BITS)
    return _counts_of_pieces()[pieces].sum(axis=-1, dtype=np.uint8)


@cache
def _counts_of_pieces() -> Any:
    import numpy as np

    return np.array([piece.bit_count() for piece in range(1 << _PIECE_BITS)], np.uint8)
