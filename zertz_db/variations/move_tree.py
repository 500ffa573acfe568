"""Represent moves from a position with variations as an immutable value; change it by functions that return another one.

A tree is a tuple of nodes in the order in which they are printed: each node is followed by its first child and all that comes from it,
then by its next child. A node is named by its number in this order; node 0 is the start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from zertz_db.errors import UserMistake
from zertz_db.rules.errors import IllegalMove
from zertz_db.rules.position import Position

MAX_NODES = 2_000
"""Maximum number of nodes of a tree, the start included."""
MAX_COMMENT = 2_000
"""Maximum number of characters of a comment."""
MARKS = ("!", "?", "!!", "??", "!?", "?!")
"""Marks that judge a move."""
NO_PARENT = -1


class TreeError(UserMistake):
    """A move tree can't be made: a move is illegal, a node is missing, or a limit is exceeded."""


class Node(NamedTuple):
    """A move, in official notation with its claims; of node 0 it is empty.

    parent: the number of the node before the move. marks: as written, `!` or `$5`. asides: texts in parentheses after the move that are
    no legal moves, such as variations in words.
    """

    parent: int
    move: str = ""
    comment: str = ""
    marks: tuple[str, ...] = ()
    asides: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MoveTree:
    """Moves from a position. nodes: in printed order; every move is legal."""

    start: Position
    nodes: tuple[Node, ...] = (Node(NO_PARENT),)

    def __len__(self) -> int:
        return len(self.nodes)


def list_children(tree: MoveTree, node: int) -> list[int]:
    """Return the nodes after a node, the main one first."""
    last = find_end(tree, node)
    children = []
    child = node + 1
    while child < last:
        children.append(child)
        child = find_end(tree, child)
    return children


def find_end(tree: MoveTree, node: int) -> int:
    """Return the number after the last node that comes from a node."""
    end = node + 1
    while end < len(tree.nodes) and tree.nodes[end].parent >= node:
        end += 1
    return end


def trace_path(tree: MoveTree, node: int) -> list[int]:
    """Return the nodes on the way to a node, without the start, the node included."""
    path = []
    while node:
        path.append(node)
        node = tree.nodes[node].parent
    return path[::-1]


def follow_line(tree: MoveTree, node: int) -> list[int]:
    """Return the nodes on the way to a node, then the main moves after it."""
    line = trace_path(tree, node)
    while node + 1 < len(tree.nodes) and tree.nodes[node + 1].parent == node:
        node += 1
        line.append(node)
    return line


def list_depths(tree: MoveTree) -> list[int]:
    """Return the number of moves on the way to each node, the node included."""
    depths = [0] * len(tree.nodes)
    for number, node in enumerate(tree.nodes[1:], 1):
        depths[number] = depths[node.parent] + 1
    return depths


def list_positions(tree: MoveTree, line: Sequence[int]) -> list[Position]:
    """Return the start, and the position after each node of a line from the start."""
    positions = [tree.start]
    for node in line:
        positions.append(positions[-1].play(tree.nodes[node].move, lenient=True))
    return positions


def find_position(tree: MoveTree, node: int) -> Position:
    """Return the position after a node."""
    return list_positions(tree, trace_path(tree, node))[-1]


def add_move(tree: MoveTree, node: int, move: str) -> tuple[MoveTree, int]:
    """Play a move after a node; return the tree and the node of the move, which is an old one if the tree has that move there.

    Raises TreeError for an illegal move, an unknown node and a full tree.
    """
    require_node(tree, node)
    text = _play(find_position(tree, node), move)[0]
    for child in list_children(tree, node):
        if tree.nodes[child].move == text:
            return tree, child
    if len(tree.nodes) >= MAX_NODES:
        raise TreeError(f"a move tree has at most {MAX_NODES - 1:,} moves")
    place = find_end(tree, node)
    later = (one._replace(parent=one.parent + (one.parent >= place)) for one in tree.nodes[place:])
    return replace(tree, nodes=(*tree.nodes[:place], Node(node, text), *later)), place


def add_moves(tree: MoveTree, node: int, moves: Sequence[str]) -> tuple[MoveTree, int]:
    """Play several moves after a node; return the tree and the last node. Raises TreeError."""
    for move in moves:
        tree, node = add_move(tree, node, move)
    return tree, node


def remove_move(tree: MoveTree, node: int) -> tuple[MoveTree, int]:
    """Remove a move and all that comes from it; return the tree and the node before it. Raises TreeError; the start stays."""
    require_move(tree, node)
    end = find_end(tree, node)
    return _reorder(tree, [*range(node), *range(end, len(tree.nodes))]), tree.nodes[node].parent


def promote_move(tree: MoveTree, node: int) -> tuple[MoveTree, int]:
    """Make a move the main one at its place; return the tree and the node's new number. Raises TreeError."""
    require_move(tree, node)
    parent, end = tree.nodes[node].parent, find_end(tree, node)
    order = [*range(parent + 1), *range(node, end), *range(parent + 1, node), *range(end, len(tree.nodes))]
    return _reorder(tree, order), parent + 1


