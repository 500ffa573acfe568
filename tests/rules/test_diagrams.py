"""Each diagram of the published texts is a question about a position: `list_moves` gives the text's answer.

The texts are the rulebook of 2016, the rewritten one (with the first four of its diagrams), the rules with notes for engines (which repeat
diagram 5), an encyclopedia's entry (which has none) and the newsletter. Their pictures have no coordinates. If a caption leaves a choice,
the position here is one that satisfies the caption.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest

from zertz_db.rules.moves import Moves, list_moves
from zertz_db.rules.position import Position


class Question(NamedTuple):
    """A diagram, the start and the moves that lead to it, the question, and the answer."""

    diagram: str
    start: str
    moves: Sequence[str]
    ask: Callable[[Moves], Any]
    answer: Any


def free(found: Moves) -> str:
    return " ".join(found.position.free_rings)


def played(found: Moves) -> set[str]:
    return {choice.notation for choice in found.choices}


def kind_and_count(found: Moves) -> tuple[str | None, int]:
    return found.kind, len(found.choices)


def claims(found: Moves) -> list[tuple[str, int]]:
    return [(" ".join(claim.rings), claim.placements) for claim in found.claims]


def wins(found: Moves) -> set[tuple[str, str]]:
    return {(choice.notation, " ".join(choice.winning_sets)) for choice in found.endings}


EMPTY = "37 standard oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo 6/8/10 0/0/0 0/0/0 1"
ARROWS = "37 standard .oo./ooooB/oooooo/oooWooo/oooooo/ooooo/Gooo 5/7/9 0/0/0 0/0/0 1"
"""Two corners are gone, and edge rings hold marbles; b2 and b4 have one open side each."""
NUMBERED = "37 standard oooo/ooGoo/.GGooo/ooooooo/ooGooo/oooGo/oooo 6/3/10 0/0/0 0/0/0 1"
"""Marbles 1 to 5 are on b3, c3, c2, e3 and f4."""
HANGING = "37 standard W.../o..../.o..../.oooo../oooo../ooooo/oooo 5/8/10 0/0/0 0/0/0 1"
"""The marble on a1 is connected by b1, and that one by c2; nineteen rings are vacant."""
BEHIND = "37 standard W.../o..../.o..../.ooooo./ooGo../ooo../oooo 1/5/7 2/0/0 2/2/3 1"
"""Player 1 holds two marbles, player 2 seven. Rings 1 to 4 are e2, e4, b1 and c2."""
SACRIFICE = "Be2,e4"
NEWSLETTER = "37 blitz oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo 5/7/9 0/0/0 0/0/0 1"
FIRST_TURNS = ("Wd4,a1", "Bd6,a2")
FIVE_TURNS = (*FIRST_TURNS, "Bd2,a3", "Bf2,a4", "Wg2,c1")
"""The newsletter counts diagonals: its f4 and g5 are f2 and g2."""
TWO_GROUPS = "37 blitz o.../W..../....../Booooo./.ooooo/ooooo/oooo 4/7/8 0/0/0 0/0/0 1"
"""The group of a1 and b1 is separate; d1 is connected by d2."""

DIAGRAMS = [
    Question("1: the board at the start", EMPTY, (), kind_and_count, ("placement", 1944)),
    Question("1: the rings of its edge", EMPTY, (), free, "a1 a2 a3 a4 b1 b5 c1 c6 d1 d7 e1 e6 f1 f5 g1 g2 g3 g4"),
    Question("2: only the rings with an arrow", ARROWS, (), free, "a2 a3 b1 c1 c6 d1 d7 e1 e6 f1 f5 g2 g3 g4"),
    Question("3: 1 → 2, 3; 1 → 2, 4, 5; 2 → 1; 3 → 2, 1", NUMBERED, (), played,
          {"x b3Gd3Gb1", "x b3Gd3Gf3Gf5", "x c3Ga3", "x c2Gc4Ga2"}),
    Question("4: without the ring with the arrow the marble is captured", HANGING, (), claims, [("a1 b1", 3), ("a1", 3 * 18)]),
    Question("5: the sacrifice leaves player 2 one capture", BEHIND, (SACRIFICE,), played, {"x e3Be1"}),
    Question("5: with it he has no winning set", BEHIND, (SACRIFICE,), wins, set()),
    Question("5: white on ring 3, ring 4 removed, and the two white marbles win", BEHIND, (SACRIFICE, "x e3Be1"), wins,
          {("Wb1,c2 x Wa1Wb1", "4W")}),
    *(Question(f"6: {board} rings", Position.start(board).text, (), kind_and_count, ("placement", placements))
      for board, placements in (("40", 2223), ("43", 2520), ("44", 2580), ("48", 2961), ("61", 4320))),
    Question("newsletter, 1: the empty board", NEWSLETTER, (), kind_and_count, ("placement", 1944)),
    Question("newsletter, 2: after two turns another is placed", NEWSLETTER, FIRST_TURNS, free,
          "a3 a4 b1 b2 b5 c1 c6 d1 d7 e1 e6 f1 f5 g1 g2 g3 g4"),
    Question("newsletter, 3: the marble in f4 must be captured, that in d2 can't be", NEWSLETTER, FIVE_TURNS, played,
          {"x g2Be2"}),
    Question("newsletter, 4: a marble in a1 and the ring d2 bring three", TWO_GROUPS, (), lambda found: claims(found)[0],
          ("a1 b1 d1", 3)),
]  # fmt: skip


@pytest.mark.parametrize("question", DIAGRAMS, ids=lambda question: question.diagram)
def test_a_diagram_is_answered_as_its_text_does(question: Question) -> None:
    position = Position.parse(question.start)
    for move in question.moves:
        position = position.play(move)
    assert question.ask(list_moves(position)) == question.answer
