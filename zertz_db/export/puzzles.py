"""Write puzzles with their solutions: official notation, JSON lines, CSV."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TextIO

from zertz_db.check.check_record import check
from zertz_db.parser.gipf import reader as gipf
from zertz_db.parser.gipf import writer as gipf_writer
from zertz_db.parser.vocabulary.terms import GameResult
from zertz_db.queries.csv_text import write_csv
from zertz_db.queries.puzzles.one_puzzle import Puzzle


def write_notation(file: TextIO, puzzles: Iterable[Puzzle]) -> int:
    """Write each puzzle as a record: its position is the start, its solution the moves, to the winning set. Return their number."""
    count = 0
    for puzzle in puzzles:
        file.write(("\n" if count else "") + format_notation(puzzle))
        count += 1
    return count


def format_notation(puzzle: Puzzle) -> str:
    """Return a puzzle as a record in official notation."""
    names = (puzzle.player, puzzle.opponent)
    first, second = names if puzzle.position.side == 1 else names[::-1]
    record = next(gipf.read(" ".join(puzzle.line) + " *"))
    record = replace(
        record,
        board=puzzle.position.board.name,
        **puzzle.position.rules.stated(),
        position=puzzle.position.text,
        player1=first,
        player2=second,
        date=puzzle.date,
        event=f"puzzle {puzzle.id}, grade {puzzle.grade}, difficulty {puzzle.difficulty}",
        comment=f"{puzzle.goal} From game {puzzle.game}, ply {puzzle.ply}. Themes: {', '.join(puzzle.themes)}.",
        result=GameResult.UNKNOWN,
    )
    return gipf_writer.write(check(record).completed())


def write_json_lines(file: TextIO, puzzles: Iterable[Puzzle]) -> int:
    """Write each puzzle with its solution as an object on a line. Return their number."""
    count = 0
    for puzzle in puzzles:
        file.write(json.dumps(puzzle.as_json(with_solution=True), ensure_ascii=False) + "\n")
        count += 1
    return count


def write_table(file: TextIO, puzzles: Iterable[Puzzle]) -> int:
    """Write the puzzles as CSV, with spaces between the moves of a solution and between themes. Return their number."""
    objects = [puzzle.as_json(with_solution=True) for puzzle in puzzles]
    rows = [[" ".join(value) if isinstance(value, list) else value for value in one.values()] for one in objects]
    write_csv(file, [*objects[0]] if objects else [], rows)
    return len(rows)


WRITERS: dict[str, Callable[[TextIO, Iterable[Puzzle]], int]] = {
    ".txt": write_notation,
    ".jsonl": write_json_lines,
    ".csv": write_table,
}
"""By the end of a file's name, the function that writes it."""
