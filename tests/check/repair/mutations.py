"""Put faults into verified games, and measure the verdicts and the repairs.

`python -m tests.check.repair.mutations --games 1000 --from FOLDER` puts one fault of each kind into each of a number of generated games, on
all boards and under all rules, and into as many games of files and archives. It compares every verdict with a slow and obvious replay. By
kind of fault it prints how many stay legal, how many of these leave the game unchanged or contradict the result or ending, and how often
the original is among the first repairs. `--minutes` bounds the time, half of it for each kind of games.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields

from tests.check import slow_reference
from zertz_db.check.check_many import check_all
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.repair.repairs import find_repairs
from zertz_db.ingest.records.read_records import SourceRecord, read_and_check
from zertz_db.ingest.sources.discover import find_files, list_places
from zertz_db.ingest.sources.place import Place
from zertz_db.ingest.sources.read_bytes import read_contents
from zertz_db.parser.gipf import reader as gipf
from zertz_db.play.generate import generate_games
from zertz_db.rules import compiled
from zertz_db.rules.rule_sets import RULE_SETS

RING = re.compile(r"[a-q]\d+")
CONTRADICTIONS = {"W401", "W412", "W415"}
SETTINGS = (
    ("37", "standard"),
    ("37", "blitz"),
    ("48", "standard"),
    ("61", "standard"),
    ("40", "standard"),
    ("43", "standard"),
    ("44", "standard"),
    ("48", "standard+tournament"),
    ("61", "standard+written"),
)


@dataclass(frozen=True)
class Game:
    """A verified game: its record's statements, and its plies in canonical notation."""

    statements: slow_reference.Statements
    ending_by: int | None
    plies: tuple[str, ...]

    def text(self, plies: Iterable[str], board: str | None = None, rule_set: str | None = None) -> str:
        """Return its record with these plies, and perhaps on another board."""
        statements = self.statements
        tags = {
            "Board": board or statements.board,
            "RuleSet": rule_set or statements.rule_set,
            "Result": statements.result,
        }
        tags |= {"Termination": statements.ending} if statements.ending else {}
        tags |= {"OutOfTime": f"Player{self.ending_by}"} if statements.ending == "time" and self.ending_by else {}
        tags |= {"Tournament": "yes"} if statements.tournament else {}
        tags |= {"Claims": statements.claims} if statements.claims else {}
        tags |= {"Coordinates": "columns"}  # stated facts are never varied
        resigns = f" Player{self.ending_by} resigns" if statements.ending == "resign" and self.ending_by else ""
        head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
        return f"{head}\n{' '.join(plies)}{resigns} {statements.result}\n"


@dataclass(frozen=True)
class Fault:
    """A game's plies with a fault in them and its number from 0, or another board and rule set than the game's."""

    plies: tuple[str, ...]
    board: str | None = None
    rule_set: str | None = None


Maker = Callable[[Game, random.Random], Fault | None]


def _places(game: Game, wanted: Callable[[str], bool]) -> list[int]:
    return [number for number, ply in enumerate(game.plies) if wanted(ply)]


def is_placement(ply: str) -> bool:
    return ply[0] in "WGB"


def is_capture(ply: str) -> bool:
    return ply[0] == "x"


def has_claim(ply: str) -> bool:
    return is_placement(ply) and " x " in ply


def one_ply(wanted: Callable[[str], bool], change: Callable[[str, Game, random.Random], str | None]) -> Maker:
    """Return a fault in one ply."""

    def make(game: Game, chance: random.Random) -> Fault | None:
        numbers = _places(game, wanted)
        if not numbers:
            return None
        number = chance.choice(numbers)
        changed = change(game.plies[number], game, chance)
        if changed is None or changed == game.plies[number]:
            return None
        return Fault((*game.plies[:number], changed, *game.plies[number + 1 :]))

    return make


def neighbour(ring: str, chance: random.Random) -> str:
    """Return a ring's name with letter or number off by one."""
    letter, number = ring[0], int(ring[1:])
    near = [
        f"{letter}{number - 1}",
        f"{letter}{number + 1}",
        f"{chr(ord(letter) - 1)}{number}",
        f"{chr(ord(letter) + 1)}{number}",
    ]
    return chance.choice([other for other in near if re.fullmatch(r"[a-i][1-9]", other)])


def any_ring(game: Game, chance: random.Random) -> str:
    return chance.choice(list(slow_reference.places(game.statements.board)))


