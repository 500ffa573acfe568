"""Replay whole records the slow and obvious way: rings by name in dictionaries and sets.

The module takes plies as texts in official notation and shares nothing with the product, so that verdicts can be compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

GOALS = {"standard": ({"W": 4, "G": 5, "B": 6}, 3), "blitz": ({"W": 3, "G": 4, "B": 5}, 2)}
SUPPLY = {"standard": {"W": 6, "G": 8, "B": 10}, "blitz": {"W": 5, "G": 7, "B": 9}}
COLUMNS = {
    "37": [4, 5, 6, 7, 6, 5, 4],
    "40": [5, 6, 7, 7, 6, 5, 4],
    "43": [5, 6, 7, 7, 6, 5, 4, 3],
    "44": [5, 6, 7, 8, 7, 6, 5],
    "48": [5, 6, 7, 8, 7, 6, 5, 4],
    "61": [5, 6, 7, 8, 9, 8, 7, 6, 5],
}
ADDED_BELOW = {"40": "abc", "43": "abc"}
"""Columns that got a ring below those of a centred board."""

AROUND = [(0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1)]


class Refused(Exception):
    """The ply is illegal."""


class HalfTurn(Refused):
    """The ply lacks its ring, or the end of its chain."""


def places(board: str) -> dict[str, tuple[int, int]]:
    """Return each ring's place: its column, and its height in half steps."""
    found = {}
    for x, length in enumerate(COLUMNS[board]):
        letter = "abcdefghi"[x]
        below = letter in ADDED_BELOW.get(board, "")
        centred = length - below
        for number in range(1, length + 1):
            found[f"{letter}{number}"] = (x, 2 * (number - below) - centred - 1)
    return found


@dataclass
class Game:
    """A game in progress: `held` has the remaining rings, each with a colour or None."""

    place: dict[str, tuple[int, int]]
    ring: dict[tuple[int, int], str]
    rule_set: str
    tournament: bool
    written: bool
    held: dict[str, str | None]
    pool: dict[str, int]
    captured: dict[int, dict[str, int]]
    mover: int = 1
    passes: int = 0
    over: bool = False
    winner: int | None = None
    taken: set[str] = field(default_factory=set)

    def next_ring(self, ring: str, direction: tuple[int, int], steps: int = 1) -> str | None:
        """Return the ring a number of steps away, if it is still there."""
        x, y = self.place[ring]
        there = self.ring.get((x + steps * direction[0], y + steps * direction[1]))
        return there if there in self.held else None

    def jumps(self, ring: str) -> dict[str, str]:
        """Return the ring jumped over for each landing ring of the marble here."""
        found = {}
        for direction in AROUND:
            over, landing = self.next_ring(ring, direction), self.next_ring(ring, direction, 2)
            if over and landing and self.held[over] and not self.held[landing]:
                found[landing] = over
        return found

    def must_capture(self) -> bool:
        return any(marble and self.jumps(ring) for ring, marble in self.held.items())

    def is_free(self, ring: str) -> bool:
        gaps = [self.next_ring(ring, direction) is None for direction in AROUND]
        return not self.held[ring] and any(gaps[side] and gaps[side - 1] for side in range(6))

    def groups(self) -> list[set[str]]:
        """Return the full groups."""
        left, found = set(self.held), []
        while left:
            group = {left.pop()}
            edge = set(group)
            while edge:
                ring = edge.pop()
                near = {other for direction in AROUND if (other := self.next_ring(ring, direction))} - group
                group |= near
                edge |= near
            left -= group
            if all(self.held[ring] for ring in group):
                found.append(group)
        return found

    def take(self, rings: set[str]) -> None:
        for ring in rings:
            self.captured[self.mover][self.held.pop(ring) or ""] += 1
        self.taken |= rings

    def has_won(self, player: int) -> bool:
        """Return whether a player holds a winning set."""
        goals, each = GOALS[self.rule_set]
        held = self.captured[player]
        return any(held[colour] >= goals[colour] for colour in "WGB") or min(held.values()) >= each

    def end_turn(self) -> None:
        everything = [self.pool, *self.captured.values()]
        if self.tournament and not any(sum(counts.values()) for counts in everything):
            self.over, self.winner = True, 0
        else:
            is_filled = all(self.held.values())
            if is_filled:
                self.take(set(self.held))
            if is_filled or self.has_won(self.mover):
                self.over, self.winner = True, self.mover
        self.mover = 3 - self.mover

    def must_pass(self) -> bool:
        rack = self.pool if sum(self.pool.values()) else self.captured[self.mover]
        can_place = sum(rack.values()) > 0 and not all(self.held.values())
        return not can_place and not self.must_capture()

    def play(self, text: str) -> None:
        """Play a ply; raise Refused if it is illegal."""
        if self.over:
            raise Refused
        self.taken = set()
        if text == "-":
            if not self.must_pass():
                raise Refused
            self.passes += 1
            self.mover = 3 - self.mover
            self.over, self.winner = self.passes == 2, 0
            return
        self.passes = 0
        if text.startswith("x"):
            self.capture(text)
        else:
            self.placement(text)

    def capture(self, text: str) -> None:
        start, hops = re.fullmatch(r"x ([a-q]\d+)(.*)", text).groups()
        if not self.held.get(start):
            raise Refused
        for colour, landing in re.findall(r"([WGB])([a-q]\d+)", hops):
            over = self.jumps(start).get(landing)
            if over is None or self.held[over] != colour:
                raise Refused
            self.captured[self.mover][colour] += 1
            self.held[landing], self.held[start], self.held[over] = self.held[start], None, None
            start = landing
        if self.jumps(start) and not self.has_won(self.mover):
            raise HalfTurn
        self.end_turn()

    def placement(self, text: str) -> None:
        colour, ring, removed, claim = re.fullmatch(r"([WGB])([a-q]\d+)(?:,([a-q]\d+))?(?: x (\S+))?", text).groups()
        before = self.groups() if self.written else []
        if self.must_capture() or ring not in self.held or self.held[ring]:
            raise Refused
        rack = self.pool if sum(self.pool.values()) else self.captured[self.mover]
        if not rack[colour]:
            raise Refused
        rack[colour] -= 1
        self.held[ring] = colour
        free = {other for other in self.held if self.is_free(other)}  # the ring just filled is none of them
        if removed:
            if removed not in free:
                raise Refused
            del self.held[removed]
        self.claim(re.findall(r"([WGB])([a-q]\d+)", claim or ""), before)
        has_filled = ring in self.taken
        self.end_turn()
        has_won = self.over and self.winner != 0 and self.has_won(self.winner or 0)
        if free and not removed and not (has_filled and has_won):
            raise HalfTurn

    def claim(self, written: list[tuple[str, str]], before: list[set[str]]) -> None:
        for colour, ring in written:
            if self.held.get(ring) != colour:
                raise Refused
        if all(self.held.values()):
            return
        rings, full = {ring for _, ring in written}, self.groups()
        due = [group for group in full if group <= rings and group not in before] if self.written else full
        taken = set().union(*due)
        if written and rings != taken:
            raise Refused
        self.take(taken)


