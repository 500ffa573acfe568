"""Games are replayed by the rules that verified their records."""

from pathlib import Path

import pytest

from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.games.one_game import course
from zertz_db.store.open_database import open_database

RECORD = '[Board "37"]\n[Result "1-0"]\n[SetUp "1"]\n[Position "{start}"]\n\n1. {move} 1-0\n'


@pytest.mark.parametrize(
    ("start", "move", "captured"),
    [
        ("37 standard o.oo/..ooo/oooooo/ooooooo/oooooo/ooBoo/oooo 3/8/9 3/0/0 0/0/0 1", "Wa1 x Wa1", (4, 0, 0)),
        ("37 standard oooo/ooooo/oooooo/BGoWooo/oooooo/ooooo/oooo 5/3/9 0/4/0 0/0/0 1", "x d1Gd3", (0, 5, 0)),
    ],
    ids=["no ring is removed", "a chain stops"],
)
def test_a_winning_move_may_leave_out_what_no_longer_matters(
    tmp_path: Path, start: str, move: str, captured: tuple[int, int, int]
) -> None:
    file = tmp_path / "games.txt"
    file.write_text(RECORD.format(start=start, move=move))
    assert import_paths([file], tmp_path / "db").stored == 1
    with open_database(tmp_path / "db") as database:
        [game] = list_games(database, columns=["id"]).dicts()
        positions = course(database, game["id"]).positions()
    assert len(positions) == 2
    assert positions[-1].captured[0] == captured
