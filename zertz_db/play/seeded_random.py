"""Chance that falls alike on every machine."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

_T = TypeVar("_T")


class Dice:
    """Draws from a seed; built on `random.random` alone, the one method whose sequence Python promises to keep.

    `numbers` are those drawn so far, from 0 to 1, and used[0] counts how many of them are spent: so `chance` takes them.
    """

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed).random  # noqa: S311 - games, not secrets
        self.numbers: list[float] = []
        self.used = [0]

    def draw_ahead(self, count: int) -> None:
        """Have at least `count` numbers that are not spent."""
        lacking = self.used[0] + count - len(self.numbers)
        self.numbers += [self._random() for _ in range(lacking)]

    def _next(self) -> float:
        self.draw_ahead(1)
        self.used[0] += 1
        return self.numbers[self.used[0] - 1]

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to `limit` - 1."""
        return int(self._next() * limit)

    def toss(self, probability: float) -> bool:
        """True with this probability."""
        return self._next() < probability

    def pick(self, items: Sequence[_T]) -> _T:
        """One of the items, each as likely as any other."""
        return items[self.below(len(items))]