def start(board: str, rule_set: str, tournament: bool, written: bool) -> Game:
    """Return the empty board."""
    place = places(board)
    captured = {player: dict.fromkeys("WGB", 0) for player in (1, 2)}
    rings = {there: ring for ring, there in place.items()}
    return Game(place, rings, rule_set, tournament, written, dict.fromkeys(place), dict(SUPPLY[rule_set]), captured)


def replay(game: Game, plies: list[str]) -> tuple[int, bool]:
    """Return the number of legal plies, and whether the next one is only half a turn."""
    for number, text in enumerate(plies):
        if text != "-" and not game.over and game.must_pass():
            game.play("-")
        try:
            game.play(text)
        except Refused as why:
            return number, isinstance(why, HalfTurn)
    while not game.over and game.must_pass():
        game.play("-")
    return len(plies), False


@dataclass
class Statements:
    """A record's statements besides its plies. Its result is 1-0, 0-1 or a tie."""

    board: str
    rule_set: str
    result: str
    ending: str | None
    tournament: bool = False
    claims: str | None = None


@dataclass
class Verdict:
    """Verdict and first illegal ply (from 1), and whether the stated result contradicts the moves."""

    verdict: str
    illegal_ply: int | None = None
    contradicts: bool = False


def verdict(stated: Statements, plies: list[str]) -> Verdict:
    """Return the verdict by the rules: claims automatic, or written if the record writes one and only then is legal."""
    game, legal, is_half = best_reading(stated, plies)
    half_turn = is_half and legal == len(plies) - 1
    if half_turn:
        plies = plies[:-1]
        game, legal, is_half = best_reading(stated, plies)
    if legal < len(plies):
        return Verdict("illegal", legal + 1)
    if half_turn and stated.ending not in ("resign", "time"):
        return Verdict("unfinished")
    if not game.over:
        return Verdict("verified", None, stated.ending in ("set", "board-filled", "both-lose", "no-move", None))
    won = {0: "0-0" if game.tournament and not game.passes else "1/2-1/2", 1: "1-0", 2: "0-1"}[game.winner or 0]
    return Verdict("verified", None, won != stated.result or stated.ending in ("resign", "time"))


def best_reading(stated: Statements, plies: list[str]) -> tuple[Game, int, bool]:
    game = start(stated.board, stated.rule_set, stated.tournament, stated.claims == "written")
    legal, is_half = replay(game, plies)
    if legal < len(plies) and stated.claims is None and any(" x " in text[1:] and text[0] != "x" for text in plies):
        again = start(stated.board, stated.rule_set, stated.tournament, written=True)
        if replay(again, plies)[0] == len(plies):
            return again, len(plies), False
    return game, legal, is_half
