"""Choose the code that rates games: compiled or interpreted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zertz_db.rules import compiled
from zertz_db.store.ratings import rating_kernel

WORTH_LOADING = 250_000
"""Number of games from which loading compiled code saves time."""
_WORTH_COMPILED = 10_000
"""Number of games from which compiled code saves time if the compiled rules are loaded already."""

Kernel = Callable[[Any, Any, Any, Any, Any, Any], None]


def choose_kernel(count: int) -> Kernel:
    """Return `rating_kernel.rate_games` for arrays: compiled if numba works and `count` games are worth it, else interpreted."""
    if count >= (_WORTH_COMPILED if compiled.is_loaded() else WORTH_LOADING):
        try:
            rate: Kernel = compiled.batch_function("rate_games", "zertz_db.store.ratings", ("rating_kernel",))
            none, empty = np.zeros(0, np.int64), np.zeros(0)
            rate(none, none, none, empty, empty, empty)
        except Exception:  # noqa: BLE001, S110 - numba compiles and loads on the first call; whatever fails there
            pass
        else:
            return rate
    return _rate_interpreted


def _rate_interpreted(ones: Any, others: Any, winners: Any, strengths: Any, deviations: Any, before: Any) -> None:
    """Call `rating_kernel.rate_games` with lists, which are faster than arrays if it is not compiled."""
    lists = strengths.tolist(), deviations.tolist(), before.tolist()
    rating_kernel.rate_games(ones.tolist(), others.tolist(), winners.tolist(), *lists)
    strengths[:], deviations[:], before[:] = lists
