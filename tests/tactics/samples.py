"""Positions with a forced win, from random games made up for these tests."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from zertz_db.rules.position import Position


class Sample(NamedTuple):
    """A position, the plies of its shortest forced win, and the classes of moves that win within them."""

    position: str
    plies: int
    winning: tuple[str, ...]


SAMPLES = [
    Sample("37 blitz .WGG/...oo/W..oo./WoGoBo./..oo../..B../..WB 0/0/3 1/1/2 0/3/1 2", 3, ("x g3-e3 over f3",)),
    Sample("40 standard+tournament oW.../Woooo./.oWooo./ooooB../ooGB../.oo../oo.. 0/5/4 1/2/2 2/0/2 1", 3,
           ("x d5-b2 over c3 e3 e4",)),
    Sample("44 blitz o.W../.oooG./..ooooo/.Gooooo./oooooW./.ooB../o.... 0/2/2 2/1/3 1/2/3 2", 3, ("Bd6",)),
    Sample("48 standard ...../Go.Bo./ooooooB/oGoWoo../o.ooo../..Woo./..oGo/oB.. 2/2/1 1/0/2 1/3/4 2", 3, ("We1",)),
    Sample("61 standard .o.o./.oooo./.oooooo/..ooooo./..BoBooB./oooGooo./.oooWoW/ooG.oo/Wo... 0/1/5 0/3/2 3/2/0 1", 3,
           ("x e5-g3 over f4",)),
    Sample("37 blitz ..../W.oG./.oWooo/BooBWoo/.Gooo./...oG/..o. 0/2/4 1/1/2 1/1/1 1", 5, ("x c3-c5 over d4 d5",)),
    Sample("40 standard+tournament .ooB./.ooooB/.ooooo./.WoooBo/..GooG/.oooo/o.B. 4/6/3 1/0/3 0/0/0 1", 5,
           ("x e6-c6 over d6",)),
    Sample("43 standard+tournament ..o.W/.BoWB./.ooooo./ooooooW/ooooo./.ooo./Go../.G. 0/3/7 1/1/0 2/2/1 2", 5,
           ("x b5-b3 over b4",)),
    Sample("61 standard .G.o./GoGoo./.oWoooW/.oooooo./.oooBooB./oooooBo./.oooooW/ooG.oo/Wo... 0/3/6 0/0/1 2/1/0 2", 5,
           ("x a2-c2 over b3 c3",)),
    Sample("44 blitz o.W.o/.oooo./.oooooo/.GooBoG./oooooo./WoGGo./o.... 1/3/4 1/0/3 1/0/1 1", 7, ("x f4-f2 over f3",)),
    Sample("43 standard+tournament ....W/.BoBo./.Gooo../.ooooBW/ooGo../.ooo./oo../.o. 0/1/5 1/2/1 3/3/1 2", 7,
           ("x d7-d5 over d6",)),
]  # fmt: skip


def random_game(chance: Random, start: Position) -> list[Position]:
    """Return the positions of a random game before each move."""
    positions = []
    position = start
    while not position.is_over:
        positions.append(position)
        position = position.play(chance.choice(position.legal_moves()))
    return positions


def late_positions(seed: int, games: int, boards: str, rules: str, last: int) -> list[Position]:
    """Return the last positions of random games on some boards under some rule sets, each with few legal moves."""
    chance = Random(seed)  # noqa: S311
    found = []
    for _ in range(games):
        start = Position.start(chance.choice(boards.split()), chance.choice(rules.split()))
        found += random_game(chance, start)[-last:]
    return found
