"""Draw random numbers that are equal on every machine."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

_T = TypeVar("_T")


class Dice:
    """Random numbers from a seed. They use `random.random` alone, the one method whose sequence Python guarantees.

    `numbers` are the numbers drawn so far, from 0 to 1; used[0] is the number of spent ones, as `random_kernel` counts them.
    """

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed).random  # noqa: S311 - games, not secrets
        self.numbers: list[float] = []
        self.used = [0]

    def draw_ahead(self, count: int) -> None:
        """Draw until at least `count` numbers are unspent."""
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
        """Return True with this probability."""
        return self._next() < probability

    def pick(self, items: Sequence[_T]) -> _T:
        """Return a random item; all are equally likely."""
        return items[self.below(len(items))]