def promote_line(tree: MoveTree, node: int) -> tuple[MoveTree, int]:
    """Make all moves on the way to a node the main ones; return the tree and the node's new number. Raises TreeError."""
    for step in range(len(trace_path(tree, node))):
        ancestor = trace_path(tree, node)[step]
        tree, now = promote_move(tree, ancestor)
        node += now - ancestor
    return tree, node


def annotate_move(
    tree: MoveTree, node: int, *, comment: str | None = None, marks: Sequence[str] | None = None
) -> MoveTree:
    """Replace the comment or the marks of a node; None leaves them. Raises TreeError for a long comment, and for marks on the start."""
    require_node(tree, node)
    old = tree.nodes[node]
    if comment is not None:
        if len(comment) > MAX_COMMENT:
            raise TreeError(f"a comment has at most {MAX_COMMENT:,} characters")
        old = old._replace(comment=comment.strip())
    if marks is not None:
        if marks and not node:
            raise TreeError("a mark needs a move; the start has none")
        old = old._replace(marks=tuple(marks))
    return replace(tree, nodes=(*tree.nodes[:node], old, *tree.nodes[node + 1 :]))


def is_on_main_line(tree: MoveTree, node: int) -> bool:
    """Return whether all moves on the way to a node are the main ones."""
    return all(step == tree.nodes[step].parent + 1 for step in trace_path(tree, node))


def require_node(tree: MoveTree, node: int) -> None:
    """Raise TreeError if the tree has no such node."""
    if not 0 <= node < len(tree.nodes):
        raise TreeError(f"this tree has no node {node}; its last one is {len(tree.nodes) - 1}")


def require_move(tree: MoveTree, node: int) -> None:
    """Raise TreeError if the node is missing or the start."""
    require_node(tree, node)
    if not node:
        raise TreeError("the start of a tree is no move")


class TreeBuilder:
    """Collect the nodes of a tree in any order; siblings keep the order in which they come. Nodes have the numbers of their adding."""

    def __init__(self, start: Position) -> None:
        """Begin with the start, which is node 0."""
        self._start = start
        self._nodes = [Node(NO_PARENT)]
        self._positions = [start]
        self._children: list[dict[str, int]] = [{}]

    def add(self, parent: int, move: str) -> int:
        """Play a move after a node; return its node, which is an old one if that move is there. Raises TreeError, also for a full tree."""
        text, after = _play(self._positions[parent], move)
        known = self._children[parent].get(text)
        if known is not None:
            return known
        if len(self._nodes) >= MAX_NODES:
            raise TreeError(f"a move tree has at most {MAX_NODES - 1:,} moves")
        number = len(self._nodes)
        self._children[parent][text] = number
        self._nodes.append(Node(parent, text))
        self._positions.append(after)
        self._children.append({})
        return number

    def note(self, node: int, comment: str, marks: Sequence[str] = (), asides: Sequence[str] = ()) -> None:
        """Add a comment, marks and asides to a node."""
        old = self._nodes[node]
        comments = "\n".join(filter(None, (old.comment, comment)))
        self._nodes[node] = old._replace(comment=comments, marks=(*old.marks, *marks), asides=(*old.asides, *asides))

    def has_room(self, count: int) -> bool:
        """Return whether this number of moves can be added."""
        return len(self._nodes) + count <= MAX_NODES

    def parent_of(self, node: int) -> int:
        """Return the node before a node."""
        return self._nodes[node].parent

    def position_of(self, node: int) -> Position:
        """Return the position after a node."""
        return self._positions[node]

    def build(self) -> MoveTree:
        """Return the tree."""
        order, waiting = [], [0]
        while waiting:
            node = waiting.pop()
            order.append(node)
            waiting += reversed(self._children[node].values())
        return _reorder(MoveTree(self._start, tuple(self._nodes)), order)


def _play(position: Position, move: str) -> tuple[str, Position]:
    """Return a move in canonical notation, and the position after it. Raises TreeError."""
    try:
        legal = position.move(move, lenient=True)
        after = position.play(legal, lenient=True)
    except IllegalMove as error:
        raise TreeError(str(error)) from error
    return position.written(legal, after), after


def _reorder(tree: MoveTree, order: Sequence[int]) -> MoveTree:
    """Return the tree with these nodes in this order."""
    places = {old: new for new, old in enumerate(order)} | {NO_PARENT: NO_PARENT}
    return replace(tree, nodes=tuple(_moved(tree, order, places)))


def _moved(tree: MoveTree, order: Sequence[int], places: dict[int, int]) -> Iterator[Node]:
    for old in order:
        yield tree.nodes[old]._replace(parent=places[tree.nodes[old].parent])
