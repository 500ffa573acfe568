"""Marks on the plies of a reviewed game: what is proven, and apart from it what is estimated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from zertz_db.queries.tactics.measures import SHORTEST_CHANCE


class Mark(StrEnum):
    """Kinds of marks."""

    MISSED = "missed"
    MISSED_IN_ONE = "missed-in-one"
    BLUNDER = "blunder"
    ONLY_MOVE = "only-move"
    SACRIFICE = "sacrifice"
    SERIOUS_MISTAKE = "serious-mistake"
    MISTAKE = "mistake"
    INACCURACY = "inaccuracy"


class Meaning(NamedTuple):
    """A mark's sign in lists, its name in the singular and plural, its definition, and the points of an estimate (0: it is proven)."""

    sign: str
    name: str
    several: str
    definition: str
    points: int = 0


MINUS = "\N{MINUS SIGN}"
_LOSES = "estimated to lose {} or more points of win chance"
MEANINGS = {
    Mark.MISSED: Meaning("✗", "missed win", "missed wins", f"let a forced win in {SHORTEST_CHANCE} or more plies go"),
    Mark.MISSED_IN_ONE: Meaning("✗1", "missed win in 1", "missed wins in 1", "let a win in 1 ply go"),
    Mark.BLUNDER: Meaning(
        "??", "blunder", "blunders", "allows a forced win, although after another move none was found"
    ),
    Mark.ONLY_MOVE: Meaning("□", "only move", "only moves", "the only one that keeps the forced win"),
    Mark.SACRIFICE: Meaning("S", "sacrifice", "sacrifices", "a free placement after which the opponent must capture"),
    Mark.SERIOUS_MISTAKE: Meaning(f"{MINUS}15", "serious mistake", "serious mistakes", _LOSES.format(15), 15),
    Mark.MISTAKE: Meaning(f"{MINUS}10", "mistake", "mistakes", _LOSES.format(10), 10),
    Mark.INACCURACY: Meaning(f"{MINUS}5", "inaccuracy", "inaccuracies", _LOSES.format(5), 5),
}
"""The marks in the order of their weight."""
ESTIMATES = tuple(mark for mark, meaning in MEANINGS.items() if meaning.points)
ERRORS = (Mark.MISSED, Mark.MISSED_IN_ONE, Mark.BLUNDER)
"""Marks of proven errors."""

COUNTED = {
    "missed": Mark.MISSED,
    "missed_in_one": Mark.MISSED_IN_ONE,
    "blunders": Mark.BLUNDER,
    "serious_mistakes": Mark.SERIOUS_MISTAKE,
    "mistakes": Mark.MISTAKE,
    "inaccuracies": Mark.INACCURACY,
}
"""Names of counts of marks."""
ESTIMATED = tuple(name for name, mark in COUNTED.items() if mark in ESTIMATES)
COUNTS = ("missed", "missed_in_one", "blunders", "only_moves", "only_found", *ESTIMATED)
"""Names of all counts."""


class PlyMark(NamedTuple):
    """A mark on a ply: its kind, its sign there, and what it means there, as a sentence."""

    mark: Mark
    sign: str
    words: str


def list_marks(ply: dict[str, Any]) -> list[PlyMark]:
    """Return the marks on a ply of a review.

    ply: a row of the review with `free`, `sacrifice`, the columns of the table of tactics, and `chance` (of the mover, before the move)
    with `points` (that the move lost), both None where unknown.
    """
    return [*_proven(ply), *_estimated(ply)]


def count_marks(
    plies: Sequence[dict[str, Any]], marks: Sequence[Sequence[PlyMark]], side: int, *, has_estimates: bool
) -> dict[str, int | None]:
    """Return the counts of a player in an analysed game, by the names of COUNTS; those of estimates None without any.

    plies: rows as for `list_marks`, with `mover`. marks: those on each. only_moves are the forced wins in 3 or more plies that one class of
    moves kept, only_found those of them that the player kept.
    """
    own = [(ply, {one.mark for one in found}) for ply, found in zip(plies, marks, strict=True) if ply["mover"] == side]
    only = [ply for ply, _ in own if ply["only_move"] and ply["forced"] >= SHORTEST_CHANCE]
    counts: dict[str, int | None] = {
        "only_moves": len(only),
        "only_found": sum(ply["kept"] is True for ply in only),
        **{name: sum(mark in found for _, found in own) for name, mark in COUNTED.items()},
    }
    return {name: counts[name] if has_estimates or name not in ESTIMATED else None for name in COUNTS}


def _proven(ply: dict[str, Any]) -> Iterator[PlyMark]:
    forced = ply["forced"]
    if ply["missed"]:
        yield _mark(Mark.MISSED, f"Missed win: let a forced win in {forced} plies go.")
    elif forced is not None and ply["kept"] is False:
        yield _mark(Mark.MISSED_IN_ONE, f"Missed win: let a win in {_plies(forced)} go.")
    if ply["blunder"] is not None:
        words = f"Blunder: allows a forced win in {_plies(ply['blunder'])}; none was found after {ply['better']}."
        yield _mark(Mark.BLUNDER, words)
    if forced is not None and forced >= SHORTEST_CHANCE and ply["kept"] and ply["only_move"]:
        yield _mark(Mark.ONLY_MOVE, f"The only move that keeps a forced win in {forced} plies.")
    if ply["free"] and ply["sacrifice"]:
        yield _mark(Mark.SACRIFICE, "Sacrifice: the opponent must capture.")


def _estimated(ply: dict[str, Any]) -> Iterator[PlyMark]:
    """Yield the estimate, unless a proof tells more: a forced win before the move, which it keeps or not, or a blunder."""
    lost, before = ply["points"], ply["chance"]
    is_judged = ply["forced"] is not None or ply["blunder"] is not None
    if lost is None or before is None or is_judged:
        return
    for mark in ESTIMATES:
        if lost >= MEANINGS[mark].points:
            fell = f"from {100 * before:.0f} % to {max(0.0, 100 * before - lost):.0f} %"
            yield PlyMark(
                mark,
                f"{MINUS}{lost:.0f}",
                f"Estimated {MEANINGS[mark].name}: the win chance of the player fell {fell}.",
            )
            return


def _mark(mark: Mark, words: str) -> PlyMark:
    return PlyMark(mark, MEANINGS[mark].sign, words)


def _plies(number: int) -> str:
    return "1 ply" if number == 1 else f"{number} plies"