def _ring(
    which: int, to: Callable[[str, Game, random.Random], str]
) -> Callable[[str, Game, random.Random], str | None]:
    """Another ring for the placed (0), removed (1) or last one."""

    def change(ply: str, game: Game, chance: random.Random) -> str | None:
        head, claim, rest = ply.partition(" x ") if is_placement(ply) else (ply, "", "")
        found = list(RING.finditer(head))
        if which >= len(found):
            return None
        at = found[which]
        return head[: at.start()] + to(at[0], game, chance) + head[at.end() :] + claim + rest

    return change


def _near(ring: str, _: Game, chance: random.Random) -> str:
    return neighbour(ring, chance)


def _any(_: str, game: Game, chance: random.Random) -> str:
    return any_ring(game, chance)


def _other_colour(at: int) -> Callable[[str, Game, random.Random], str | None]:
    """Another letter for the marble that is number `at` in the ply."""

    def change(ply: str, _: Game, chance: random.Random) -> str | None:
        found = list(re.finditer("[WGB]", ply))
        if not found:
            return None
        letter = found[at]
        other = chance.choice([colour for colour in "WGB" if colour != letter[0]])
        return ply[: letter.start()] + other + ply[letter.end() :]

    return change


def _swapped_rings(ply: str, _: Game, __: random.Random) -> str | None:
    return re.sub(r"([a-q]\d+),([a-q]\d+)", r"\2,\1", ply, count=1)


def _without_removal(ply: str, _: Game, __: random.Random) -> str | None:
    return re.sub(r",[a-q]\d+", "", ply, count=1)


def _without_last_jump(ply: str, _: Game, __: random.Random) -> str | None:
    return ply[: -len(RING.findall(ply)[-1]) - 1]


def _jump_more(ply: str, game: Game, chance: random.Random) -> str | None:
    """Return the ply with one more jump in any direction."""
    place = slow_reference.places(game.statements.board)
    x, y = place[RING.findall(ply)[-1]]
    there = [ring for ring, (a, b) in place.items() if (abs(a - x), abs(b - y)) in ((0, 4), (2, 2))]
    return f"{ply}{chance.choice('WGB')}{chance.choice(there)}" if there else None


def _turned_round(ply: str, _: Game, __: random.Random) -> str | None:
    first, *_, last = RING.findall(ply)
    return f"x {last}{ply[2 + len(first) : -len(last)]}{first}"


def _more_claimed(ply: str, game: Game, chance: random.Random) -> str:
    head, _, claim = ply.partition(" x ")
    return f"{head} x {claim}{chance.choice('WGB')}{any_ring(game, chance)}"


def _less_claimed(ply: str, _: Game, __: random.Random) -> str:
    head, _, claim = ply.partition(" x ")
    first = re.match(r"[WGB][a-q]\d+", claim)
    rest = claim[first.end() :] if first else ""
    return f"{head} x {rest}" if rest else head


def _without_claim(ply: str, _: Game, __: random.Random) -> str:
    return ply.partition(" x ")[0]


def left_out(game: Game, chance: random.Random) -> Fault | None:
    number = chance.randrange(len(game.plies))
    return Fault(game.plies[:number] + game.plies[number + 1 :])


def written_twice(game: Game, chance: random.Random) -> Fault | None:
    number = chance.randrange(len(game.plies))
    return Fault(game.plies[: number + 1] + game.plies[number:])


def swapped(game: Game, chance: random.Random) -> Fault | None:
    if len(game.plies) < 2:
        return None
    number = chance.randrange(len(game.plies) - 1)
    plies = list(game.plies)
    plies[number : number + 2] = plies[number + 1], plies[number]
    return Fault(tuple(plies)) if tuple(plies) != game.plies else None


def mirrored(game: Game, _: random.Random) -> Fault | None:
    """Columns counted from the right: on 48 rings that is another board."""
    if game.statements.board != "48":
        return None
    table = str.maketrans("abcdefgh", "hgfedcba")
    return Fault(tuple(ply.translate(table) for ply in game.plies))


def on_diagonals(game: Game, _: random.Random) -> Fault | None:
    """Numbers run along diagonals right of the middle."""
    if game.statements.board not in ("37", "48", "61"):
        return None
    middle = {"37": "d", "48": "d", "61": "e"}[game.statements.board]

    def renamed(match: re.Match[str]) -> str:
        letter, number = match[0][0], int(match[0][1:])
        return f"{letter}{number + max(0, ord(letter) - ord(middle))}"

    return Fault(tuple(RING.sub(renamed, ply) for ply in game.plies))


def other_board(game: Game, chance: random.Random) -> Fault | None:
    boards = [board for board in slow_reference.COLUMNS if board != game.statements.board]
    return Fault(game.plies, board=chance.choice(boards))


