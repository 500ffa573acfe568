"""Measure how good chances are, by how the games ended: log loss, area under the curve, calibration."""

from __future__ import annotations

from typing import Any

import numpy as np

from zertz_db.tactics.win_chance.model import Bin

BINS = 20
SURE = 0.002
"""Chances nearer to 0 and 1 count as these for the log loss: where the next capture decides, the chance is 0 or 1."""


def log_loss(chances: Any, won: Any) -> float:
    """Return the mean of -log of the chance of what happened; 0.693 for a coin. `won` has 1 and 0."""
    limited = np.clip(chances, SURE, 1 - SURE)
    return float(-np.mean(np.where(won > 0, np.log(limited), np.log1p(-limited))))


def area_under_curve(chances: Any, won: Any) -> float | None:
    """Return how often a won position has a higher chance than a lost one (equal ones count half). None if all are won, or all lost."""
    order, ranks, counts = np.unique(chances, return_inverse=True, return_counts=True)
    if not len(order):
        return None
    mean_rank = (np.cumsum(counts) - (counts - 1) / 2)[ranks]
    wins = int(np.sum(won > 0))
    losses = len(won) - wins
    if not wins or not losses:
        return None
    return float((mean_rank[won > 0].sum() - wins * (wins + 1) / 2) / (wins * losses))


def bin_numbers(chances: Any) -> Any:
    """Return the number of each chance's bin, 0 to BINS - 1."""
    return np.minimum((np.asarray(chances) * BINS).astype(np.int64), BINS - 1)


def calibration_error(chances: Any, won: Any) -> float:
    """Return the mean distance between chance and share of wins over bins, weighted by positions, in points of 100."""
    numbers = bin_numbers(chances)
    gaps = np.abs(np.bincount(numbers, chances, BINS) - np.bincount(numbers, won, BINS))
    return float(100 * gaps.sum() / len(chances))


def calibrate(board: str, chances: Any, won: Any, games: Any) -> list[Bin]:
    """Return the bins of a board's positions that are not empty; `games` has the id of each position's game."""
    numbers = bin_numbers(chances)
    found = []
    for number in np.unique(numbers).tolist():
        here = numbers == number
        share, mean = round(float(won[here].mean()), 4), round(float(chances[here].mean()), 4)
        found.append(Bin(board, number / BINS, int(here.sum()), len(np.unique(games[here])), mean, share))
    return found


def summarise(name: str, chances: Any, won: Any, games: Any) -> dict[str, Any]:
    """Return a row of the held-out table: log loss, area under the curve, calibration error in points. Shares need a position."""
    area = area_under_curve(chances, won)
    return {
        "positions held out": name,
        "positions": len(won),
        "games": len(np.unique(games)),
        "log_loss": round(log_loss(chances, won), 4),
        "auc": None if area is None else round(area, 4),
        "calibration_error": round(calibration_error(chances, won), 2),
    }
