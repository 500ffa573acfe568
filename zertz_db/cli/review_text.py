"""Format the review of a game as text: its plies with missed wins, proven blunders and only moves."""

from __future__ import annotations

from collections.abc import Iterator

from zertz_db.plurals import format_count
from zertz_db.queries.games.one_game import Game
from zertz_db.queries.tactics.marks import COUNTED, ERRORS, ESTIMATES, MEANINGS
from zertz_db.queries.tactics.review import Review
from zertz_db.tactics.solver import solve

_MORE_NODES = 10
"""Factor of the limit for the search of a line: the analysis may have found the win in a table of earlier searches."""


def format_review(game: Game, review: Review, has_lines: bool) -> Iterator[str]:
    """Yield the lines of a review. has_lines: with the solver's line for each missed win, which is searched now."""
    row = game.row
    yield f"{row['player1'] or '?'} – {row['player2'] or '?'}, {row['date'] or 'no date'}, {game.outcome}"
    yield ""
    width = max((len(ply["notation"]) for ply in review.plies.dicts()), default=0)
    for ply, marks in zip(review.rows(), review.marks(), strict=True):
        remarks = " ".join([*filter(None, [ply["remarks"]]), *(one.words for one in marks if one.mark in ESTIMATES)])
        chance = _format_chance(ply["chance"])
        yield f"{ply['ply']:>4}  {ply['mover']}  {ply['notation']:<{width}}  {chance:>5}  {remarks}".rstrip()
        if has_lines and ply["missed"]:
            yield f"{'':>9}line: {_line(game, review, ply['ply'], ply['forced'])}"
    yield ""
    yield f"Searched for forced wins within {review.limits}: where none is mentioned, no win in 3 or more was found within these limits."
    if review.chances is not None:
        yield "The per cent are the win chance of the player before the move: 0 % and 100 % are proven, others are estimates."
    yield from _counts(review)
    yield from _accuracies(review)


def _format_chance(chance: float | None) -> str:
    """Return a win chance in per cent; an estimate is never 0 or 100."""
    if chance is None:
        return ""
    return f"{100 * chance:.0f} %" if chance in (0, 1) else f"{min(99, max(1, round(100 * chance)))} %"


def _counts(review: Review) -> Iterator[str]:
    """Yield what each player missed, and his estimated mistakes."""
    for side in (1, 2):
        counts = review.counts(side)
        errors, estimates = (
            [
                format_count(counts[name], MEANINGS[mark].name, MEANINGS[mark].several)
                for name, mark in COUNTED.items()
                if mark in kinds and counts[name]
            ]
            for kinds in (ERRORS, ESTIMATES)
        )
        parts = [*errors, *(["estimated: " + ", ".join(estimates)] if estimates else [])]
        if parts:
            yield f"Player {side}: {', '.join(parts)}."


def _line(game: Game, review: Review, ply: int, forced: int) -> str:
    nodes = _MORE_NODES * (review.analysis or {}).get("nodes", 1)
    found = solve(game.positions[ply], forced, nodes)
    if not found.forced:
        return f"none found within {nodes:,} nodes; zertz solve --game {review.game} --ply {ply} searches on"
    return "  ".join(found.line) + ("" if found.line_is_whole else " …")


def _accuracies(review: Review) -> Iterator[str]:
    found = review.analysis or {}
    for side in (1, 2):
        accuracy, moves = found.get(f"accuracy{side}"), found.get(f"rated{side}")
        if accuracy is not None:
            yield f"Player {side}: accuracy {accuracy:.1f} %, of {moves:,} free moves."
