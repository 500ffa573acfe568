"""Read and write ZIP positions, `oooo/ooooo/oooooo/ooooooo/1oooooo/2ooooo/3oooo 6/8/10 0/0/0 0/0/0 1`: the board and its ring names.

The columns run from the left, each from the bottom: `o` is a vacant ring, `W G B` a marble, a number that many places without a ring. A
column's place is counted along the diagonal that falls to the right, so column x's place i is 2i - x half steps high. Games name a ring by
its column (the leftmost with a ring is a) and its place in the column, from the lowest ring of the start position. Source: formats, section
5.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from zertz_db.parser.text.ring_names import MIRRORED, Place, official_names, places
from zertz_db.parser.vocabulary.board_names import COLUMNS

_FORM = re.compile(
    r"(?P<layout>[oWGB0-9/]{1,400}) (?P<pool>[0-9]{1,2}/[0-9]{1,2}/[0-9]{1,2})"
    r" (?P<first>[0-9]{1,2}/[0-9]{1,2}/[0-9]{1,2}) (?P<second>[0-9]{1,2}/[0-9]{1,2}/[0-9]{1,2}) (?P<side>[12])"
)
_CHARACTERS = re.compile(r"[0-9]+|[oWGB]")
_MAX_COLUMN = 12
_FRESH = "6/8/10 0/0/0 0/0/0 1"
"""Fresh start: all marbles are in the pool, and player 1 moves first."""

_BOARDS = (("37", ""), ("40", ""), ("43", ""), ("44", ""), ("48", MIRRORED), ("48", ""), ("61", ""))
"""Boards that a layout may show, the smallest first. Its 48 is usually the mirror image of ours."""


class ZipPosition(NamedTuple):
    """A start position in our terms: `board` and `position` as in a Record, and each ring's official name by the ZIP's own.

    `side` is the player who moves first.
    """

    board: str
    position: str | None
    names: dict[str, str]
    side: int


class NoPosition(ValueError):
    """The text is not a ZIP position; the message says why."""


@lru_cache(maxsize=256)
def read(text: str) -> ZipPosition:
    """Return the start position of a ZIP text. Raises NoPosition."""
    form = _FORM.fullmatch(" ".join(text.split()))
    if form is None:
        raise NoPosition("it is written LAYOUT POOL CAPTURES1 CAPTURES2 SIDE, as oooo/ooooo/… 6/8/10 0/0/0 0/0/0 1")
    held = dict(_held(form["layout"]))
    if not held:
        raise NoPosition("its layout has no ring")
    labels = _labels(held)
    rest = f"{form['pool']} {form['first']} {form['second']} {form['side']}"
    is_fresh = set(held.values()) == {"o"} and rest == _FRESH
    board, names = _on_a_board(held, whole=is_fresh)
    if board == "custom":
        same = {label: label for label in labels.values()}
        return ZipPosition(board, f"custom standard {_custom(held, labels)} {rest}", same, int(form["side"]))
    official = {labels[place]: ring for place, ring in names.items()}
    position = None if is_fresh else f"{board} standard {_layout(board, held, names)} {rest}"
    return ZipPosition(board, position, official, int(form["side"]))


def write(board: str, position: str | None) -> tuple[str, dict[str, str]]:
    """Return a start in ZIP form, and the name of each ring in games from there, by its official name.

    `board` and `position` are those of a completed record. Board 48 is written as the mirror image of ours, as the site does.
    """
    _, _, layout, *rest = (position or f"{board} standard - {_FRESH}").split()[:7]
    usual = (
        {ring: place for place, ring in _displayed(board, MIRRORED if board == "48" else "").items()}
        if board != "custom"
        else {}
    )
    lies = usual or _custom_places(layout)
    if position is None:
        holds = dict.fromkeys(lies, "o")
    elif board == "custom":
        holds = _custom_holdings(layout)
    else:
        holds = {
            f"{COLUMNS[x]}{number}": character
            for x, column in enumerate(layout.split("/"))
            for number, character in enumerate(column, 1)
        }
    held = {lies[ring]: character for ring, character in holds.items() if character != "."}
    labels = _labels(held)
    return f"{_run_lengths(held)} {' '.join(rest)}", {ring: labels[lies[ring]] for ring in holds if lies[ring] in held}


def _custom_columns(layout: str) -> Iterator[tuple[str, int, str]]:
    """Return letter, bottom height and characters of each column of a custom board."""
    for column in layout.split("/"):
        head, _, characters = column.partition(":")
        yield head[0], int(head[1:]), characters


def _custom_places(layout: str) -> dict[str, Place]:
    return {
        f"{letter}{number}": (COLUMNS.index(letter), bottom + 2 * (number - 1))
        for letter, bottom, characters in _custom_columns(layout)
        for number in range(1, len(characters) + 1)
    }


def _custom_holdings(layout: str) -> dict[str, str]:
    return {
        f"{letter}{number}": character
        for letter, _, characters in _custom_columns(layout)
        for number, character in enumerate(characters, 1)
    }


def _run_lengths(held: dict[Place, str]) -> str:
    """Return the layout of rings, the leftmost column first."""
    left, right = min(x for x, _ in held), max(x for x, _ in held)
    lowest = min((x + y) // 2 for x, y in held)
    columns = []
    for x in range(left, right + 1):
        numbered = {(x + y) // 2 - lowest: character for (column, y), character in held.items() if column == x}
        characters = "".join(numbered.get(number, ".") for number in range(max(numbered, default=-1) + 1))
        columns.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), characters))
    return "/".join(columns)


def _held(layout: str) -> Iterator[tuple[Place, str]]:
    """Yield the content of each ring (`o` for vacant), by its place."""
    columns = layout.split("/")
    if len(columns) > len(COLUMNS):
        raise NoPosition(f"its layout has {len(columns)} columns; {len(COLUMNS)} are possible")
    for x, column in enumerate(columns):
        number = 0
        for character in _CHARACTERS.findall(column):
            if character.isdigit():
                number += int(character[-3:])
            else:
                yield (x, 2 * number - x), character
                number += 1
            if number > 40:
                raise NoPosition(f"column {COLUMNS[x]} of its layout is too long")


def _labels(held: dict[Place, str]) -> dict[Place, str]:
    """Return the name of each ring in games."""
    left = min(x for x, _ in held)
    lowest: dict[int, int] = defaultdict(lambda: 100)
    for x, y in held:
        lowest[x] = min(lowest[x], y)
    return {(x, y): f"{COLUMNS[x - left]}{(y - lowest[x]) // 2 + 1}" for x, y in held}


def _on_a_board(held: dict[Place, str], whole: bool) -> tuple[str, dict[Place, str]]:
    """Return the board with these rings, or else (unless they are a whole board) the smallest that can include them.

    Also return each ring's official name there.
    """
    boards = [(board, _displayed(board, coordinates)) for board, coordinates in _BOARDS]
    exact = [(board, shown) for board, shown in boards if len(shown) == len(held)]
    for board, shown in exact if whole else exact + boards:
        for dx, dy in _shifts(held, shown):
            if all((x + dx, y + dy) in shown for x, y in held):
                return board, {(x, y): shown[x + dx, y + dy] for x, y in held}
    return "custom", {}


@cache
def _displayed(board: str, coordinates: str) -> dict[Place, str]:
    """Return the official names of a board's rings by their places in a layout."""
    names = official_names(board, coordinates)
    return {(COLUMNS.index(name[0]), places(board)[ring][1]): ring for name, ring in names.items()}


