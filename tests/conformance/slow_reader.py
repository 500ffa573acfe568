"""Read and judge records as the standard says it, over the slow model of the rules: nothing is shared with the product."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Any, NamedTuple

from tests.rules.slow_model import LENGTHS, Refused, Slow, read

SUPPLIES = {"standard": "6/8/10", "blitz": "5/7/9"}
OPTIONS = {"Tournament": ("yes", "tournament"), "Claims": ("written", "written"), "Ties": ("no", "noties")}
RESULTS = ("1-0", "0-1", "1/2-1/2", "0-0")
WINNERS = {"1-0": 1, "0-1": 2, "1/2-1/2": 0, "0-0": 0}
MARBLES = r"(?:[WGB][a-q]\d+)+"
TOKEN = re.compile(
    rf"(?P<move>[WGB][a-q]\d+(?:,[a-q]\d+)?(?:\s+x\s+{MARBLES})?(?=\s|$)|x\s+[a-q]\d+{MARBLES}(?=\s|$)|-(?=\s|$))"
    r"|Player(?P<loser>[12]) resigns|(?P<result>1-0|0-1|1/2-1/2|0-0|\*)(?=\s|$)|\d+\.|\{[^}]*\}|\s+"
)
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Text(NamedTuple):
    """What a record says. broken: whether something in it is not notation."""

    tags: dict[str, str]
    moves: list[str]
    result: str | None
    loser: int | None
    broken: bool


def parse(text: str) -> Text:
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', text, re.MULTILINE))
    body, at = re.sub(r"^\[.*\]$", "", text, flags=re.MULTILINE), 0
    moves, result, loser = [], tags.get("Result"), None
    while at < len(body):
        found = TOKEN.match(body, at)
        if not found:
            return Text(tags, moves, result, loser, True)
        at = found.end()
        if found["move"]:
            moves.append(" ".join(found["move"].split()))
        result, loser = found["result"] or result, int(found["loser"] or 0) or loser
    return Text(tags, moves, None if result == "*" else result, loser, False)


def start(tags: dict[str, str]) -> str:
    """Return the position string of a record's start."""
    if "Position" in tags:
        return tags["Position"]
    name = tags["RuleSet"]
    rules = "+".join([name, *(option for tag, (value, option) in OPTIONS.items() if tags.get(tag) == value)])
    layout = "/".join("o" * length for length in LENGTHS[tags["Board"]])
    return f"{tags['Board']} {rules} {layout} {SUPPLIES[name]} 0/0/0 0/0/0 1"


class Game:
    """A game that is played as far as it is legal."""

    def __init__(self, record: Text) -> None:
        self.positions = [read(start(record.tags))]
        self.moves = record.moves
        self.tie = "0-0" if "noties" in self.positions[0].options else "1/2-1/2"
        self.is_legal = all(self._play(number) for number in range(len(record.moves)))

    def _play(self, number: int) -> bool:
        if self.final.ending or self._has_ended_by_repetition(number):
            return False
        try:
            self.positions.append(self.final.play(self.moves[number]))
        except Refused:
            return False
        return True

    @property
    def final(self) -> Slow:
        return self.positions[-1]

    def repeats(self, plies: int) -> int:
        """Return how many times in a row the last four of the first `plies` moves were made, by their rings."""
        rings = [re.findall(r"[a-q]\d+", move) for move in self.moves[:plies]]
        times = 1
        while plies >= 4 * (times + 1) and rings[plies - 4 :] == rings[plies - 4 * (times + 1) : plies - 4 * times]:
            times += 1
        return times

    def _has_ended_by_repetition(self, plies: int) -> bool:
        return self.repeats(plies) >= self.limit(99)

    def limit(self, usual: int) -> int:
        """Return how often four moves must be made to end the game: as the option states, or as usual."""
        return next((int(one[-1]) for one in self.final.options if one.startswith("repetition")), usual)


def judge(text: str) -> dict[str, Any]:
    """Return the answer to a question of the kind `record`."""
    record = parse(text)
    game = Game(record)
    answer = {"plies": len(game.positions) - 1, "ending": None, "result": None, "winner": None, "sets": []}
    if record.broken or not game.is_legal:
        return {**answer, "verdict": "unreadable" if record.broken and game.is_legal else "illegal"}
    ending, computed = end(record, game)
    stated = record.result
    result = None if stated and computed and stated != computed else computed or stated
    sets = sorted(game.final.sets, key=lambda name: "WGBe".index(name[1]))
    winner = WINNERS.get(result or "")
    return {
        "verdict": "verified" if ending else "unfinished",
        "plies": answer["plies"],
        "ending": ending,
        "result": result,
        "winner": winner,
        "sets": sets,
    }


def end(record: Text, game: Game) -> tuple[str | None, str | None]:
    """Return how a game ended, and its result by that."""
    final = game.final
    if final.ending:
        return final.ending, {1: "1-0", 2: "0-1", 0: "0-0" if final.ending == "both-lose" else game.tie}[
            final.winner or 0
        ]
    if record.loser:
        return "resign", {1: "0-1", 2: "1-0"}[record.loser]
    if record.tags.get("Termination") in ("resign", "time", "agreed"):
        return record.tags["Termination"], record.result
    if game.repeats(len(game.moves)) >= game.limit(2) and record.result in (None, game.tie):
        return "repetition", game.tie
    return None, None


def count(text: str) -> list[int]:
    """Return the answer to a question of the kind `counts`."""
    game = Game(parse(text))
    return [len(position.legal()) for position in game.positions[: len(game.moves)]]


def identify(text: str) -> str | None:
    """Return the answer to a question of the kind `game-id`."""
    record = parse(text)
    game = Game(record)
    if record.broken or not game.is_legal:
        return None
    has_claims = "written" in game.positions[0].options
    moves = [move if has_claims else re.sub(rf"(?<=\w) x {MARBLES}$", "", move) for move in record.moves]
    names = [normal(record.tags.get(tag, "?").removeprefix("?")) for tag in ("Player1", "Player2")]
    date = record.tags.get("Date", "")
    values = [game.positions[0].text(), " ".join(moves), *names, "" if date == "????.??.??" else date]
    number = int.from_bytes(hashlib.sha256("\n".join(values).encode()).digest()[:8], "big")
    return "".join(ALPHABET[number >> shift & 31] for shift in range(60, -1, -5))


def normal(name: str) -> str:
    folded = unicodedata.normalize("NFD", name).casefold()
    visible = "".join(letter for letter in folded if unicodedata.category(letter) != "Cf")
    return unicodedata.normalize("NFC", " ".join(visible.split()))
