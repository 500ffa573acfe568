"""Write games as a text in official notation, or as a zip in the server's form with a member for each game."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from typing import IO

from parser.boardspace import writer as boardspace_writer
from parser.gipf import writer as gipf_writer
from parser.record import Record

_MINUTES_PER_DAY = 24 * 60


def write_text(records: Iterable[Record], target: IO[str]) -> None:
    """Write the records in official notation, separated by empty lines."""
    for number, record in enumerate(records):
        target.write(("\n" if number else "") + gipf_writer.write(record))


def write_archive(records: Iterable[Record], target: IO[bytes]) -> None:
    """Write the records to a zip; game n gets minute n of its day, so all members have different names.

    Raises NoServerForm for a record without a server form.
    """
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, record in enumerate(records):
            minute = number % _MINUTES_PER_DAY
            name = boardspace_writer.game_name(record, f"{minute // 60:02}{minute % 60:02}")
            year, month, day = map(int, (record.date or "2020.01.01").split("."))
            member = zipfile.ZipInfo(f"{name}.sgf", (year, month, day, minute // 60, minute % 60, 0))
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, boardspace_writer.write(record, name))
