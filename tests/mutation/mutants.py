"""Mutants: small changes of the source that a good test suite notices."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

ROOMS = ("parser", "zertz_db", "dashboards")

_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.FloorDiv: "*", ast.Div: "*", ast.Mod: "//",
    ast.BitAnd: "|", ast.BitOr: "&", ast.LShift: ">>", ast.RShift: "<<",
}  # fmt: skip


class Mutant(NamedTuple):
    """One change: `text` replaces the bytes `start` to `end` of the UTF-8 source at `path`."""

    path: Path
    line: int
    start: int
    end: int
    text: str
    what: str

    def apply(self, source: bytes) -> bytes:
        """Return the changed source."""
        return source[: self.start] + self.text.encode() + source[self.end :]


def choose_mutants(root: Path, number: int, seed: int, rooms: tuple[str, ...] = ROOMS) -> list[Mutant]:
    """Return `number` random mutants of the modules below `root`, each line with an equal chance.

    rooms: folders below `root` to choose from. The choice depends on the seed and the sources alone.
    """
    by_line: dict[tuple[Path, int], list[Mutant]] = {}
    for room in rooms:
        for path in sorted((root / room).rglob("*.py")):
            for mutant in mutants_of(path.read_bytes(), path.relative_to(root)):
                by_line.setdefault((mutant.path, mutant.line), []).append(mutant)
    chance = random.Random(seed)  # noqa: S311 - a repeatable choice, no secret
    lines = sorted(by_line)
    chance.shuffle(lines)
    mutants = (chance.choice(by_line[line]) for line in lines)
    return list(
        islice(filter(lambda mutant: _compiles(mutant.apply((root / mutant.path).read_bytes())), mutants), number)
    )


def mutants_of(source: bytes, path: Path) -> Iterator[Mutant]:
    """Yield all mutants of one module; a few of them may not compile."""
    offsets = _line_offsets(source)
    tree = ast.parse(source)
    skipped = _skipped(tree)
    for node in ast.walk(tree):
        if node in skipped:
            continue
        for start, end, text, what in _changes(node, source, offsets):
            yield Mutant(path, source.count(b"\n", 0, start) + 1, start, end, text, what)


def _changes(node: ast.AST, source: bytes, offsets: list[int]) -> Iterator[tuple[int, int, str, str]]:
    """Yield (start, end, new text, description) for each change of one node."""

    def span(first: ast.AST, last: ast.AST | None = None) -> tuple[int, int]:
        last = last or first
        return offsets[first.lineno - 1] + first.col_offset, offsets[last.end_lineno - 1] + last.end_col_offset  # type: ignore[attr-defined]

    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISONS:
            yield *_between(span(left)[1], span(right)[0], source, _COMPARISONS[type(op)]), "comparison"
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            yield *_between(span(left)[1], span(right)[0], source, _ARITHMETIC[type(op)]), "arithmetic"
        case ast.BoolOp(op=op, values=[first, second, *_]):
            word = "or" if isinstance(op, ast.And) else "and"
            yield *_between(span(first)[1], span(second)[0], source, word), "logic"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield span(node)[0], span(operand)[0], "", "negation dropped"
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            start, end = span(test)
            yield start, end, f"not ({source[start:end].decode()})", "condition negated"
        case ast.Constant(value=bool(value)):
            yield *span(node), str(not value), "constant"
        case ast.Constant(value=int(value)):
            yield *span(node), str(value + 1), "constant"
        case ast.Break():
            yield *span(node), "continue", "loop"
        case ast.Continue():
            yield *span(node), "break", "loop"
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield *span(node), "pass", "statement dropped"
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield *span(node), "return None", "nothing returned"


def _between(start: int, end: int, source: bytes, word: str) -> tuple[int, int, str]:
    """Return the span of the operator between two operands, and the new one; brackets and line breaks stay."""
    gap = source[start:end].decode()
    inner = gap.strip(" \t\r\n()\\")
    at = start + len(gap[: gap.index(inner)].encode()) if inner else start
    return at, at + len(inner.encode()), word


def _skipped(tree: ast.Module) -> set[ast.AST]:
    """Return nodes whose change no test could or should notice: types, docstrings, imports for types, `__all__`."""
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        parts: list[ast.AST | None] = []
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                parts = [
                    node.returns,
                    *(argument.annotation for argument in ast.walk(node.args) if isinstance(argument, ast.arg)),
                ]
            case ast.AnnAssign():
                parts = [node.annotation]
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                parts = [node]
            case ast.Assert() | ast.JoinedStr():  # Python 3.11 does not know where the parts of an f-string are
                parts = [node]
        for part in parts:
            skipped.update(ast.walk(part) if part else ())
    return skipped


def _line_offsets(source: bytes) -> list[int]:
    offsets = [0]
    for line in source.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    return offsets


def _compiles(source: bytes) -> bool:
    try:
        compile(source, "mutant", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True
