"""Compare names: the kind of likeness, and the pairs of names that have one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from enum import StrEnum

SIMILAR = 75
"""Minimum similarity of proposed names, from 0 to 100."""
_AT_ONCE = 500
"""Number of names per batch of comparisons; memory grows with it."""
_SHORTEST = 3
"""Minimum number of letters of names that may be equal but for digits."""
_SHORTEST_PART = 4
"""Minimum length of a name that is the beginning or the end of another."""


class Likeness(StrEnum):
    """The kinds of likeness of two names, the surest first."""

    letters = "equal but for digits or signs"
    order = "the same words in another order"
    numbers = "equal but for their numbers"
    edit = "one letter differs"
    part = "one name contains the other"
    initial = "an initial for a word"
    similar = "similar letters"
    none = "unlike"


def compare_names(one: str, other: str) -> Likeness:
    """Return the kind of likeness of two names, without regard to case."""
    from rapidfuzz import fuzz
    from rapidfuzz.distance import OSA

    names = [_words(one), _words(other)]
    letters = ["".join(filter(str.isalpha, name)) for name in names]
    digits = ["".join(filter(str.isdigit, name)) for name in names]
    shorter, longer = sorted(("".join(name.split()) for name in names), key=len)
    if letters[0] == letters[1] and len(letters[0]) >= _SHORTEST:
        return Likeness.numbers if all(digits) and digits[0] != digits[1] else Likeness.letters
    if names[0].split() == names[1].split():
        return Likeness.letters
    if sorted(names[0].split()) == sorted(names[1].split()):
        return Likeness.order
    if OSA.distance(shorter, longer) <= 1:
        return Likeness.edit
    if _has_initial(names[0].split(), names[1].split()):
        return Likeness.initial
    if len(shorter) >= _SHORTEST_PART and (longer.startswith(shorter) or longer.endswith(shorter)):
        return Likeness.part
    return Likeness.similar if fuzz.ratio(*names) >= SIMILAR else Likeness.none


def measure_similarity(one: str, other: str) -> int:
    """Return how much two names are alike, from 0 to 100, which is equal but for case and signs: the share of letters in common."""
    from rapidfuzz import fuzz

    return round(fuzz.ratio(_words(one), _words(other)))


def split_words(name: str) -> list[str]:
    """Return the words of a name in lower case; signs divide them."""
    return _words(name).split()


def count_letters(one: str, other: str) -> int:
    """Return the number of letters and digits of the shorter name."""
    return min(sum(map(str.isalnum, name)) for name in (one, other))


def find_alike(names: Mapping[int, str], similar: int = SIMILAR) -> Iterator[tuple[int, int]]:
    """Yield pairs of players with names that are alike, each once: similar by `similar`, or of a kind of likeness beyond that."""
    seen = set()
    for pair in (*_find_similar(names, similar), *_find_equal(names)):
        if pair not in seen and compare_names(names[pair[0]], names[pair[1]]) is not Likeness.none:
            seen.add(pair)
            yield pair


def _find_similar(names: Mapping[int, str], similar: int) -> Iterator[tuple[int, int]]:
    # These take 110 ms to import; most commands for players propose nothing.
    import numpy as np
    from rapidfuzz import fuzz, process
    from rapidfuzz.distance import OSA

    players = sorted(names)
    words = [_words(names[player]) for player in players]
    for begin in range(0, len(words), _AT_ONCE):
        batch = words[begin : begin + _AT_ONCE]
        ratios = process.cdist(batch, words, scorer=fuzz.ratio, score_cutoff=similar, dtype=np.uint8)
        edits = process.cdist(batch, words, scorer=OSA.distance, score_cutoff=1, dtype=np.uint8)
        for here, there in np.argwhere((ratios > 0) | (edits <= 1)):
            if begin + int(here) < int(there):
                yield players[begin + int(here)], players[int(there)]


def _find_equal(names: Mapping[int, str]) -> Iterator[tuple[int, int]]:
    """Yield pairs that are equal but for digits, the order of words, or what follows a beginning."""
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for player, name in sorted(names.items()):
        words = _words(name)
        whole = "".join(words.split())
        groups["letters", "".join(filter(str.isalpha, whole))].append(player)
        groups["words", " ".join(sorted(words.split()))].append(player)
        groups["initials", " ".join(sorted(word[0] for word in words.split()))].append(player)
        for length in range(_SHORTEST_PART, len(whole) + 1):
            groups["part", whole[:length]].append(player)
            if length < len(whole):
                groups["part", whole[-length:]].append(player)
    whole_names = {"".join(_words(name).split()): player for player, name in names.items()}
    for (kind, text), group in groups.items():
        if kind == "part":
            owner = whole_names.get(text)
            yield from ((min(owner, one), max(owner, one)) for one in group if owner is not None and one != owner)
        elif len(text) >= _SHORTEST and (kind != "initials" or " " in text):
            yield from ((one, other) for at, one in enumerate(group) for other in group[at + 1 :])


def _has_initial(one: list[str], other: list[str]) -> bool:
    """Whether words are equal or initials of each other, and at least one whole word and one initial is among them."""
    if len(one) != len(other) or len(one) < 2:
        return False
    equal = [left == right for left, right in zip(one, other, strict=True)]
    initial = [left[:1] == right[:1] and 1 in (len(left), len(right)) for left, right in zip(one, other, strict=True)]
    return any(equal) and all(a or b for a, b in zip(equal, initial, strict=True))


def _words(name: str) -> str:
    """Return a name in lower case; what is not a letter or a digit is a space."""
    from rapidfuzz import utils

    return str(utils.default_process(name))
