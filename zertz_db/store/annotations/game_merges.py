"""`unions.jsonl` next to a database's generations: merged games, which are one although their records differ, games that are two, and
pairs that are put off.

Each line is one object. Lines are only appended: `game` is merged into `of` ("accepted"), or is another game although the two look alike
("rejected"), or the pair is put off ("later"); "undone" cancels each.

    {"game": "A05S0N8XJ2Q7C", "of": "3T7K0V9QZ4M1A", "verdict": "accepted", "evidence": "the same moves", "author": "ada", "made_at": "…"}
    {"game": "A05S0N8XJ2Q7C", "of": "3T7K0V9QZ4M1A", "verdict": "undone", "evidence": "", "author": "ada", "made_at": "…"}

The records of a merged `game` become sightings of `of`. A generation notes the merges that it has applied. A pair of games that are two
changes no table: it is only not proposed again. Nor does a pair that is put off.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from typing import NamedTuple, TypeVar

import duckdb

from zertz_db.store.annotations import jsonl
from zertz_db.store.annotations.faults import require_text
from zertz_db.store.annotations.jsonl import Entry
from zertz_db.store.ids import from_text
from zertz_db.store.partial_dates import utc_time
from zertz_db.store.schema import meta

FILE = "unions.jsonl"
FACT = "unions"
"""The fact with the merges that a generation has applied."""


class GameMerge(NamedTuple):
    """A decision about two games (ids in letters). verdict: accepted (they are one), rejected (they are two), later or undone."""

    game: str
    of: str
    verdict: str
    evidence: str
    author: str
    made_at: dt.datetime

    @property
    def pair(self) -> frozenset[str]:
        """Return the two games, in any order."""
        return frozenset((self.game, self.of))


def read(folder: Path) -> list[GameMerge]:
    """Return the merges in force. Skip and report faulty lines."""
    return _read(folder).merges


def read_separate(folder: Path) -> list[GameMerge]:
    """Return the pairs of games that are two, as decided. Skip and report faulty lines."""
    return [one for one in _read(folder).pairs if one.verdict == "rejected"]


def read_pairs(folder: Path) -> list[GameMerge]:
    """Return the pairs that are two games or put off. Skip and report faulty lines."""
    return _read(folder).pairs


def read_decisions(folder: Path) -> list[GameMerge]:
    """Return the merges in force and the other pairs, in the order of their decisions. Skip and report faulty lines."""
    return _read(folder).in_order


class _Decisions(NamedTuple):
    """The merges in force, the pairs that are two games or put off, and all of these in the order of the file."""

    merges: list[GameMerge]
    pairs: list[GameMerge]
    in_order: list[GameMerge]


def _read(folder: Path) -> _Decisions:
    merges: dict[str, GameMerge] = {}
    pairs: dict[frozenset[str], GameMerge] = {}
    lines: dict[GameMerge, None] = {}

    def collect(entry: Entry) -> None:
        one = _merge(entry)
        was_pair = pairs.pop(one.pair, None) is not None
        if one.verdict in _OF_PAIRS:
            pairs[one.pair] = one
        elif one.verdict == "accepted" or not was_pair:
            merges.pop(one.game, None)
        if one.verdict == "accepted":
            merges[one.game] = one
        lines.pop(one, None)  # an equal one of the same second
        lines[one] = None

    jsonl.read(folder / FILE, "union", collect)
    in_force = {*merges.values(), *pairs.values()}
    return _Decisions(list(merges.values()), list(pairs.values()), [one for one in lines if one in in_force])


def faults(folder: Path) -> list[str]:
    """Return the faults in the lines of the file."""
    return jsonl.read(folder / FILE, "union", _merge)


def append(folder: Path, merges: Iterable[GameMerge]) -> None:
    """Append merges. The caller holds the annotations' lock."""
    jsonl.append_entries(folder / FILE, ({**one._asdict(), "made_at": one.made_at.isoformat()} for one in merges))


def rewrite(folder: Path, redact_text: Callable[[str], str]) -> None:
    """Redact names in all merges. The caller holds the annotations' lock."""
    jsonl.rewrite_fields(folder / FILE, _merge, _REDACTED, redact_text)


_REDACTED = ("evidence", "author")
_OF_PAIRS = ("rejected", "later")
"""The verdicts that leave two games as they are."""
_VERDICTS = ("accepted", *_OF_PAIRS, "undone")


def _merge(entry: Entry) -> GameMerge:
    game, of, verdict, evidence, author = (require_text(entry[name], name) for name in GameMerge._fields[:-1])
    if verdict not in _VERDICTS:
        raise ValueError(f"a verdict is one of {', '.join(_VERDICTS)}")
    merge = GameMerge(game, of, verdict, evidence, author, utc_time(entry["made_at"]))
    targets([merge])  # raises an error for invalid ids
    return merge


def targets(merges: Iterable[GameMerge]) -> dict[int, int]:
    """Return the final target of each merged game, as numbers."""
    return ends((from_text(merge.game), from_text(merge.of)) for merge in merges)


def applied_merges(connection: duckdb.DuckDBPyConnection) -> dict[int, int]:
    """Return the targets of the merges that a generation has applied."""
    noted = meta.read(connection).get(FACT, "")
    return {int(game): int(other) for game, other in (pair.split(">") for pair in noted.split())}


def apply_merges(connection: duckdb.DuckDBPyConnection, now: dict[int, int]) -> None:
    """Note the targets that a generation under construction applies."""
    meta.write(connection, {FACT: " ".join(f"{game}>{other}" for game, other in sorted(now.items()))})


Thing = TypeVar("Thing", bound=Hashable)


def ends(pairs: Iterable[tuple[Thing, Thing]]) -> dict[Thing, Thing]:
    """Return the final target of each thing that is paired with another. Ignore pairs that would close a circle.

    >>> ends([(1, 2), (2, 3), (3, 1)])
    {1: 3, 2: 3}
    """
    of: dict[Thing, Thing] = {}

    def end(one: Thing) -> Thing:
        while one in of:
            one = of[one]
        return one

    for pair in pairs:
        one, other = map(end, pair)
        if one != other:
            of[one] = other
    return {one: end(one) for one in of}
