"""Find known texts, and ids of games, that are close to a misspelt one."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from zertz_db.queries.sql_params import execute
from zertz_db.store import ids

if TYPE_CHECKING:
    import duckdb

_ENOUGH = 65
"""Minimum score of a close text, from 0 to 100."""
_BEGINNING = 90
"""Score of a text with a word that begins with the misspelt one."""
_SHORTEST_BEGINNING = 3
"""Minimum length of a text that is looked for at the beginnings of words."""
_ENOUGH_OF_WORDS = 80
"""Minimum score of some words of a text, as many as the misspelt one has."""
_SHORTEST_WORDS = 4
"""Minimum length of a text that is compared with words."""
_BEHIND = 12
"""A text whose score is lower than the best one by more than this is no longer near."""
_LONGEST = 200
"""Maximum length of a compared text: the time grows with its square."""
_MAX_IDS = 2


def close_to(text: str, known: Sequence[str], most: int = 1) -> list[str]:
    """Return the closest known texts, closest first, ignoring accents and case; none if nothing is near.

    Near are texts that share most of their letters, whatever the order of the words, or have such words in a row, texts with a
    word that begins with `text`, and beginnings of `text`.

    >>> close_to("bluedgo", ["BlueDog", "Ada", "Ben"])
    ['BlueDog']
    """
    from rapidfuzz import fuzz, process, utils  # takes 25 ms, and only errors need it

    def processor(one: str) -> str:
        return utils.default_process(_remove_accents(one))

    wanted, texts = processor(text[:_LONGEST]), [processor(one) for one in known]
    scores: dict[int, float] = {}
    if len(wanted) >= _SHORTEST_BEGINNING:
        scores = dict.fromkeys((place for place, one in enumerate(texts) if _is_beginning(wanted, one)), _BEGINNING)
    for scorer in (fuzz.ratio, fuzz.token_sort_ratio):
        for _, score, place in process.extract(wanted, texts, scorer=scorer, score_cutoff=_ENOUGH, limit=None):
            scores[place] = max(scores.get(place, 0), score)
    if not scores and len(wanted) >= _SHORTEST_WORDS:
        windows = _windows(texts, wanted.count(" ") + 1)
        places = [*windows.values()]
        for _, score, place in process.extract(
            wanted, [*windows], score_cutoff=_ENOUGH_OF_WORDS, limit=None, scorer=fuzz.ratio
        ):
            scores |= dict.fromkeys(places[place], score)
    least = max(scores.values(), default=0) - _BEHIND
    near = sorted((place for place in scores if scores[place] >= least), key=lambda place: (-scores[place], place))
    return [known[place] for place in near[:most]]


def _windows(texts: Sequence[str], count: int) -> dict[str, list[int]]:
    """Return the texts, by their indices, for each sequence of `count` words that is part of one; a whole text is no part."""
    windows: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        words = text.split()
        if len(words) > count:
            for start in range(len(words) - count + 1):
                windows.setdefault(" ".join(words[start : start + count]), []).append(place)
    return windows


def _is_beginning(wanted: str, known: str) -> bool:
    """Check if a word of a known text begins with the wanted one, or if that begins with the known text."""
    return f" {wanted}" in f" {known}" or (bool(known) and wanted.startswith(known) and 3 * len(known) >= len(wanted))


def _remove_accents(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


def close_ids(connection: duckdb.DuckDBPyConnection, text: str) -> list[str]:
    """Return ids that begin with nearly these letters: one is wrong, missing, added, or exchanged with its neighbour; in whole ids two."""
    wanted = text.strip().upper()
    begin = f"left(id_text(id), {len(wanted):d})"
    query = f"""
        SELECT id_text(id) FROM _game WHERE damerau_levenshtein({begin}, ?) <= {2 if len(wanted) >= ids.LETTERS - 1 else 1}
        ORDER BY damerau_levenshtein({begin}, ?), id LIMIT {_MAX_IDS}
    """
    return [found for (found,) in execute(connection, query, [wanted, wanted]).fetchall()]
