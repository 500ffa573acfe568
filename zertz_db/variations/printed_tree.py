"""Print a move tree: numbered moves with their variations in parentheses, as a list of pieces, and as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zertz_db.variations.move_tree import MoveTree, list_children, list_depths


class Piece(NamedTuple):
    """A piece of a printed tree.

    kind: `number` (of a turn), `move`, `comment`, `aside`, `open` and `close` (of a variation). node: of a move, and of what belongs to it.
    depth: the number of variations around it.
    """

    kind: str
    text: str
    node: int
    depth: int


def list_pieces(tree: MoveTree) -> list[Piece]:
    """Return the pieces of a tree in the order in which they are printed: a main move, then the variations in its place, then what follows.

    The comment of the start comes first.
    """
    return [*_notes(tree, 0, 0), *_pieces(tree)]


def print_tree(tree: MoveTree) -> str:
    """Return a tree as text.

    >>> from zertz_db.rules.position import Position
    >>> from zertz_db.variations.move_tree import add_move, add_moves
    >>> tree, node = add_moves(MoveTree(Position.start("37")), 0, ["Wd4,d1", "Bd3,a1", "x d3Wd5"])
    >>> print_tree(add_move(tree, 1, "Bd3,a2")[0])
    '1. Wd4,d1 Bd3,a1 (1... Bd3,a2) 2. x d3Wd5'
    """
    parts: list[str] = []
    is_joined = True
    for piece in list_pieces(tree):
        text = {"open": "(", "close": ")", "comment": f"{{{piece.text}}}", "aside": f"({piece.text})"}.get(
            piece.kind, piece.text
        )
        if not is_joined and piece.kind != "close":
            parts.append(" ")
        parts.append(text)
        is_joined = piece.kind == "open"
    return "".join(parts)


def _pieces(tree: MoveTree) -> Iterator[Piece]:
    """Yield the pieces after the start. An explicit stack replaces recursion, as variations can be deep."""
    depths = list_depths(tree)
    waiting: list[tuple[str, int, int]] = [("after", 0, 0)]
    needs_number = True
    while waiting:
        action, node, depth = waiting.pop()
        if action == "after":
            children = list_children(tree, node)
            if not children:
                continue
            waiting.append(("after", children[0], depth))
            for child in reversed(children[1:]):
                waiting += [
                    ("close", child, depth),
                    ("after", child, depth + 1),
                    ("move", child, depth + 1),
                    ("open", child, depth),
                ]
            waiting.append(("move", children[0], depth))
        elif action == "move":
            turn, second = divmod(tree.start.side - 1 + depths[node] - 1, 2)
            if not second or needs_number:
                yield Piece("number", f"{turn + 1}{'...' if second else '.'}", node, depth)
            one = tree.nodes[node]
            yield Piece("move", " ".join([one.move + "".join(one.marks[:1]), *one.marks[1:]]), node, depth)
            notes = list(_notes(tree, node, depth))
            yield from notes
            needs_number = bool(notes)
        else:
            yield Piece(action, "", node, depth)
            needs_number = True


def _notes(tree: MoveTree, node: int, depth: int) -> Iterator[Piece]:
    """Yield the comment and the asides of a node."""
    if tree.nodes[node].comment:
        yield Piece("comment", tree.nodes[node].comment, node, depth)
    for aside in tree.nodes[node].asides:
        yield Piece("aside", aside, node, depth)