def _shifts(held: dict[Place, str], shown: dict[Place, str]) -> Iterator[Place]:
    """Yield the shifts of the rings onto a board, by columns and half steps, the smallest first."""
    width = max(x for x, _ in shown)
    left, right = min(x for x, _ in held), max(x for x, _ in held)
    lowest = min(y for _, y in held)
    for dx in sorted(range(-left, width - right + 1), key=abs):
        for y in sorted({y for _, y in shown}):
            yield dx, y - lowest


def _layout(board: str, held: dict[Place, str], names: dict[Place, str]) -> str:
    holds = {names[place]: character for place, character in held.items()}
    columns: dict[str, str] = defaultdict(str)
    for ring in places(board):
        columns[ring[0]] += holds.get(ring, ".")
    return "/".join(columns[letter] for letter in sorted(columns))


def _custom(held: dict[Place, str], labels: dict[Place, str]) -> str:
    columns: dict[str, dict[int, tuple[int, str]]] = defaultdict(dict)
    for (x, y), character in held.items():
        label = labels[x, y]
        columns[label[0]][int(label[1:])] = (y, character)
    return "/".join(_custom_column(letter, columns[letter]) for letter in sorted(columns))


def _custom_column(letter: str, column: dict[int, tuple[int, str]]) -> str:
    if max(column) > _MAX_COLUMN:
        raise NoPosition(f"column {letter} has more than {_MAX_COLUMN} places")
    characters = "".join(column[number][1] if number in column else "." for number in range(1, max(column) + 1))
    return f"{letter}{column[1][0]}:{characters}"
