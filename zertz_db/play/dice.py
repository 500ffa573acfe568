"""Chance that falls alike on every machine."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

_T = TypeVar("_T")


class Dice:
    """Draws from a seed; built on `random.random` alone, the one method whose sequence Python promises to keep."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed).random  # noqa: S311 - games, not secrets

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit` - 1."""
        return int(self._random() * limit)

    def happens(self, probability: float) -> bool:
        """True with this probability."""
        return self._random() < probability

    def pick(self, items: Sequence[_T]) -> _T:
        """One of the items, each as likely as any other."""
        return items[self.below(len(items))]
