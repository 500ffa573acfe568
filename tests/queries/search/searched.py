"""Made-up games to search in: whole boards, and the same few rings in several places of several boards, where games come together again."""

from itertools import count
from pathlib import Path

from tests.queries.sample import played, record
from zertz_db.ingest.import_paths import import_paths
from zertz_db.rules.position import Position

FEW = [
    "37 standard ..../...../..oo../..ooo../..oo../..o../.... 2/2/2 0/0/0 0/0/0 1",
    "37 standard ..../.ooo./.ooo../..oo.../....../...../.... 2/2/2 0/0/0 0/0/0 1",
    "37 blitz ..../...../..oo../..ooo../..oo../..o../.... 2/1/2 0/0/0 0/0/0 2",
    "48 standard ...../..oo../..ooo../...ooo../......./....../...../.... 2/2/2 0/0/0 0/0/0 1",
    "custom standard a0:oo/b-1:ooo/c0:oo/d-1:.o 2/2/2 0/0/0 0/0/0 1",
]
"""A hexagon with a ring beside it."""
LARGE = (
    "custom standard "
    + "/".join(f"{letter}{-9 - number % 2}:oooooooooo" for number, letter in enumerate("abcdefg"))
    + " 6/8/10 0/0/0 0/0/0 1"
)
WHOLE = [("37", 200), ("37", 200), ("37", 8), ("40", 6), ("48", 8), ("48", 30), ("61", 6)]
"""Boards, and plies that are played at most."""


def build(folder: Path, seed: int = 0) -> Path:
    """The database."""
    seeds = count(1000 * seed)
    starts = [(Position.start(board), plies) for board, plies in WHOLE]
    starts += [(Position.parse(text), 200) for text in FEW for _ in range(6)]
    starts += [(Position.parse(LARGE), 5)] * 3
    records = []
    for number, (start, plies) in enumerate(starts):
        moves = " ".join(played(start, next(seeds), plies))
        tags = {"Board": start.board.name, "RuleSet": start.rules.name}
        if start != Position.start(start.board, start.rules) or start.board.is_custom:
            tags = {"SetUp": "1", "Position": start.text}
        date = ("2010.05.01", "2011.??.??", "????.??.??")[number % 3]
        records.append(record(f"searched {number}", "Ada", "Ben", date, moves, **tags))
    file = folder / "searched.txt"
    file.write_text("".join(records), "utf-8")
    balance = import_paths([file], folder / "searched.zertz")
    assert not balance.rejected, balance
    return folder / "searched.zertz"
