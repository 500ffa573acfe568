"""Build the columns of games that describe their plies, from arrays: see `schema.ply_columns`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from zertz_db.store.schema.ply_columns import FIRST_LETTER, FLAGS, KIND_SHIFT


def build_ply_columns(lengths: Any, kinds: Any, clocks: pa.Array, **flags: Any) -> dict[str, pa.Array]:
    """Return the columns `ply_letters` and `ply_clocks` of games.

    lengths: each game's number of plies. Of all plies, one game after the other: the numbers of their kinds in KINDS, their clocks
    (int64, NULL for none), and mover (1 for player 2), forced, sacrifice and claim, each 0 or 1.
    """
    letters = np.full(len(clocks), FIRST_LETTER, np.uint8) + (np.asarray(kinds).astype(np.uint8) << KIND_SHIFT)
    for place, name in enumerate(FLAGS):
        letters += np.asarray(flags[name]).astype(np.uint8) << place
    ends = np.cumsum(np.concatenate(([0], lengths))).astype(np.int32)
    clocked = np.concatenate(([0], np.cumsum(np.asarray(clocks.is_valid()))))
    has_none = clocked[ends[1:]] == clocked[ends[:-1]]
    return {
        "ply_letters": pa.StringArray.from_buffers(len(lengths), pa.py_buffer(ends), pa.py_buffer(letters)),
        "ply_clocks": pa.ListArray.from_arrays(ends, clocks, mask=pa.array(has_none)),
    }
