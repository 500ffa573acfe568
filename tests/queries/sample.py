"""A small database with games of every kind that queries tell apart. A game's event is its name in the tests."""

import random
from pathlib import Path

from zertz_db.ingest.import_paths import import_paths
from zertz_db.rules.position import Position

CUSTOM = "custom standard a-3:oooo/b-4:ooo.o/c-3:oooo 6/8/10 0/0/0 0/0/0 1"


BACKTRACKING = "SELECT repeat('a ', 2000) || 'b' LIKE repeat('% %', 40) || 'zz' ESCAPE '!'"
"""One row for which DuckDB tries more ways than any machine could, without looking for an interrupt."""


def played(start: Position, seed: int, plies: int = 200) -> list[str]:
    """The moves of a random game in official notation."""
    dice, moves, position = random.Random(seed), [], start  # noqa: S311 - no secret
    while not position.is_over and len(moves) < plies:
        move = dice.choice(position.legal_moves())
        moves.append(position.notation(move))
        position = position.play(move)
    return moves


def record(event: str, first: str, second: str, date: str, moves: str, **tags: str) -> str:
    """A record in official notation."""
    named = {"Event": event, "Player1": first, "Player2": second, "Date": date, **tags}
    return "".join(f'[{name} "{value}"]\n' for name, value in named.items()) + f"\n{moves}\n\n"


OPENING = "1. Wd4,d1 Bd3,a1 2. x d3Wd5 Gc3,g1"
RECORDS = [
    record(
        "resigned",
        "Ada",
        "Ben",
        "2010.05.01",
        f"{OPENING} 3. Player1 resigns 0-1",
        Board="37",
        RuleSet="standard",
        Annotator="Cy",
    ),
    record("clocks", "Ben", "ADA", "2010.06.??", "1. Wd4,d1 {[%clk 0:01:02]} Bd3,a1 {[%clk 1:00:00]} *", Board="37"),
    record(
        "large", "Čeněk", "Ada", "2011.??.??", " ".join(played(Position.start("48"), 3)), Board="48", RuleSet="standard"
    ),
    record(
        "blitz",
        "a_b",
        "Ben",
        "2012.12.31",
        " ".join(played(Position.start("37", "blitz"), 5)),
        RuleSet="blitz",
        Board="37",
    ),
    record(
        "custom",
        "axb",
        "100%",
        "????.??.??",
        " ".join(played(Position.parse(CUSTOM), 8, 6)),
        SetUp="1",
        Position=CUSTOM,
    ),
    record(
        "contradicted",
        "Eve",
        "Ben",
        "2013.01.01",
        " ".join([*played(Position.start("37"), 11), "1/2-1/2"]),
        Board="37",
        RuleSet="standard",
    ),
]
ILLEGAL = record("illegal", "Eve", "Ben", "2013.01.02", "1. Wd4,d1 Bd3,a1 2. Wa2,b1", Board="37")
NONSENSE = record("nonsense", "Eve", "Ben", "2013.01.03", "1. Wd4,d1 Zz9+ Bd3,a1", Board="37")


def build(folder: Path) -> Path:
    """The database: six games, one of them found twice, and two rejects in a first import; nothing new in a second one."""
    main, again = folder / "club.txt", folder / "again.txt"
    main.write_text("".join([*RECORDS, ILLEGAL, NONSENSE]), "utf-8")
    again.write_text(RECORDS[0] + ILLEGAL, "utf-8")
    database = folder / "games.zertz"
    import_paths([main], database)
    import_paths([again], database)
    return database
