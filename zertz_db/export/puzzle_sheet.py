"""Write a sheet of puzzles to print: boards with their tasks, and the solutions on the last page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from zertz_db.plurals import format_count
from zertz_db.queries.puzzles.one_puzzle import Puzzle
from zertz_db.rules.position import Position
from zertz_db.rules.svg.board_svg import svg

_STYLE = """
@page { margin: 14mm; }
body { font: 11pt/1.35 system-ui, sans-serif; color: #222; background: #fff; margin: 0 auto; max-width: 190mm; }
h1 { font-size: 16pt; margin: 0 0 2mm; }
p { margin: 0 0 3mm; }
.puzzles { display: grid; grid-template-columns: repeat(2, 1fr); gap: 7mm; }
.puzzle { break-inside: avoid; }
.puzzle svg { width: 100%; height: auto; max-height: 98mm; display: block; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.puzzle p { margin: 1.5mm 0 0; }
.solutions { break-before: page; font-size: 10pt; }
.solutions li { margin: 0 0 2mm; break-inside: avoid; }
.source { color: #666; }
@media screen { body { padding: 8mm; } .solutions { margin-top: 60vh; } }
@media (max-width: 600px) { .puzzles { grid-template-columns: 1fr; } }
"""


def write_sheet(puzzles: Sequence[Puzzle], title: str) -> str:
    """Return an HTML page that needs no other file. title: plain text.

    The names of players are on the page of solutions only.
    """
    tasks = "".join(_tasks(puzzles))
    answers = "".join(_answers(puzzles))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n<p>{format_count(len(puzzles), 'puzzle')}. In each, the player to move wins by force: against every "
        "defence, within the given number of plies. A chain of jumps is one ply, and both players' plies count. "
        "The solutions are on the last page.</p>\n"
        f'<div class="puzzles">\n{tasks}</div>\n<div class="solutions">\n<h1>Solutions</h1>\n<ol>\n{answers}</ol>\n</div>\n'
        "</body>\n</html>\n"
    )


def _tasks(puzzles: Sequence[Puzzle]) -> Iterator[str]:
    for number, puzzle in enumerate(puzzles, 1):
        yield (
            f'<div class="puzzle">{svg(puzzle.position, racks=True)}<p><b>{number}.</b> Player {puzzle.position.side} to move, '
            f"wins within {puzzle.length} plies. Grade {puzzle.grade}, difficulty {puzzle.difficulty}.</p></div>\n"
        )


def _answers(puzzles: Sequence[Puzzle]) -> Iterator[str]:
    for puzzle in puzzles:
        names = [escape(name or "?") for name in (puzzle.player, puzzle.opponent)]
        where = f"{names[0]} to move against {names[1]}{f', {puzzle.date}' if puzzle.date else ''}, game {puzzle.game}, ply {puzzle.ply}"
        outcome = "which let the win go" if puzzle.missed else "which found it"
        yield (
            f'<li>{"; ".join(puzzle.line)}: {_describe_sets(puzzle)}. <span class="source">{where}; '
            f"played was {puzzle.played}, {outcome}.</span></li>\n"
        )


def _describe_sets(puzzle: Puzzle) -> str:
    final: Position = puzzle.position
    for move in puzzle.line:
        final = final.play(move)
    return " and ".join(final.winning_sets) or "the board is full"
