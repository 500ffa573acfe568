"""Name what happens in the solution of a puzzle.

The solution is the line of the shortest win against the longest defence, so a theme is about that line alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zertz_db.rules.position import Position

MOST_SACRIFICES = 3

THEMES = {
    "sacrifice-1": "the winner gives up one marble: one placement of the winner leaves the opponent a capture",
    "sacrifice-2": "two placements of the winner leave the opponent a capture",
    "sacrifice-3": "three or more placements of the winner leave the opponent a capture",
    "isolation": "a placement of the winner isolates rings and so takes their marbles",
    "last-marble": "a placement of the winner takes the last marble from the pool",
    "several-sets": "the last move completes two or more winning sets at once",
    "white": "white marbles win: four, in blitz three",
    "grey": "grey marbles win: five, in blitz four",
    "black": "black marbles win: six, in blitz five",
    "each": "marbles of all three colours win: three of each, in blitz two of each",
    "full-board": "the winner fills the last vacant ring",
}
"""Themes by name, with their definitions."""
_SET_THEMES = {"W": "white", "G": "grey", "B": "black", "each": "each"}


def name_themes(start: Position, line: Sequence[str]) -> tuple[str, ...]:
    """Return the themes of a whole solution, in the order of THEMES. line: moves in official notation, the first and last the winner's.

    Raises IllegalMove.
    """
    found = {*_name_moves(start, line)}
    return tuple(theme for theme in THEMES if theme in found)


def count_sacrifices(start: Position, line: Sequence[str]) -> int:
    """Return the number of placements of the winner that leave the opponent a capture. Raises IllegalMove."""
    return sum(_is_sacrifice(move, after) for _, move, after in _winners_turns(start, line))


def _name_moves(start: Position, line: Sequence[str]) -> Iterator[str]:
    sacrifices = count_sacrifices(start, line)
    if sacrifices:
        yield f"sacrifice-{min(sacrifices, MOST_SACRIFICES)}"
    last = start
    for before, move, last in _winners_turns(start, line):
        if not move.startswith("x "):
            if last.claimed:
                yield "isolation"
            if any(before.pool) and not any(last.pool):
                yield "last-marble"
    sets = last.winning_sets
    if len(sets) > 1:
        yield "several-sets"
    if last.is_over and not sets:
        yield "full-board"
    for name in sets:
        yield _SET_THEMES[name.lstrip("0123456789")]


def _winners_turns(start: Position, line: Sequence[str]) -> Iterator[tuple[Position, str, Position]]:
    """Yield each move of the winner with the positions before and after it."""
    before = start
    for number, move in enumerate(line):
        after = before.play(move)
        if number % 2 == 0:
            yield before, move, after
        before = after


def _is_sacrifice(move: str, after: Position) -> bool:
    return not move.startswith("x ") and after.capture_is_due
