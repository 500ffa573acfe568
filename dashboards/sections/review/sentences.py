"""The sentences about a position of a reviewed game: the move before it, the forced win in it, and the estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zertz_db.dashboards.components.board_frames import Comment
from zertz_db.plurals import format_count
from zertz_db.queries.tactics.marks import ESTIMATES, Mark, PlyMark
from zertz_db.queries.tactics.review import Review, find_winners
from zertz_db.rules.position import Position
from zertz_db.tactics.solver import Solution

SHOW, SHOW_MISSED, SEARCH = "show", "missed", "search"
"""What a comment offers: the line of the forced win, that of the missed one, a search of the position."""

MISSES = (Mark.MISSED, Mark.MISSED_IN_ONE)

Searched = Mapping[int, Solution]
"""Solutions that the session knows, by the ply of their position."""


def list_comments(review: Review, positions: Sequence[Position], searched: Searched) -> list[list[Comment]]:
    """Return the comments on each position of a game. positions: at the start, and after each ply."""
    marks: list[list[PlyMark]] = [[], *review.marks()]
    plies = review.plies.dicts()
    winners = find_winners(plies)
    forced = [*(ply["forced"] for ply in plies), None]
    return [
        [
            *_comment_move(marks[ply], plies[ply - 1]["notation"] if ply else ""),
            *(
                []
                if position.is_over
                else [_comment_win(review, position, forced[ply], winners[ply], searched.get(ply))]
            ),
            *([] if position.is_over else _comment_estimate(review, ply)),
        ]
        for ply, position in enumerate(positions)
    ]


def _comment_move(marks: Sequence[PlyMark], move: str) -> list[Comment]:
    """Return what the marks say about the move that led to the position."""
    found = []
    for one in marks:
        if one.mark == Mark.SACRIFICE:
            continue
        kind = "estimated" if one.mark in ESTIMATES else "proven"
        offer = ("Show the missed win", SHOW_MISSED) if one.mark in MISSES else ("", "")
        found.append(Comment(f"{move}: {one.words}", kind, *offer))
    return found


def _comment_win(
    review: Review, position: Position, forced: int | None, winner: int, solution: Solution | None
) -> Comment:
    """Return the sentence about a forced win: what the session has searched, else what the analysis found."""
    if solution is not None and solution.forced:
        return Comment(describe_win(position.side, solution.forced, list_sets(position, solution)), "forced")
    if solution is not None:
        return Comment(describe_search(solution, forced), "forced")
    if forced:
        return Comment(describe_win(position.side, forced), "forced", "Show", SHOW)
    if winner and winner != position.side:
        return Comment(f"Player {winner} has a forced win, whatever player {position.side} plays.", "forced")
    if winner:
        return Comment(f"Player {winner} has a forced win.", "forced", "Show", SEARCH)
    if review.problem is not None:
        return Comment("Not searched for forced wins.", "", "Search this position", SEARCH)
    return Comment(f"No forced win found within {review.limits}.", "")


def describe_win(side: int, plies: int, sets: str = "") -> str:
    """Return a forced win as a sentence.

    >>> describe_win(2, 5, "4W"), describe_win(1, 1)
    ('Player 2 can force 4W in 5 plies.', 'Player 1 can force a win in 1 ply.')
    """
    return f"Player {side} can force {sets or 'a win'} in {format_count(plies, 'ply', 'plies')}."


def list_sets(position: Position, solution: Solution) -> str:
    """Return the sets at the end of the line, empty without a whole line."""
    if not solution.line_is_whole:
        return ""
    for move in solution.line:
        position = position.play(move)
    return " and ".join(position.winning_sets)


def describe_search(solution: Solution, forced: int | None = None) -> str:
    """Return a search without a win as a sentence. forced: plies of the win that the analysis found."""
    within = f"within {format_count(solution.depth, 'ply', 'plies')} and {format_count(solution.limit, 'position')}"
    if forced:
        return f"The analysis found a forced win in {format_count(forced, 'ply', 'plies')}; its line was not found again {within}."
    return f"None found {within}" + (", searched completely." if solution.complete_to >= solution.depth else ".")


def _comment_estimate(review: Review, ply: int) -> list[Comment]:
    if review.chances is None or review.chances.is_proven[ply]:
        return []
    share = review.chances.chances[ply]
    player, percent = (1, share) if share >= 0.5 else (2, 1 - share)
    return [
        Comment(f"Estimate: player {player} wins {100 * percent:.0f} % of the games from such a position.", "estimated")
    ]
