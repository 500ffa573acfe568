"""Measure how many planted relays `list_relays` finds, by kind (`tests.queries.games.planted_relays`), and how many other pairs.

python -m tests.bench.players.bench_relays [EACH]
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.queries.games.planted_relays import KINDS, plant_relays
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.games.relays import list_relays
from zertz_db.store.open_database import open_database


def main(each: int = 100) -> None:
    """Plant, list and count."""
    planted = plant_relays(seed=1, each=each)
    with tempfile.TemporaryDirectory() as folder:
        games = Path(folder, "games.txt")
        games.write_text("".join(text for pair in planted for text in pair.records), "utf-8")
        tally = import_paths([games], Path(folder, "db"))
        with open_database(Path(folder, "db")) as database:
            events = {row["id"]: row["event"] for row in list_games(database, limit=10**6).dicts()}
            found = [(events[row["game"]], events[row["other"]]) for row in list_relays(database).dicts()]
    right = Counter(one.rpartition(" ")[0] for one, other in found if one == other)
    print(f"{len(planted)} pairs in {tally.stored} games, {sum(one != other for one, other in found)} others listed")
    for kind, meaning in KINDS.items():
        print(f"{kind:>20}: {right[kind]} of {each} ({meaning})")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