def other_rule_set(game: Game, _: random.Random) -> Fault | None:
    return (
        Fault(game.plies, rule_set=next(name for name in RULE_SETS if name != game.statements.rule_set))
        if not game.statements.tournament
        else None
    )


KINDS: dict[str, Maker] = {
    "placed ring, neighbour": one_ply(is_placement, _ring(0, _near)),
    "placed ring, any other": one_ply(is_placement, _ring(0, _any)),
    "removed ring, neighbour": one_ply(is_placement, _ring(1, _near)),
    "removed ring, any other": one_ply(is_placement, _ring(1, _any)),
    "colour placed": one_ply(is_placement, _other_colour(0)),
    "ring and removed ring swapped": one_ply(is_placement, _swapped_rings),
    "removed ring left out": one_ply(is_placement, _without_removal),
    "colour jumped": one_ply(is_capture, _other_colour(0)),
    "landing, neighbour": one_ply(is_capture, _ring(1, _near)),
    "start of a jump, neighbour": one_ply(is_capture, _ring(0, _near)),
    "last jump left out": one_ply(lambda ply: is_capture(ply) and len(RING.findall(ply)) > 2, _without_last_jump),
    "a jump too many": one_ply(is_capture, _jump_more),
    "capture turned round": one_ply(is_capture, _turned_round),
    "claimed colour": one_ply(has_claim, _other_colour(-1)),
    "claim with a marble more": one_ply(has_claim, _more_claimed),
    "claim with a marble less": one_ply(has_claim, _less_claimed),
    "claim left out": one_ply(has_claim, _without_claim),
    "ply left out": left_out,
    "ply written twice": written_twice,
    "plies swapped": swapped,
    "mirrored board": mirrored,
    "diagonal coordinates": on_diagonals,
    "another board": other_board,
    "another rule set": other_rule_set,
}


@dataclass
class Counts:
    """Results for the faults of one kind."""

    faults: int = 0
    legal: int = 0
    same: int = 0
    caught: int = 0
    tried: int = 0
    first: int = 0
    three: int = 0
    ten: int = 0
    disagreements: list[str] = field(default_factory=list)

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


def made_up(count: int) -> Iterator[Game]:
    """Games on every board, between players of both kinds."""
    for number, (board, rule_set) in enumerate(SETTINGS):
        share = count // len(SETTINGS) + (number < count % len(SETTINGS))
        records = generate_games(
            share, board=board, rule_set=rule_set, seed=17, first="greedy", second=("random", "greedy")[number % 2]
        )
        yield from _games(check_all(list(records)))


def archived(paths: list[str], count: int, seed: int) -> list[Game]:
    """Return a random sample of verified games of files and archives."""
    found = [place for place in list_places(find_files(paths)) if isinstance(place, Place)]
    random.Random(seed).shuffle(found)  # noqa: S311 - no secret
    games: list[Game] = []
    for begin in range(0, len(found), 200):
        sightings = read_and_check(read_contents(found[begin : begin + 200]))
        games += _games(sighted.checked for sighted in sightings if isinstance(sighted, SourceRecord))
        if len(games) >= count:
            break
    return games[:count]


def _games(checked: Iterable[CheckedRecord]) -> Iterator[Game]:
    for one in checked:
        if one.verdict != "verified" or not one.starts_as_usual or not one.plies or one.attempt is None:
            continue
        if one.result is None or one.record.half_turn or one.ending == "abandoned" or one.rule_set is None:
            continue
        rules = one.attempt.start.rules
        statements = slow_reference.Statements(
            one.board or "",
            one.rule_set,
            one.result,
            one.ending,
            rules.tournament,
            "written" if rules.written_claims else None,
        )
        yield Game(statements, one.ending_by, tuple(one.moves))


def measure(games: Iterable[Game], seed: int, with_repairs: int, told_every: int = 0) -> dict[str, Counts]:
    """Measure one fault of each kind in each game; search repairs in the first few games; report progress if asked."""
    found = {kind: Counts() for kind in KINDS}
    for number, game in enumerate(games):
        if told_every and number % told_every == 0 and number:
            differences = sum(len(counts.disagreements) for counts in found.values())
            print(f"{number} games, {differences} differences", file=sys.stderr, flush=True)
        chance = random.Random(f"{seed}/{number}")  # noqa: S311 - no secret
        faults = {kind: fault for kind, maker in KINDS.items() if (fault := maker(game, chance))}
        texts = [game.text(fault.plies, fault.board, fault.rule_set) for fault in faults.values()]
        records = [next(iter(gipf.read(text))) for text in texts]
        for (kind, fault), checked in zip(faults.items(), check_all(records, full=False), strict=True):
            _count(found[kind], game, fault, checked)
            if checked.verdict == "illegal" and number < with_repairs:
                _rank(found[kind], game, checked)
    return found


