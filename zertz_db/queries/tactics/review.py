"""Review of a game: its plies with what a search for forced wins found before and after them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zertz_db.queries.games.one_game import find_id
from zertz_db.queries.result import Result, run_query
from zertz_db.queries.tactics.measures import SHORTEST_CHANCE
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import to_text

_SKIPPED = {
    "written-claims": "games with written claims can't be searched",
    "large-board": "boards of more than 63 rings can't be searched",
    "large-pool": "so many marbles can't be searched",
}
"""Reasons as in the table of analyses, in words."""


@dataclass(frozen=True, slots=True)
class Review:
    """Review of a game.

    game: its id. analysis: solver, depth, nodes, skipped, accuracy1, accuracy2, rated1, rated2; None without an analysis. plies: ply (the
    number of plies before the move), mover, notation, and forced, kept, missed, only_move, blunder, better, lost as in the table of
    tactics, with remarks (a sentence, or None).
    """

    game: str
    analysis: dict[str, Any] | None
    plies: Result

    @property
    def problem(self) -> str | None:
        """Return why there is nothing to review, as a sentence with the remedy; None if the game was searched."""
        if self.analysis is None:
            return f"This game has not been analysed: run zertz analyse id:{self.game}."
        if self.analysis["skipped"] is not None:
            reason = _SKIPPED.get(self.analysis["skipped"], self.analysis["skipped"])
            return f"This game has not been searched for forced wins: {reason}."
        return None

    @property
    def limits(self) -> str:
        """Return what the search was limited to, for after "none found"."""
        found = self.analysis or {}
        return f"{found.get('depth')} plies and {found.get('nodes'):,} nodes a position"

    def as_json(self) -> dict[str, Any]:
        """Return an object for JSON."""
        return {"id": self.game, "analysis": self.analysis, "problem": self.problem, "plies": self.plies.dicts()}


def review_game(database: Database, text: str) -> Review:
    """Return the review of the game with an id, or with the only id of a prefix. QueryError as of `find_game`."""
    connection = database.connection()
    number = find_id(connection, text)
    analyses = run_query(connection, _ANALYSIS, [number], about="analyses").dicts()
    found = run_query(connection, _PLIES, [number], about="tactics")
    plies = [
        (*row, " ".join(describe_ply(values)) or None) for row, values in zip(found.rows, found.dicts(), strict=True)
    ]
    columns = (*found.columns, found.columns[0]._replace(name="remarks", meaning="the same as sentences"))
    return Review(to_text(number), analyses[0] if analyses else None, Result(columns, plies))


def describe_ply(ply: dict[str, Any]) -> Iterator[str]:
    """Yield what was found about a ply, as sentences."""
    forced = ply["forced"]
    if ply["missed"]:
        yield f"Let a forced win in {forced} go."
    elif forced is not None and ply["kept"] is False:
        yield f"Let a win in {forced} go."
    elif forced is not None and forced >= SHORTEST_CHANCE and ply["kept"]:
        yield (
            f"The only move that keeps a forced win in {forced}."
            if ply["only_move"]
            else f"Keeps a forced win in {forced}."
        )
    elif forced is not None and forced >= SHORTEST_CHANCE:
        yield f"There was a forced win in {forced}; the limits did not suffice to decide if the move keeps it."
    if ply["blunder"] is not None:
        yield f"Blunder: allows a forced win in {ply['blunder']}; none was found after {ply['better']}."
    if ply["lost"]:
        yield "Lost before: every move allows a forced win."


_ANALYSIS = "SELECT solver, depth, nodes, skipped, accuracy1, accuracy2, rated1, rated2 FROM _analysis WHERE game = ?"
_PLIES = """
    SELECT ply, mover, notation, t.forced, kept, coalesce(missed, false) AS missed, only_move, blunder, better,
        coalesce(lost, false) AS lost
    FROM (SELECT game, ply, mover, notation FROM _ply WHERE game = ?) LEFT JOIN _tactic t USING (game, ply) ORDER BY ply
"""
