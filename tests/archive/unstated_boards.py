"""The board that is inferred if a record does not state it, on an archive of real games: `python -m tests.archive.unstated_boards 500`.

That number of games of each board are written in official notation without the tag Board: in full, and only their first six moves; with
the tags about their source, and without. The table shows how many of them are read on another board than theirs.
"""

import sys
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace

from parser import dialects
from parser.boardspace import reader as boardspace
from parser.gipf import writer as gipf_writer
from parser.record import Record
from parser.text.encoding import decode
from tests.bench.timing import ARCHIVE
from zertz_db.check.check_many import check_all
from zertz_db.check.check_record import check
from zertz_db.check.checked_record import CheckedRecord

_SIX_MOVES = 12
_OF_SOURCE = ("SU", "GN")
_BOARDS = ("37", "48", "61")
_OPEN = "W572"
"""The code of the finding that several boards fit."""


def completed_games(most: int) -> Iterator[Record]:
    """Yield verified games from the usual start, up to `most` of each board, from archives of all years."""
    left = Counter(dict.fromkeys(_BOARDS, most))
    archives = sorted(ARCHIVE.rglob("*.zip"))
    for path in archives[::7] + [path for step in range(1, 7) for path in archives[step::7]]:
        if not +left:
            return
        for checked in check_all([*_records(str(path))], full=False):
            if checked.verdict == "verified" and checked.starts_as_usual and left[checked.board or ""] > 0:
                left[checked.board or ""] -= 1
                yield checked.completed()


def _records(path: str) -> Iterator[Record]:
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            yield from boardspace.read(decode(archive.read(entry))[0], entry.filename)


def without_board(record: Record, keeps_source: bool) -> CheckedRecord:
    """Return the verdict on a record written without its board."""
    tags = tuple(tag for tag in record.tags if keeps_source or tag[0] not in _OF_SOURCE)
    text = gipf_writer.write(replace(record, tags=tags)).replace(f'[Board "{record.board}"]\n', "")
    (again,) = dialects.read(text, "gipf")
    return check(again, full=False)


def beginning(record: Record) -> Record:
    """Return a record of the first moves only, without an end."""
    plies = tuple(record.plies[:_SIX_MOVES])
    return replace(record, plies=plies, half_turn=None, result="*", ending=None, ending_by=None)


def main() -> None:
    """Print the table."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for record in completed_games(most):
        for length, game in (("whole", record), ("six moves", beginning(record))):
            for keeps_source in (False, True):
                checked = without_board(game, keeps_source)
                count = counts[f"{length}, {'with SU, GN' if keeps_source else 'bare'}", record.board or ""]
                count["games"] += 1
                is_wrong, is_noted = checked.board != record.board, any(f.code == _OPEN for f in checked.findings)
                count["wrong"] += is_wrong
                count["noted"] += is_noted
                count["wrong, not noted"] += is_wrong and not is_noted
    print(f"{'':24}{'board':>6}{'games':>8}{'wrong':>8}{'several fit, noted':>20}{'wrong, not noted':>18}")
    for (what, board), count in sorted(counts.items()):
        noted = count["noted"], count["wrong, not noted"]
        print(f"{what:24}{board:>6}{count['games']:>8}{count['wrong']:>8}{noted[0]:>20}{noted[1]:>18}")


if __name__ == "__main__":
    main()