def _count(counts: Counts, game: Game, fault: Fault, checked: CheckedRecord) -> None:
    counts.faults += 1
    statements = game.statements
    read_as = slow_reference.Statements(
        fault.board or statements.board,
        fault.rule_set or statements.rule_set,
        statements.result,
        statements.ending,
        statements.tournament,
        statements.claims,
    )
    due = slow_reference.verdict(read_as, list(fault.plies))
    illegal_ply = next((one.ply for one in checked.findings if one.severity == "error"), None)
    if (checked.verdict, illegal_ply) != (due.verdict, due.illegal_ply):
        counts.disagreements.append(
            f"{checked.verdict} at {illegal_ply}, not {due.verdict} at {due.illegal_ply}: {game.text(fault.plies)}"
        )
    if checked.is_game:
        counts.legal += 1
        counts.same += tuple(checked.moves) == game.plies and fault.board is None and fault.rule_set is None
        counts.caught += bool(
            CONTRADICTIONS & {one.code for one in checked.findings} or checked.verdict == "unfinished"
        )


def _rank(counts: Counts, game: Game, checked: CheckedRecord) -> None:
    counts.tried += 1
    original = (game.statements.board, game.statements.rule_set, list(game.plies))
    for place, repair in enumerate(find_repairs(checked, 10)):
        repaired = repair.checked
        if repaired.is_game and (repaired.board, repaired.rule_set, repaired.moves) == original:
            counts.first += place < 1
            counts.three += place < 3
            counts.ten += 1
            return


COLUMNS = ("fault", "faults", "legal", "same", "caught", "repaired", "first", "first 3", "first 10", "differ")


def table(found: dict[str, Counts]) -> str:
    """Return the counts as lines: legal of all faults, unchanged and caught of the legal ones, the originals' places among the repairs."""
    return "\n".join(_line(*cells) for cells in (COLUMNS, *(_cells(kind, counts) for kind, counts in found.items())))


def _cells(kind: str, counts: Counts) -> tuple[str, ...]:
    legal = [
        _share(counts.legal, counts.faults),
        _share(counts.same, counts.legal),
        _share(counts.caught, counts.legal),
    ]
    places = [_share(found, counts.tried) for found in (counts.first, counts.three, counts.ten)]
    return kind, f"{counts.faults:,}", *legal, f"{counts.tried:,}", *places, str(len(counts.disagreements))


def _line(kind: str, *cells: str) -> str:
    return f"{kind:<31}" + "".join(f"{cell:>10}" for cell in cells)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


def _games_in(found: dict[str, Counts]) -> int:
    """Return the number of games tried: every game can lose a ply."""
    return found["ply left out"].faults


def in_time(games: Iterable[Game], minutes: float) -> Iterator[Game]:
    """Yield the games until the time is over."""
    end = time.monotonic() + 60 * minutes
    for game in games:
        if time.monotonic() > end:
            return
        yield game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="Number of generated games, and of games of --from.")
    parser.add_argument("--repairs", type=int, default=None, help="Search repairs in the first games of each only")
    parser.add_argument("--from", dest="paths", nargs="*", default=[], help="files, folders, archives with records")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop after so long with what there is by then")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    compiled.functions()  # once they are loaded, repairs use them
    sources = {"made-up games": list(made_up(options.games))}
    if options.paths:
        sources["games of files"] = archived(options.paths, options.games, options.seed)
    found = {kind: Counts() for kind in KINDS}
    for source, games in sources.items():
        random.Random(options.seed).shuffle(games)  # noqa: S311 - so that repairs are asked for on all boards
        some = in_time(games, options.minutes / len(sources))
        counted = measure(some, options.seed, options.games if options.repairs is None else options.repairs, 100)
        print(f"{_games_in(counted):,} of {len(games):,} {source}", flush=True)
        print(table(counted), flush=True)
        found = {kind: counts + counted[kind] for kind, counts in found.items()}
    print(f"all\n{table(found)}")
    disagreements = [line for counts in found.values() for line in counts.disagreements]
    for line in disagreements[:10]:
        print(line, file=sys.stderr)
    print(f"{_games_in(found):,} games; verdict or place differ from the slow replay {len(disagreements)} times")
    raise SystemExit(bool(disagreements))


if __name__ == "__main__":
    main()
