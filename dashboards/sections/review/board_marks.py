"""What the board of a reviewed game shows besides its moves: the chart, marks in the list of moves, and the plies to stop at."""

from __future__ import annotations

from collections.abc import Sequence

from zertz_db.dashboards.components.board_frames import Badge, Chart, ChartColumn
from zertz_db.queries.tactics.marks import ERRORS, ESTIMATES, MEANINGS, Mark, PlyMark
from zertz_db.queries.tactics.review import Review

CHART_TITLE = "Win chance of player 1"
SURE = (0.0, 1.0)


def build_chart(review: Review) -> Chart | None:
    """Return the chart of win chances, with a flag on each proven error; None without win chances."""
    if review.chances is None:
        return None
    flags = [[one.mark for one in marks if one.mark in ERRORS] for marks in review.marks()]
    found = zip(review.chances.chances, review.chances.is_proven, [[], *flags], strict=True)
    columns = [
        ChartColumn(share, is_proven, describe_chance(ply, share, is_proven), str(errors[0]) if errors else "")
        for ply, (share, is_proven, errors) in enumerate(found)
    ]
    return Chart(CHART_TITLE, columns)


def describe_chance(ply: int, share: float, is_proven: bool) -> str:
    """Return the win chance of player 1 after a ply in words.

    >>> describe_chance(3, 0.634, False), describe_chance(9, 0.0, True)
    ('Ply 3: 63 %, estimated', 'Ply 9: player 2 wins by force')
    """
    if is_proven and share in SURE:
        return f"Ply {ply}: player {1 if share else 2} wins by force"
    if is_proven:
        return f"Ply {ply}: neither player wins"
    return f"Ply {ply}: {min(99, max(1, round(100 * share)))} %, estimated"


def build_badges(marks: Sequence[PlyMark]) -> list[Badge]:
    """Return the marks on a ply for the list of moves."""
    return [Badge(one.sign, str(one.mark), one.words) for one in marks]


def build_legend(marks: Sequence[Sequence[PlyMark]]) -> list[Badge]:
    """Return the meanings of the marks that a game has."""
    used = {one.mark for some in marks for one in some}
    return [
        Badge(meaning.sign, str(mark), f"{meaning.name.capitalize()}: {meaning.definition}")
        for mark, meaning in MEANINGS.items()
        if mark in used
    ]


def list_stops(marks: Sequence[Sequence[PlyMark]]) -> list[int]:
    """Return the plies after which the board shows a mistake: a proven error, or an estimated mistake of 10 points or more."""
    stops = {*ERRORS, *ESTIMATES} - {Mark.INACCURACY}
    return [ply for ply, some in enumerate(marks, 1) if any(one.mark in stops for one in some)]
