"""`unions.jsonl` beside a database's generations: games that people hold to be one, though their records say otherwise.

An object a line, written to at its end only: `game` is `of` the other one, as of now, or is not any more.

    {"game": "A05S0N8XJ2Q7C", "of": "3T7K0V9QZ4M1A", "verdict": "accepted", "evidence": "the same moves", "author": "ada", "made_at": "…"}
    {"game": "A05S0N8XJ2Q7C", "of": "3T7K0V9QZ4M1A", "verdict": "undone", "evidence": "", "author": "ada", "made_at": "…"}

The records of `game` are then sightings of the other. A generation notes which unions it follows.
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
"""The fact that says which unions a generation follows."""


class GameMerge(NamedTuple):
    """What was said of two games (ids in letters): verdict is accepted or undone."""

    game: str
    of: str
    verdict: str
    evidence: str
    author: str
    made_at: dt.datetime


def read(folder: Path) -> list[GameMerge]:
    """Return the unions in force. Faulty lines are skipped and reported."""
    current: dict[str, GameMerge] = {}

    def take(said: Entry) -> None:
        union = _merge(said)
        current.pop(union.game, None)
        if union.verdict == "accepted":
            current[union.game] = union

    jsonl.read(folder / FILE, "union", take)
    return list(current.values())


def faults(folder: Path) -> list[str]:
    """Return what is wrong with lines of the file."""
    return jsonl.read(folder / FILE, "union", _merge)


def append(folder: Path, said: Iterable[GameMerge]) -> None:
    """Append unions. Only under the annotations' lock."""
    jsonl.append_entries(folder / FILE, ({**one._asdict(), "made_at": one.made_at.isoformat()} for one in said))


def rewrite(folder: Path, veil: Callable[[str], str]) -> None:
    """Veil names in what is said. Only under the annotations' lock."""
    jsonl.rewrite(folder / FILE, _merge, lambda said: (jsonl.redact(one, _REDACTED, veil) for one in said), veil)


_REDACTED = ("evidence", "author")
_VERDICTS = ("accepted", "undone")


def _merge(said: Entry) -> GameMerge:
    game, of, verdict, evidence, author = (require_text(said[name], name) for name in GameMerge._fields[:-1])
    if verdict not in _VERDICTS:
        raise ValueError(f"a verdict is one of {', '.join(_VERDICTS)}")
    union = GameMerge(game, of, verdict, evidence, author, utc_time(said["made_at"]))
    targets([union])  # whose ids must be ids
    return union


def targets(unions: Iterable[GameMerge]) -> dict[int, int]:
    """For each game that is of another the one that it is of in the end, as numbers."""
    return ends((from_text(union.game), from_text(union.of)) for union in unions)


def applied_merges(connection: duckdb.DuckDBPyConnection) -> dict[int, int]:
    """The targets of the unions that a generation follows."""
    noted = meta.read(connection).get(FACT, "")
    return {int(game): int(other) for game, other in (pair.split(">") for pair in noted.split())}


def apply_merges(connection: duckdb.DuckDBPyConnection, now: dict[int, int]) -> None:
    """Note the targets that a generation under construction follows."""
    meta.write(connection, {FACT: " ".join(f"{game}>{other}" for game, other in sorted(now.items()))})


Thing = TypeVar("Thing", bound=Hashable)


def ends(pairs: Iterable[tuple[Thing, Thing]]) -> dict[Thing, Thing]:
    """For each thing that is said to be another the one that stands for it in the end; what would lead back counts for nothing.

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
