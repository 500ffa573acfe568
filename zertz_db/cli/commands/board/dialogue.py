"""Play a game against the engine in a terminal: read lines, and print the board after each move."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

import typer

from zertz_db.cli.game_text import draw_position
from zertz_db.cli.safe_output import decode_argument
from zertz_db.engine.choose import choose_move
from zertz_db.engine.matches.played_game import Course, Finish, write_record
from zertz_db.engine.strengths import HARD
from zertz_db.engine.typed_move import read_typed_move
from zertz_db.parser.gipf import writer
from zertz_db.parser.vocabulary.terms import Ending
from zertz_db.plurals import format_count
from zertz_db.queries.legal_moves import sentences
from zertz_db.rules.errors import IllegalMove
from zertz_db.rules.move import PASS
from zertz_db.rules.moves import list_moves
from zertz_db.rules.position import Position

_MOST_LISTED = 30
_HELP = """A move is written like Wd4,d1 (a white marble on d4, ring d1 removed) or x d3Wd5 (the marble on d3
jumps over a white one to d5). Upper and lower case, spaces and commas don't matter.
  moves     list the legal moves, or count them
  hint      ask the engine for a move
  undo      take back your last move and the answer
  board     print the board again
  save FILE write the game so far to a new file
  resign    give up
  quit      leave the game unfinished"""


class DialogueOptions(NamedTuple):
    """A game: the first position, the person's side (1 or 2), and how the engine plays."""

    start: Position
    side: int
    strength: str
    seed: str
    seconds: float
    names: tuple[str, str]
    date: str


class Dialogue:
    """A game between a person, who types lines, and the engine."""

    def __init__(self, options: DialogueOptions, lines: IO[str]) -> None:
        self._options, self._lines = options, lines
        self.course = Course(options.start)
        self.finish: Finish | None = None

    def run(self) -> None:
        """Play until the game is over, or the person leaves or has no more lines."""
        you, opponent = self._options.names if self._options.side == 1 else self._options.names[::-1]
        typer.echo(f"{you} is player {self._options.side}; {opponent} is player {3 - self._options.side}.")
        typer.echo("Type a move such as Wd4,d1, or help.\n")
        self._draw()
        while self.finish is None:
            self.finish = self.course.finish()
            if self.finish:
                break
            if self.course.position.side != self._options.side:
                self._answer()
            elif self._is_passing():
                self._play(PASS, "You pass")
            elif not self._ask():
                typer.echo("The game is left unfinished.")
                return
        typer.echo(f"\n{describe_finish(self.finish, self.course, self._options.names)}")

    def record_text(self) -> str:
        """Return the game so far in official notation."""
        options = self._options
        record = write_record(self.course, options.names, self.finish, event="zertz play", date=options.date)
        return writer.write(record)

    def _draw(self) -> None:
        for line in draw_position(self.course.position):
            typer.echo(line)

    def _is_passing(self) -> bool:
        return next(self.course.position.each_move()) == PASS

    def _answer(self) -> None:
        options = self._options
        seed = f"{options.seed}/{len(self.course.moves)}"
        choice = choose_move(self.course.position, options.strength, seed, options.seconds)
        self._play(choice.move, f"\nPlayer {3 - options.side} plays")

    def _play(self, move: object, words: str) -> None:
        self.course.play(move)  # type: ignore[arg-type]
        typer.echo(f"{words} {self.course.notations[-1]}")
        self._draw()

    def _ask(self) -> bool:
        """Read a line and follow it; return False if the person leaves."""
        typer.echo("\nyour move: ", nl=False)
        line = self._lines.readline()
        if not line:
            typer.echo()
            return False
        words = decode_argument(line).split()
        if not words:
            return True
        if words[0].casefold() in ("quit", "exit"):
            return False
        self._follow(words)
        return True

    def _follow(self, words: list[str]) -> None:
        word = words[0].casefold()
        if word == "help":
            typer.echo(_HELP)
        elif word == "moves":
            for line in self._list_moves():
                typer.echo(line)
        elif word == "hint":
            self._hint()
        elif word == "board":
            self._draw()
        elif word == "undo":
            self._undo()
        elif word == "save":
            self._save(" ".join(words[1:]))
        elif word == Ending.RESIGN:
            self.finish = Finish(Ending.RESIGN, 3 - self._options.side, self._options.side)
        else:
            self._try(" ".join(words))

    def _try(self, text: str) -> None:
        try:
            move = read_typed_move(self.course.position, text)
        except IllegalMove as error:
            typer.echo(f"{error}")
            return
        self._play(move, "You play")

    def _list_moves(self) -> Iterator[str]:
        found = list_moves(self.course.position)
        yield from sentences(found)
        if len(found.choices) <= _MOST_LISTED:
            yield "  ".join(choice.notation for choice in found.choices)

    def _hint(self) -> None:
        choice = choose_move(self.course.position, HARD, self._options.seed, self._options.seconds)
        plies = f": a forced win in {format_count(choice.forced, 'ply', 'plies')}" if choice.forced else ""
        typer.echo(f"{choice.notation}{plies}")

    def _undo(self) -> None:
        mine = [number for number, before in enumerate(self.course.positions[:-1]) if before.side == self._options.side]
        if not mine:
            typer.echo("there is no move of yours to take back")
            return
        while len(self.course.moves) > mine[-1]:
            self.course.undo()
        self._draw()

    def _save(self, name: str) -> None:
        if not name:
            typer.echo("name a file: save game.txt")
            return
        try:
            with Path(name).open("x", encoding="utf-8", newline="\n") as target:
                target.write(self.record_text())
        except FileExistsError:
            typer.echo(f"{name} exists; name a new file")
        except OSError as error:
            typer.echo(f"{name} can't be written: {error.strerror or error}")
        else:
            typer.echo(f"saved as {name}")


def describe_finish(finish: Finish, course: Course, names: tuple[str, str]) -> str:
    """Return in a sentence how a game ended."""
    if finish.loser:
        return f"{names[finish.loser - 1]} resigns; {names[2 - finish.loser]} wins."
    if finish.winner:
        sets = " and ".join(course.position.winning_sets)
        how = f"with {sets}" if sets else "by filling the board"
        return f"{names[finish.winner - 1]} wins {how}."
    reasons = {
        Ending.REPETITION: "the same four turns were made again",
        Ending.NO_MOVE: "both players have passed",
        Ending.BOTH_LOSE: "every marble is on the board",
    }
    result = "Both players lose" if finish.ending == Ending.BOTH_LOSE or not course.start.rules.ties else "It is a tie"
    return f"{result}: {reasons.get(finish.ending, finish.ending)}."
