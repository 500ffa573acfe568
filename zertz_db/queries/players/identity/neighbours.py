"""Measure how crowded the names around two names are: in a crowd, two names that are alike are often two people's."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from zertz_db.queries.players.identity.spelling import (
    Likeness,
    compare_names,
    find_alike,
    measure_similarity,
    split_words,
)

_ORDER = {kind: place for place, kind in enumerate(Likeness)}


class Neighbours:
    """Names that are alike; counted, so that a pair takes as long in a crowd as elsewhere."""

    def __init__(self, names: Mapping[int, str]) -> None:
        """Compare all names with each other."""
        self._names = names
        self.pairs = list(find_alike(names))
        """Pairs of players whose names are alike, each once."""
        self._near: dict[int, Counter[tuple[int, int]]] = defaultdict(Counter)
        for one, other in self.pairs:
            how = _ORDER[compare_names(names[one], names[other])], measure_similarity(names[one], names[other])
            self._near[one][how] += 1
            self._near[other][how] += 1
        self._owners = Counter(word for name in names.values() for word in set(split_words(name)))

    def count_rivals(self, one: int, other: int) -> int:
        """Return how often a third name is as near to one of two names as they are: of a kind as sure, or as similar."""
        likeness = compare_names(self._names[one], self._names[other])
        kind, similarity = _ORDER[likeness], measure_similarity(self._names[one], self._names[other])
        near = sum(
            number
            for player in (one, other)
            for (its_kind, its_similarity), number in self._near[player].items()
            if its_kind <= kind or its_similarity >= similarity
        )
        return near if likeness is Likeness.none else near - 2

    def count_owners(self, one: int, other: int) -> int:
        """Return how many names have the rarest of the words that two names share; 0 if they share none."""
        shared = {*split_words(self._names[one])} & {*split_words(self._names[other])}
        return min((self._owners[word] for word in shared), default=0)
