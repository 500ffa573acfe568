"""Write a move tree as a record in official notation, and read it back.

The main moves are the plies; the other moves are variations, each after the ply in whose place it is played. Comments and marks follow
their moves. A variation in words, or with an illegal move, is an aside: it stays in its place as text.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from zertz_db.check.check_many import check_text
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.findings import Finding
from zertz_db.parser.gipf import reader as gipf
from zertz_db.parser.gipf import writer as gipf_writer
from zertz_db.parser.record import PASS, Ply, Record, Span
from zertz_db.parser.vocabulary.terms import RESULT_OF, Ending, GameResult, Severity
from zertz_db.rules.errors import PositionError
from zertz_db.rules.position import Position
from zertz_db.variations.move_tree import (
    MoveTree,
    Node,
    TreeBuilder,
    TreeError,
    find_position,
    follow_line,
    list_children,
    list_depths,
)

FACTS = ("player1", "player2", "event", "site", "date", "round")
"""Facts about a game that a record with a tree keeps, as fields of a `Record`."""
NAGS = {"$1": "!", "$2": "?", "$3": "!!", "$4": "??", "$5": "!?", "$6": "?!"}
"""Marks that other programs write as numbers."""
MAX_READ = 500_000
"""Maximum characters of variations that are read of a record; those within others count again. The rest are asides."""


class TreeOfRecord(NamedTuple):
    """A record's tree. facts: those that the record states, by the names in FACTS.

    problem: why the rest of its game is missing, or None.
    """

    tree: MoveTree
    facts: dict[str, str]
    problem: str | None


def write_tree(tree: MoveTree, facts: Mapping[str, str] | None = None) -> str:
    """Return a record in official notation. facts: by the names in FACTS. `read_tree` gives the tree back.

    Raises TreeError for a comment, mark or aside that the notation can't hold.
    """
    try:
        return gipf_writer.write(_build_record(tree, facts or {}))
    except ValueError as error:
        raise TreeError(str(error)) from error


def read_tree(text: str, dialect: str | None = None) -> TreeOfRecord:
    """Return the tree of the first game in a text. Raises TreeError if there is no game, or none that begins on a known board.

    dialect: as for `check_text`; by default it is detected.
    """
    checked = next(iter(check_text(text, dialect)), None)
    if checked is None:
        raise TreeError("the text has no game")
    return read_checked(checked)


def read_text(text: str) -> TreeOfRecord:
    """Return the tree of a position string, or of the first game in a text in any dialect. Raises TreeError."""
    one_line = " ".join(text.split())
    try:
        return TreeOfRecord(MoveTree(Position.parse(one_line)), {}, None)
    except PositionError as error:
        if 7 <= len(one_line.split()) <= 8 and "/" in one_line.split()[2]:
            raise TreeError(f"this position can't be read: {error}") from error
    checked = next(iter(check_text(text)), None)
    if checked is None:
        raise TreeError("the text is neither a game nor a whole position string")
    return read_checked(checked)


def read_checked(checked: CheckedRecord) -> TreeOfRecord:
    """Return the tree of a checked record: its legal plies, with all variations that can be played. Raises TreeError without a start."""
    errors = [found for found in checked.findings if found.severity == Severity.ERROR]
    problem = _describe(errors[0]) if errors else None
    if checked.attempt is None:
        raise TreeError(problem or "the record has no start position")
    plies = [*checked.completed_plies]
    while len(plies) > len(checked.record.plies) and plies[-1].kind == PASS:  # passes that the record does not write
        del plies[-1]
    builder = TreeBuilder(checked.attempt.start)
    builder.note(0, checked.record.comment or "")
    _read_lines(builder, plies)
    facts = {name: value for name in FACTS if (value := getattr(checked.record, name))}
    return TreeOfRecord(builder.build(), facts, problem)


def _describe(finding: Finding) -> str:
    return f"line {finding.span.line}: {finding.message}" if finding.span else finding.message


def _read_lines(builder: TreeBuilder, plies: Sequence[Ply]) -> None:
    """Add plies from the start, then their variations, then the variations within those."""
    waiting = deque(_add_line(builder, 0, plies))
    read = 0
    while waiting:
        node, text = waiting.popleft()
        read += len(text)
        record = _read_variation(text) if read <= MAX_READ else None
        parent = builder.parent_of(node)
        if record is None or not builder.has_room(len(record.plies)) or not _is_legal(builder, parent, record.plies):
            builder.note(node, "", asides=[text])
            continue
        waiting += _add_line(builder, parent, record.plies, record.comment or "")


def _read_variation(text: str) -> Record | None:
    """Return the record of a variation's text, or None if it is not moves alone."""
    records = list(gipf.read(text))
    if len(records) != 1:
        return None
    [record] = records
    is_moves = record.fault is None and record.plies and not record.tags and record.half_turn is None
    return record if is_moves else None


