"""A database of made-up games among players of all kinds, some with several names, and the same told slowly from its list of games."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

from zertz_db.edit.claim_names import set_alias
from zertz_db.ingest.import_paths import import_paths
from zertz_db.parser.gipf.writer import write
from zertz_db.play.generate import generate_games
from zertz_db.queries.games.game_list import list_games
from zertz_db.store.folder.database import Database

NAMES = ("ada", "ada", "ADA", "adah", "ben", "Cy", "greedybot", "guest", "guest7")
PLAYERS = {"ADA": "ada", "adah": "ada"}
"""Who the names are, where that is not what they say."""


class Seat(NamedTuple):
    """A player in a game: score is 1 won, 0 tied, -1 lost, None not known, or a player against himself."""

    game: str
    player: str
    opponent: str
    side: int
    score: int | None
    row: dict[str, object]


def build(folder: Path) -> Path:
    """Eighty games, a tenth of them without a known day."""
    dice = Random(3)  # noqa: S311 - no secret
    records = []
    for record in generate_games(80, seed=5):
        first, second = dice.choice(NAMES), dice.choice(NAMES)
        if {first.lower(), second.lower()} == {"ada", "adah"}:
            second = "ben"
        day = f"201{dice.randrange(3)}.{dice.randrange(1, 13):02}.{dice.randrange(1, 29):02}"
        date = day if dice.random() < 0.9 else f"{day[:4]}.??.??"
        records.append(write(replace(record, player1=first, player2=second, date=date)))
    (folder / "club.txt").write_text("\n".join(records), "utf-8")
    import_paths([folder / "club.txt"], folder / "club.zertz")
    set_alias(folder / "club.zertz", "adah", "ada", "accepted", "she said so")
    return folder / "club.zertz"


def seats(database: Database) -> Iterator[Seat]:
    """Each seat of each game, from the list of games."""
    columns = [
        "id",
        "player1",
        "player2",
        "winner",
        "board",
        "rule_set",
        "date_from",
        "date_to",
        "ending",
        "winning_sets",
        "won_by",
    ]
    for row in list_games(database, columns=columns).dicts():
        names = [PLAYERS.get(str(row[name]), str(row[name])) for name in ("player1", "player2")]
        for side in (1, 2):
            player, opponent = names[side - 1], names[2 - side]
            winner = row["winner"] if player != opponent else None
            score = None if winner is None else 0 if winner == 0 else 1 if winner == side else -1
            yield Seat(str(row["id"]), player, opponent, side, score, row)


def tallied(found: list[Seat]) -> tuple[int, int, int, int]:
    """Games, wins, ties, losses."""
    scores = [seat.score for seat in found]
    return len({seat.game for seat in found}), scores.count(1), scores.count(0), scores.count(-1)


def year(seat: Seat) -> int | None:
    """The year of a game."""
    date = seat.row["date_from"]
    return date.year if isinstance(date, dt.date) else None
