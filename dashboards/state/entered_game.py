"""Write the record of a game that is being entered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from zertz_db.check.check_record import check
from zertz_db.parser.gipf import reader as gipf
from zertz_db.parser.gipf import writer as gipf_writer
from zertz_db.parser.vocabulary.terms import RESULT_OF, Ending, GameResult, win_against
from zertz_db.queries.errors import QueryError
from zertz_db.queries.openings.line import split_moves
from zertz_db.rules.errors import IllegalMove
from zertz_db.rules.position import Position


class GameEnd(NamedTuple):
    """The end of a game that its moves don't show, as fields of a record."""

    ending: Ending | None = None
    ending_by: int | None = None
    result: GameResult = GameResult.UNKNOWN


GAME_ENDS = {
    "It is not finished": GameEnd(),
    "Player 1 resigned": GameEnd(Ending.RESIGN, 1, win_against(1)),
    "Player 2 resigned": GameEnd(Ending.RESIGN, 2, win_against(2)),
    "Player 1's time ran out": GameEnd(Ending.TIME, 1, win_against(1)),
    "Player 2's time ran out": GameEnd(Ending.TIME, 2, win_against(2)),
    "They agreed on a tie": GameEnd(Ending.AGREED, None, GameResult.TIE),
}
TAGS = ("player1", "player2", "event", "site", "date", "round")
"""Tags of a scoresheet, as fields of a record."""


@dataclass(frozen=True, slots=True)
class Scoresheet:
    """A scoresheet: the start, the moves (legal, in official notation), comments by ply from 0, tags, the end."""

    start: Position
    final: Position
    moves: Sequence[str]
    comments: Mapping[int, str]
    tags: Mapping[str, str]
    end: GameEnd

    @property
    def is_usual_start(self) -> bool:
        """Return whether the game starts with an empty standard board."""
        board = self.start.board
        return not board.is_custom and self.start == Position.start(board, self.start.rules)


def write_record(sheet: Scoresheet) -> str:
    """Return the record in official notation."""
    record = next(gipf.read(" ".join(sheet.moves) + " *"))
    plies = [ply._replace(comment=sheet.comments.get(number) or None) for number, ply in enumerate(record.plies)]
    end = sheet.end
    if sheet.final.is_over:
        tie = GameResult.BOTH_LOSE if sheet.final.ending == Ending.BOTH_LOSE else sheet.start.rules.tie
        end = GameEnd(sheet.final.ending, None, RESULT_OF.get(sheet.final.winner or 0, tie))
    tags: dict[str, Any] = {name: value.strip() or None for name, value in sheet.tags.items()}
    record = replace(
        record,
        board=sheet.start.board.name,
        **sheet.start.rules.stated(),
        position=None if sheet.is_usual_start else sheet.start.text,
        plies=tuple(plies),
        result=end.result,
        ending=end.ending,
        ending_by=end.ending_by,
        **tags,
    )
    return gipf_writer.write(check(record).completed())


def build_file_name() -> str:
    """Return the name under which a record that is saved now is stored. Names can repeat: several people may save in one second."""
    return f"entered in the dashboard, {datetime.now(UTC):%Y-%m-%d %H:%M:%S}"


def parse_legal_moves(start: Position, text: str) -> list[str]:
    """Return the moves of a text up to the first that can't be read or is illegal.

    >>> parse_legal_moves(Position.start("37"), "Wd4,d1 Bd3,a1 x d3Wd6")
    ['Wd4,d1', 'Bd3,a1']
    """
    words, legal = text.split(), []
    for end in range(len(words), 0, -1):
        try:
            moves = split_moves(" ".join(words[:end]))
        except QueryError:
            continue
        for move in moves:
            try:
                start = start.play(move)
            except IllegalMove:
                break
            legal.append(move)
        break
    return legal
