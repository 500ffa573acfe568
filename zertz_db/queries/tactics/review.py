"""Review of a game: its plies with what a search for forced wins found before and after them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from zertz_db.queries.games.one_game import find_id
from zertz_db.queries.result import Column, Result, run_query
from zertz_db.queries.tactics.marks import COUNTS, PlyMark, count_marks, list_marks
from zertz_db.queries.tactics.measures import SHORTEST_CHANCE
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import to_text
from zertz_db.tactics.limits import SearchError

if TYPE_CHECKING:
    from zertz_db.rules.position import Position
    from zertz_db.tactics.win_chance.course import CourseChances

_SKIPPED = {
    "written-claims": "games with written claims can't be searched",
    "large-board": "boards of more than 63 rings can't be searched",
    "large-pool": "it has more marbles than the search allows",
    "internal-error": "the search failed; its log has the details",
}
"""Reasons as in the table of analyses, in words."""


@dataclass(frozen=True, slots=True)
class Review:
    """Review of a game.

    game: its id. analysis: solver, depth, nodes, skipped, accuracy1, accuracy2, rated1, rated2; None without an analysis. plies: ply (the
    number of plies before the move), mover, notation, free, sacrifice, and forced, kept, missed, only_move, blunder, better, lost as in the
    table of tactics, with remarks (a sentence, or None). chances: of `value_review`, or None; unvalued: why it found none.
    """

    game: str
    analysis: dict[str, Any] | None
    plies: Result
    chances: CourseChances | None = None
    unvalued: str | None = None

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

    def rows(self) -> list[dict[str, Any]]:
        """Return the plies, each with `chance` (win chance of the mover before it) and `points` (that it lost), None where unknown."""
        rows = self.plies.dicts()
        for number, row in enumerate(rows):
            chance = self.chances.chances[number] if self.chances else None
            row["chance"] = chance if chance is None or row["mover"] == 1 else 1 - chance
            row["points"] = self.chances.points[number] if self.chances else None
        return rows

    def marks(self) -> list[list[PlyMark]]:
        """Return the marks on each ply; of a game that was not searched only those that the moves show by themselves."""
        rows = self.rows()
        return [list_marks(row if self.problem is None else {**row, "points": None}) for row in rows]

    def counts(self, side: int) -> dict[str, Any]:
        """Return accuracy and free_moves of a player as analysed, and the counts of `count_marks`, None where unknown."""
        analysis = self.analysis or {}
        found = {"accuracy": analysis.get(f"accuracy{side}"), "free_moves": analysis.get(f"rated{side}")}
        if self.problem is not None:
            return {**found, **dict.fromkeys(COUNTS)}
        has_estimates = self.chances is not None
        return {**found, **count_marks(self.plies.dicts(), self.marks(), side, has_estimates=has_estimates)}

    def as_json(self) -> dict[str, Any]:
        """Return an object for JSON."""
        marked = zip(self.rows(), self.marks(), strict=True)
        return {
            "id": self.game,
            "analysis": self.analysis,
            "problem": self.problem,
            "counts": {str(side): self.counts(side) for side in (1, 2)},
            "unvalued": self.unvalued,
            "chances": self._chances(),
            "plies": [_rounded({**row, "marks": [str(one.mark) for one in marks]}) for row, marks in marked],
        }

    def _chances(self) -> list[dict[str, Any]] | None:
        if self.chances is None:
            return None
        found = zip(self.chances.chances, self.chances.is_proven, strict=True)
        return [{"ply": ply, "chance": round(chance, 4), "proven": sure} for ply, (chance, sure) in enumerate(found)]


def review_game(database: Database, text: str) -> Review:
    """Return the review of the game with an id, or with the only id of a prefix, without win chances. QueryError as of `find_game`."""
    connection = database.connection()
    number = find_id(connection, text)
    analyses = run_query(connection, _ANALYSIS, [number], about="analyses").dicts()
    plies = run_query(connection, _PLIES, [number], about="plies")
    tactics = run_query(connection, _TACTICS, [number], about="tactics")
    return build_review(to_text(number), plies, analyses[0] if analyses else None, tactics.dicts(), tactics.columns)


def build_review(
    game: str,
    plies: Result,
    analysis: dict[str, Any] | None,
    tactics: Iterable[dict[str, Any]],
    columns: Sequence[Column] = (),
) -> Review:
    """Return the review of a game from its parts.

    plies: ply, mover, notation, free, sacrifice of each ply. analysis: a row of the table of analyses, or None. tactics: rows of the table
    of tactics. columns: their descriptions.
    """
    found = {row["ply"]: row for row in tactics}
    described = {column.name: column for column in columns}
    rows = []
    for row in plies.rows:
        facts = {**NOTHING, **{name: value for name, value in found.get(row[0], {}).items() if name in NOTHING}}
        rows.append((*row, *facts.values(), " ".join(describe_ply(facts)) or None))
    more = [described.get(name, Column(name, "")) for name in NOTHING]
    return Review(game, analysis, Result((*plies.columns, *more, Column("remarks", "the same as sentences")), rows))


def value_review(review: Review, positions: Sequence[Position]) -> Review:
    """Return the review with the win chances along the game.

    positions: of the game, at the start and after each ply. Proofs of the analysis replace estimates. The first call compiles or loads the
    features: 20 seconds the first time on a machine, two in each other process.
    """
    from zertz_db.tactics.win_chance.course import value_course  # numpy and the trees take a third of a second

    plies = review.plies.dicts()
    try:
        chances = value_course(positions, [bool(ply["free"]) for ply in plies], find_winners(plies))
    except SearchError as error:
        return replace(review, unvalued=f"No win chances: {error}.")
    return replace(review, chances=chances)


def find_winners(plies: Sequence[dict[str, Any]]) -> list[int]:
    """Return for each position of a game the player who wins by force as the analysis has found, 1 or 2, or 0."""
    winners = [0] * (len(plies) + 1)
    for number, ply in enumerate(plies):
        if ply["forced"] is not None:
            winners[number] = ply["mover"]
        elif ply["lost"]:
            winners[number] = 3 - ply["mover"]
        if ply["kept"]:
            winners[number + 1] = ply["mover"]
        elif ply["blunder"] is not None:
            winners[number + 1] = 3 - ply["mover"]
    return winners


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
    SELECT ply, mover, notation, kind = 'placement' AND NOT forced AS free, sacrifice FROM _ply WHERE game = ? ORDER BY ply
"""
_TACTICS = "SELECT ply, forced, kept, missed, only_move, blunder, better, lost FROM _tactic WHERE game = ? ORDER BY ply"
NOTHING: dict[str, Any] = {
    "forced": None, "kept": None, "missed": False, "only_move": None, "blunder": None, "better": None, "lost": False,
}  # fmt: skip
"""The facts about a ply without a row in the table of tactics."""


def _rounded(ply: dict[str, Any]) -> dict[str, Any]:
    return {
        **ply,
        "chance": None if ply["chance"] is None else round(ply["chance"], 4),
        "points": None if ply["points"] is None else round(ply["points"], 1),
    }
