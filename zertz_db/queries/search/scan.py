"""Looking through positions for a pattern: compiled where rings fit into 64 bits and numba is at hand, else by numpy, slower."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from zertz_db.queries.search.embeddings import Embedding

Sets: TypeAlias = Sequence[Any]
"""Four arrays with an element for each position: its rings, white, grey and black marbles, as int64 or as Python's own integers."""

NONE = -1


def matches(sets: Sets, embeddings: Sequence[Embedding]) -> Any:
    """For each position the number of the first embedding that it matches, or NONE: an int32 array."""
    if sets[0].dtype != np.int64:
        return by_numpy(sets, embeddings)
    compiled = _compiled()
    if compiled is None:
        return by_numpy(sets, embeddings)
    found = np.full(len(sets[0]), NONE, np.int32)
    forbidden = np.array([embedding.forbidden for embedding in embeddings], np.int64).T.copy()
    compiled(*sets, forbidden, found)
    return found


def by_numpy(sets: Sets, embeddings: Sequence[Embedding]) -> Any:
    """The same in plain numpy."""
    rings, white, grey, black = sets
    states = (~rings, rings & ~(white | grey | black), white, grey, black)
    found = np.full(len(rings), NONE, np.int32)
    for number, embedding in reversed(list(enumerate(embeddings))):
        wrong = np.zeros(len(rings), rings.dtype)
        for state, forbidden in zip(states, embedding.forbidden, strict=True):
            if forbidden:
                wrong |= state & forbidden
        found[wrong == 0] = number
    return found


def _scan(rings: Any, white: Any, grey: Any, black: Any, forbidden: Any, found: Any) -> None:
    """Compiled. Whether any embedding matches is asked without a branch, of several at once; which one, only where one does."""
    # Taken one by one: numba does not know that the rows of an array that is unpacked lie without gaps, and compares them singly then.
    no_ring, no_vacant = forbidden[0], forbidden[1]
    no_white, no_grey, no_black = forbidden[2], forbidden[3], forbidden[4]
    for position in range(len(rings)):
        w, g, b = white[position], grey[position], black[position]
        gone = ~rings[position]
        vacant = rings[position] & ~(w | g | b)
        hits = 0
        for number in range(len(no_ring)):
            wrong = gone & no_ring[number] | vacant & no_vacant[number] | w & no_white[number]
            hits += wrong | g & no_grey[number] | b & no_black[number] == 0
        if hits:
            for number in range(len(no_ring)):
                wrong = gone & no_ring[number] | vacant & no_vacant[number] | w & no_white[number]
                if wrong | g & no_grey[number] | b & no_black[number] == 0:
                    found[position] = number
                    break


@cache
def _compiled() -> Callable[..., None] | None:
    """The scan compiled; None where numba is missing or fails. numba takes 350 ms to import, and short scans do without."""
    try:
        import numba

        sets = [numba.types.Array(numba.int64, 1, "C", readonly=True)] * 4
        signature = numba.void(*sets, numba.int64[:, ::1], numba.int32[::1])
        return numba.njit(signature, nogil=True)(_scan)
    except Exception:  # noqa: BLE001 - whatever is wrong with numba: there is the other way
        return None
