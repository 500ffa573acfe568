"""Write a move tree as a short text for URLs, and read it back.

The moves follow one another in printed order with a full stop between them, `Wd4d1.Bd3a1.xd3Wd5`; `~2.` goes two moves back before a
variation. A claim follows `x`: `Bd7b2xWa1Wa2`. Marks follow their move as letters: `Wd4d1-g`. URLs need no escapes for these characters.
Comments and asides are not part of it.
"""

from __future__ import annotations

import re

from zertz_db.rules.board import RING
from zertz_db.rules.position import Position
from zertz_db.variations.move_tree import MARKS, MoveTree, TreeBuilder, TreeError, list_depths

MARK_LETTERS = dict(zip(MARKS, "gbGBid", strict=True))
"""Letters of marks: good, bad, very good, very bad, interesting, dubious."""
_MARK_OF = {letter: mark for mark, letter in MARK_LETTERS.items()}

_RING = f"(?:{RING.pattern})"
_MARBLES = rf"(?:[WGB]{_RING})+"
_STEP = re.compile(
    rf"~(?P<back>[0-9]{{1,4}})"
    rf"|(?P<move>(?P<placed>[WGB]{_RING})(?P<removed>{_RING})?(?:x(?P<claim>{_MARBLES}))?"
    rf"|x(?P<from>{_RING})(?P<jumps>{_MARBLES})|0)(?:-(?P<marks>[{''.join(_MARK_OF)}]+))?"
)
MAX_LENGTH = 100_000
"""Maximum length of a short text that is read."""


def write_short(tree: MoveTree) -> str:
    """Return the moves and the marks of a tree as a short text. Marks without a letter are left out.

    >>> from zertz_db.variations.move_tree import add_moves, add_move
    >>> tree, node = add_moves(MoveTree(Position.start("37")), 0, ["Wd4,d1", "Bd3,a1", "x d3Wd5"])
    >>> write_short(add_move(tree, 1, "Bd3,a2")[0])
    'Wd4d1.Bd3a1.xd3Wd5.~2.Bd3a2'
    """
    steps, depth, depths = [], 0, list_depths(tree)
    for number, node in enumerate(tree.nodes[1:], 1):
        wanted = depths[number] - 1
        if wanted < depth:
            steps.append(f"~{depth - wanted}")
        marks = "".join(MARK_LETTERS[mark] for mark in node.marks if mark in MARK_LETTERS)
        steps.append(_shorten(tree.nodes[number].move) + (f"-{marks}" if marks else ""))
        depth = wanted + 1
    return ".".join(steps)


def read_short(start: Position, text: str) -> MoveTree:
    """Return the tree of a short text from a position. Raises TreeError for text of another form and for an illegal move."""
    if len(text) > MAX_LENGTH:
        raise TreeError(f"the moves have {len(text):,} characters; at most {MAX_LENGTH:,} are read")
    builder = TreeBuilder(start)
    path = [0]
    for step in text.split(".") if text else []:
        match = _STEP.fullmatch(step)
        if not match:
            raise TreeError(f"{step[:40]!r} is not a move")
        if match["back"]:
            back = int(match["back"])
            if not 0 < back < len(path):
                raise TreeError(f"{step!r} goes back before the start")
            del path[-back:]
            continue
        node = builder.add(path[-1], _lengthen(match))
        builder.note(node, "", [_MARK_OF[letter] for letter in match["marks"] or ""])
        path.append(node)
    return builder.build()


def _shorten(move: str) -> str:
    return "0" if move == "-" else move.replace(",", "").replace(" ", "")


def _lengthen(match: re.Match[str]) -> str:
    """Return the move of a step in official notation."""
    if match["from"]:
        return f"x {match['from']}{match['jumps']}"
    if not match["placed"]:
        return "-"
    removed = f",{match['removed']}" if match["removed"] else ""
    claim = f" x {match['claim']}" if match["claim"] else ""
    return f"{match['placed']}{removed}{claim}"
