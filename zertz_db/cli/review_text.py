"""Format the review of a game as text: its plies with missed wins, proven blunders and only moves."""

from __future__ import annotations

from collections.abc import Iterator

from zertz_db.queries.games.one_game import Game
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
    for ply in review.plies.dicts():
        yield f"{ply['ply']:>4}  {ply['mover']}  {ply['notation']:<{width}}  {ply['remarks'] or ''}".rstrip()
        if has_lines and ply["missed"]:
            yield f"{'':>9}line: {_line(game, review, ply['ply'], ply['forced'])}"
    yield ""
    yield f"Searched for forced wins within {review.limits}: where none is mentioned, no win in 3 or more was found within these limits."
    yield from _accuracies(review)


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
