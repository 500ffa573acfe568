"""Infer the board of a record that does not state it from its source: the game server's properties, and the file's name."""

from __future__ import annotations

import re
from dataclasses import replace

from zertz_db.parser.record import Record, Remark
from zertz_db.parser.vocabulary.board_names import board_in, board_named

CODES = {"N571": "the board is not stated: it is inferred from the stored source"}
"""Codes of remarks in any dialect."""

_GAME_NAME = re.compile(
    r"(?:www)?(?:[TUA]{1,3}[!-])?(?P<variant>Z|Z11|Z24)-.+-[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{4}", re.DOTALL
)
"""The game server's name of a game and its file, `TU!Z11-ada-ben-2021-06-03-1200`; its `ZXX-…` are of several boards."""


def with_board_of_source(record: Record, file_name: str) -> Record:
    """Return a record with the board of its source and a note of that, if it states none itself."""
    if record.board is not None or record.position is not None or not record.plies:
        return record
    source, board = _board_of_source(record, file_name)
    if board is None:
        return record
    remark = Remark("N571", record.span, f"the board is not stated; {source} says that it is {board}")
    return replace(record, board=board, remarks=(*record.remarks, remark))


def _board_of_source(record: Record, file_name: str) -> tuple[str, str | None]:
    """Return the part of the source that names a board, and the board. A name that is not understood is not a board."""
    tags = dict(reversed(record.tags))
    variant = tags.get("SU", "").strip()
    if variant.casefold().startswith("zertz"):
        return "SU", board_named(variant) or variant
    name = file_name.rsplit("/", 1)[-1]
    for source, stated in (
        ("GN", _of_game_name(tags.get("GN", ""))),
        ("the file's name", _of_game_name(name) or board_in(name)),
    ):
        if stated:
            return source, stated
    return "", None


def _of_game_name(name: str) -> str | None:
    name_match = _GAME_NAME.match(name)
    return board_named(name_match["variant"].replace("Z", "Zertz")) if name_match else None
