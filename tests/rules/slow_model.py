"""Implement the rules a second time, for comparison: rings by name, dictionaries and sets, no regard for speed.

Only the position string and the notation of moves are shared with the product.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

GOALS = {
    "standard": {"W": 4, "G": 5, "B": 6, "each": 3},
    "blitz": {"W": 3, "G": 4, "B": 5, "each": 2},
}
LENGTHS = {
    "37": (4, 5, 6, 7, 6, 5, 4),
    "40": (5, 6, 7, 7, 6, 5, 4),
    "43": (5, 6, 7, 7, 6, 5, 4, 3),
    "44": (5, 6, 7, 8, 7, 6, 5),
    "48": (5, 6, 7, 8, 7, 6, 5, 4),
    "61": (5, 6, 7, 8, 9, 8, 7, 6, 5),
}
UNCENTRED = {"a": 7, "b": 8, "c": 9, "d": 8, "e": 7, "f": 6, "g": 5, "h": 4}
"""On the boards 40 and 43 ring k of a column is at 2k less this."""

CLOCKWISE = [(0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1)]

Place = tuple[int, int]


class Refused(Exception):
    """The move is illegal."""


@dataclass
class Slow:
    """A position: `held` has the remaining rings, each with `o`, `W`, `G` or `B`."""

    head: str
    places: dict[str, Place]
    names: dict[Place, str]
    held: dict[str, str]
    pool: dict[str, int]
    captures: tuple[dict[str, int], dict[str, int]]
    side: int
    passes: int = 0
    ending: str | None = None
    winner: int | None = None
    sets: set[str] = field(default_factory=set)
    claimed: set[str] = field(default_factory=set)

    @property
    def options(self) -> list[str]:
        return self.head.split()[1].split("+")

    @property
    def mine(self) -> dict[str, int]:
        return self.captures[self.side - 1]

    def at(self, place: Place) -> str | None:
        """Return the ring at a place, if there still is one."""
        ring = self.names.get(place)
        return ring if ring in self.held else None

    def next_ring(self, ring: str, step: Place, times: int = 1) -> str | None:
        x, y = self.places[ring]
        return self.at((x + times * step[0], y + times * step[1]))

    def is_free(self, ring: str) -> bool:
        gaps = [self.next_ring(ring, step) is None for step in CLOCKWISE]
        return any(gaps[i] and gaps[i - 1] for i in range(6))

    def groups(self) -> list[set[str]]:
        """Return the connected groups of rings."""
        waiting, found = set(self.held), []
        while waiting:
            group, edge = set(), [waiting.pop()]
            while edge:
                ring = edge.pop()
                group.add(ring)
                edge += [n for step in CLOCKWISE if (n := self.next_ring(ring, step)) and n not in group]
            waiting -= group
            found.append(group)
        return found

    def full_groups(self) -> list[set[str]]:
        return [group for group in self.groups() if all(self.held[ring] != "o" for ring in group)]

    def hops(self, ring: str) -> list[tuple[str, str]]:
        """Return (jumped ring, landing ring) of every jump of the marble on `ring`."""
        pairs = [(self.next_ring(ring, step), self.next_ring(ring, step, 2)) for step in CLOCKWISE]
        return [(a, b) for a, b in pairs if a and b and self.held[a] != "o" and self.held[b] == "o"]

    def after_hop(self, ring: str, over: str, landing: str) -> Slow:
        return replace(self, held={**self.held, ring: "o", over: "o", landing: self.held[ring]})

    def chains(self, ring: str) -> list[str]:
        """Return the rest of every complete chain, written `Gd3Wd5`."""
        written = []
        for over, landing in self.hops(ring):
            rests = self.after_hop(ring, over, landing).chains(landing) or [""]
            written += [f"{self.held[over]}{landing}{rest}" for rest in rests]
        return written

    def captures_due(self) -> set[str]:
        marbles = [ring for ring, held in self.held.items() if held != "o"]
        return {f"x {ring}{chain}" for ring in marbles for chain in self.chains(ring)}

    def rack(self) -> dict[str, int]:
        return self.pool if sum(self.pool.values()) else self.mine

    def placements(self) -> set[str]:
        vacant = [ring for ring, held in self.held.items() if held == "o"]
        free = [ring for ring in vacant if self.is_free(ring)]
        found = set()
        for ring in vacant:
            ends = [f",{removed}" for removed in free if removed != ring] or [""]
            found |= {f"{colour}{ring}{end}" for colour, count in self.rack().items() if count for end in ends}
        return found

    def legal(self) -> set[str]:
        """Every legal move in the official notation, without claims."""
        if self.ending:
            return set()
        return self.captures_due() or self.placements() or {"-"}

    def play(self, text: str) -> Slow:
        """Return the position after a move; raise Refused if it is illegal."""
        move, _, claims = text.partition(" x ") if not text.startswith("x") else (text, "", "")
        if move not in self.legal():
            raise Refused(text)
        after = replace(
            self,
            held=dict(self.held),
            pool=dict(self.pool),
            captures=(dict(self.captures[0]), dict(self.captures[1])),
            passes=0,
            claimed=set(),
        )
        if move == "-":
            after.passes = self.passes + 1
            if after.passes == 2:
                after.ending, after.winner = "no-move", 0
        elif move[0] == "x":
            after.capture(move)
        else:
            after.place(move, claims, self.full_groups())
        after.side = 3 - self.side
        return after

    def capture(self, move: str) -> None:
        start, *steps = re.findall(r"[a-q]\d+", move)
        for landing in steps:
            over = next(over for over, end in self.hops(start) if end == landing)
            self.mine[self.held[over]] += 1
            self.held = self.after_hop(start, over, landing).held
            start = landing
        self.finish()

    def place(self, move: str, claims: str, full_before: list[set[str]]) -> None:
        marble, _, removed = move.partition(",")
        self.rack()[marble[0]] -= 1
        self.held[marble[1:]] = marble[0]
        if removed:
            del self.held[removed]
        written = {ring: colour for colour, ring in re.findall(r"([WGB])([a-q]\d+)", claims)}
        for ring, colour in written.items():
            if self.held.get(ring) != colour:
                raise Refused(f"{ring} does not hold {colour}")
        if "o" in self.held.values():
            self.claim(set(written), full_before)
        self.finish()

    def claim(self, written: set[str], full_before: list[set[str]]) -> None:
        full = self.full_groups()
        taken = set().union(*full)
        if "written" in self.options:
            new = [group for group in full if group not in full_before]
            if set().union(*(group for group in new if group <= written)) != written:
                raise Refused("claims what is not claimable")
            taken = written
        elif written and written != taken:
            raise Refused("claims other than the full groups")
        self.take(taken)

    def take(self, rings: set[str]) -> None:
        for ring in rings:
            self.mine[self.held.pop(ring)] += 1
        self.claimed |= rings

    def finish(self) -> None:
        """End a turn: both lose, board filled, sets."""
        counts = [*self.pool.values(), *self.captures[0].values(), *self.captures[1].values()]
        if "tournament" in self.options and not any(counts):
            self.ending, self.winner = "both-lose", 0
            return
        filled = "o" not in self.held.values()
        if filled:
            self.take(set(self.held))
        goals = GOALS[self.options[0]]
        self.sets = {f"{goals[colour]}{colour}" for colour in "WGB" if self.mine[colour] >= goals[colour]}
        if min(self.mine.values()) >= goals["each"]:
            self.sets.add(f"{goals['each']}each")
        if self.sets or filled:
            self.ending, self.winner = "set" if self.sets else "board-filled", self.side

    def text(self) -> str:
        """Return the position string."""
        board, rules, layout = self.head.split()
        columns = []
        for number, column in enumerate(layout.split("/")):
            prefix, signs = re.fullmatch(r"(?:([a-q]-?\d+:))?(.+)", column).groups()
            letter = prefix[0] if prefix else "abcdefghi"[number]
            columns.append(
                (prefix or "") + "".join(self.held.get(f"{letter}{k}", ".") for k in range(1, len(signs) + 1))
            )
        counts = ["/".join(str(count[c]) for c in "WGB") for count in (self.pool, *self.captures)]
        return " ".join(
            [board, rules, "/".join(columns), *counts, str(self.side), *([str(self.passes)] if self.passes else [])]
        )


def read(text: str) -> Slow:
    """Return the position of a position string (a well-formed one)."""
    board, rules, layout, *counts, side = text.split()[:7]
    places: dict[str, Place] = {}
    held: dict[str, str] = {}
    for x, column in enumerate(layout.split("/")):
        letter, bottom, signs = "abcdefghijklmnopq"[x], 0, column
        if board == "custom":
            letter, bottom, signs = re.fullmatch(r"([a-q])(-?\d+):(.+)", column).groups()
            bottom = int(bottom)
        elif board in ("40", "43"):
            bottom = 2 - UNCENTRED[letter]
        else:
            bottom = 1 - LENGTHS[board][x]
        for k, sign in enumerate(signs):
            places[f"{letter}{k + 1}"] = (ord(letter), bottom + 2 * k)
            if sign != ".":
                held[f"{letter}{k + 1}"] = sign
    pool, first, second = (dict(zip("WGB", map(int, count.split("/")), strict=True)) for count in counts)
    names = {place: ring for ring, place in places.items()}
    passes = int(text.split()[7]) if len(text.split()) == 8 else 0
    return Slow(f"{board} {rules} {layout}", places, names, held, pool, (first, second), int(side), passes)