def _is_legal(builder: TreeBuilder, node: int, plies: Sequence[Ply]) -> bool:
    """Return whether plies can be written and played after a node."""
    try:
        position = builder.position_of(node)
        for ply in plies:
            position = position.play(gipf_writer.ply_text(ply), lenient=True)
    except ValueError:
        return False
    return True


def _add_line(builder: TreeBuilder, node: int, plies: Sequence[Ply], before: str = "") -> list[tuple[int, str]]:
    """Add plies after a node; return the variations, each with the node in whose place it is played. before: a comment."""
    variations = []
    for ply in plies:
        node = builder.add(node, gipf_writer.ply_text(ply))
        comment = "\n".join(filter(None, (before, ply.comment)))
        builder.note(node, comment, [NAGS.get(mark, mark) for mark in ply.marks])
        variations += [(node, text) for text in ply.variations]
        before = ""
    return variations


def _build_record(tree: MoveTree, facts: Mapping[str, str]) -> Record:
    """Return the completed record of a tree."""
    texts = _write_variations(tree)
    line = follow_line(tree, 0)
    final = find_position(tree, line[-1] if line else 0)
    ending, result = _find_end(final)
    stated: dict[str, Any] = {name: facts[name].strip() or None for name in FACTS if name in facts}
    return Record(
        dialect="gipf",
        span=Span(0, 0, 1, 1),
        board=tree.start.board.name,
        **tree.start.rules.stated(),
        position=None if _is_usual(tree.start) else tree.start.text,
        plies=_build_plies(tree, line, texts),
        result=result,
        ending=ending,
        comment=tree.nodes[0].comment or None,
        **stated,
    )


def _write_variations(tree: MoveTree) -> dict[int, str]:
    """Return the text of each variation, by its first node. Those within others come first: their nodes have higher numbers."""
    depths = list_depths(tree)
    texts: dict[int, str] = {}
    for number in range(len(tree.nodes) - 1, 0, -1):
        if number != tree.nodes[number].parent + 1:
            line = [one for one in follow_line(tree, number) if one >= number]
            before = tree.start.side - 1 + depths[number] - 1
            texts[number] = gipf_writer.write_variation(_build_plies(tree, line, texts), before)
    return texts


def _build_plies(tree: MoveTree, line: Sequence[int], texts: Mapping[int, str]) -> tuple[Ply, ...]:
    """Return the plies of a line, each main move with the variations in its place."""
    moves = [tree.nodes[node].move for node in line]
    record = next(gipf.read(" ".join(moves) + " *"))
    return tuple(_annotate(tree, node, ply, texts) for node, ply in zip(line, record.plies, strict=True))


def _annotate(tree: MoveTree, number: int, ply: Ply, texts: Mapping[int, str]) -> Ply:
    node: Node = tree.nodes[number]
    is_main = number == node.parent + 1
    others = list_children(tree, node.parent)[1:] if is_main else []
    return ply._replace(
        comment=node.comment or None,
        marks=node.marks,
        variations=(*(texts[other] for other in others), *node.asides),
    )


def _find_end(final: Position) -> tuple[Ending | None, GameResult]:
    """Return how the main moves end the game, and its result."""
    if not final.is_over:
        return None, GameResult.UNKNOWN
    tie = GameResult.BOTH_LOSE if final.ending == Ending.BOTH_LOSE else final.rules.tie
    return final.ending, RESULT_OF.get(final.winner or 0, tie)


def _is_usual(start: Position) -> bool:
    """Return whether a game begins with an empty standard board."""
    return not start.board.is_custom and start == Position.start(start.board, start.rules)
