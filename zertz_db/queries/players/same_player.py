"""Propose aliases with evidence. People decide (`zertz_db.edit.claim_names`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import duckdb

from zertz_db.queries.result import Column, Result
from zertz_db.store.annotations import people_file
from zertz_db.store.folder.database import Database
from zertz_db.store.names import fold_name

SIMILAR = 85
"""Minimum similarity of proposed names, from 0 to 100."""
_AT_ONCE = 500
"""Number of names per batch of comparisons; memory grows with it."""

PROPOSALS = (
    Column("name", "a player's name"),
    Column("player", "the player with more games whose alias `name` may be"),
    Column(
        "similarity", "how much the names are alike, case and signs aside: 100 is equal (share of letters in common)"
    ),
    Column("common_opponents", "number of human opponents of both"),
    Column("opponents", "number of human opponents of the player with fewer"),
    Column("years", "the years in which `name` played"),
    Column("player_years", "the years in which `player` played"),
    Column("games", "games of `name`"),
    Column("evidence", "the evidence in words"),
)


class _Known(NamedTuple):
    name: str
    games: int
    first: int | None
    last: int | None


def propose_names(database: Database, similar: int = SIMILAR) -> Result:
    """List pairs of human players that may be one, likeliest first. Columns: PROPOSALS.

    Their names are alike by at least `similar`; they never met; and their names differ in digits, signs or blanks only, or they have a
    human opponent in common. What was accepted or rejected before is not proposed again.
    """
    connection = database.connection()
    known = {number: _Known(*rest) for number, *rest in connection.execute(_HUMANS).fetchall()}
    opponents = _opponents(connection)
    decided = {claim.pair for claim in people_file.read_aliases(database.annotations_dir)}
    rows = []
    for one, other, similarity in _alike(known, similar):
        minor, major = sorted((one, other), key=lambda player: (known[player].games, known[player].name))
        names = known[minor].name, known[major].name
        if frozenset(map(fold_name, names)) in decided or major in opponents[minor]:
            continue
        common = len(opponents[minor] & opponents[major] & known.keys())
        if common or _letters(names[0]) == _letters(names[1]):
            fewer = min(len(opponents[player] & known.keys()) for player in (minor, major))
            years = _years(known[minor]), _years(known[major])
            said = _evidence(similarity, common, fewer, years)
            rows.append((*names, similarity, common, fewer, *years, known[minor].games, said))
    rows.sort(key=lambda row: (-row[2], -row[3], row[0].lower()))
    return Result(PROPOSALS, rows)


def evidence(database: Database, name: str, player: str) -> str:
    """Return the evidence that two names are one player, as in `propose_names`; "" for none."""
    pair = {fold_name(name), fold_name(player)}
    found = (
        row["evidence"]
        for row in propose_names(database).dicts()
        if {fold_name(row["name"]), fold_name(row["player"])} == pair
    )
    return str(next(found, ""))


_HUMANS = """
    SELECT p.id, any_value(p.name), count(*), min(year(date_from)), max(year(date_from))
    FROM (SELECT unnest([player1, player2]) AS name, date_from FROM _game)
    JOIN _alias a USING (name) JOIN _player p ON p.id = a.player WHERE kind = 'human' GROUP BY p.id
"""
_OPPONENTS = """
    SELECT DISTINCT one.player, other.player FROM _game
    JOIN _alias one ON one.name = player1 JOIN _alias other ON other.name = player2
"""
"""Includes players against themselves: to exclude them, DuckDB would first pair all names."""


def _opponents(connection: duckdb.DuckDBPyConnection) -> dict[int, set[int]]:
    opponents: dict[int, set[int]] = defaultdict(set)
    for one, other in connection.execute(_OPPONENTS).fetchall():
        if one != other:
            opponents[one].add(other)
            opponents[other].add(one)
    return opponents


def _alike(known: dict[int, _Known], similar: int) -> Iterator[tuple[int, int, int]]:
    """Yield pairs of players with similar names, each once, with the similarity."""
    # These take 110 ms to import; most commands for players propose nothing.
    import numpy as np
    from rapidfuzz import fuzz, process, utils

    players = sorted(known)
    names = [utils.default_process(known[player].name) for player in players]
    for begin in range(0, len(names), _AT_ONCE):
        scores = process.cdist(
            names[begin : begin + _AT_ONCE], names, scorer=fuzz.ratio, score_cutoff=similar, dtype=np.uint8
        )
        for here, there in np.argwhere(scores):
            one, other = begin + int(here), int(there)
            if one < other:
                yield players[one], players[other], int(scores[here, there])


def _letters(name: str) -> str:
    return "".join(filter(str.isalpha, name.lower()))


def _years(known: _Known) -> str:
    if known.first is None or known.first == known.last:
        return str(known.first or "")
    return f"{known.first}–{known.last}"


def _evidence(similarity: int, common: int, fewer: int, years: tuple[str, str]) -> str:
    active = ", ".join(f"{whose} {played}" for whose, played in zip(("one", "the other"), years, strict=True) if played)
    return f"names {similarity} % alike, {common} of {fewer} human opponents in common, never met; active: {active or 'unknown'}"
