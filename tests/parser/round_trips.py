"""Write generated games in every form, and read them back: `python -m tests.parser.round_trips 1000`.

A game that is written and read again must be equal in verdict, start, plies with all that they capture, result and ending. Its record's
other statements must be there again, or be named as lost.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.parser.forms import FORMS
from zertz_db.check.check_record import check
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.parser import dialects
from zertz_db.parser.dialects import Unwritable, read
from zertz_db.parser.record import PASS, Record
from zertz_db.parser.text.time_control import time_used
from zertz_db.play.generate import generate_games
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.position import Position

RULE_SETS = ("standard", "blitz", "standard+tournament", "standard+written")
HANDICAP = Position.parse("48 standard ooooo/oooooo/ooooooo/oooooooo/ooooooo/oooooo/ooooo/oooo 5/7/9 0/0/0 1/1/1 1")
CUSTOM = Position.parse("custom standard a-2:ooo/b-3:oooo/c-4:ooooo/d-3:oooo/e-2:ooo 6/8/10 0/0/0 0/0/0 1")
SERVER = Position.parse("custom standard d4:..oooo/e3:.ooooo/f4:.oBoooo/g3:.ooooo/h4:..oooo 6/7/8 0/1/0 0/0/1 1")
"""A custom board whose rings are where the game server has them; only there can they have these names."""
ONE_SIDED = Position.parse(
    "61 standard ooooo/oooooo/ooooooo/ooWooooo/ooooooooo/oooo..oo/ooooooo/oooooo/ooooo 5/8/10 0/0/0 0/0/0 1"
)


def settings() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every board under every rule set, and custom starts: the description, and the arguments of `generate`."""
    for board in STANDARD_BOARDS:
        for rules in RULE_SETS:
            yield f"{board} {rules}", {"board": board, "rule_set": rules}
    yield "handicap", {"start": HANDICAP}
    yield "custom", {"start": CUSTOM}
    yield "custom of the server", {"start": SERVER}
    yield "set up", {"start": ONE_SIDED}


def expressed(form: str, setting: dict[str, Any]) -> bool:
    """Return whether a form has games of this setting."""
    rules, start = setting.get("rule_set", "standard"), setting.get("start")
    if form in ("gipf", "jsonl"):
        return True
    if form == "boardspace":
        return rules == "standard" and start is not CUSTOM and setting.get("board", "37") in ("37", "48", "61")
    return rules == "standard" and start is not SERVER


def completed(count: int, seed: int, **setting: Any) -> Iterator[Record]:
    """Yield generated games as a check completes them."""
    for record in generate_games(count, seed=seed, annotated=True, **setting):
        yield check(record, full=False).completed()


def essence(record: Record) -> dict[str, Any]:
    """Return the parts of a game that a round trip must preserve."""
    return essence_of(check(record, full=False))


def essence_of(checked: CheckedRecord, completed: Record | None = None) -> dict[str, Any]:
    """Return the essence of a record that has been checked and perhaps completed."""
    game = completed or checked.completed()
    return {
        "verdict": checked.verdict,
        "start": (game.board, _placed(game.position), game.rule_set, game.tournament, game.claims),
        "moves": checked.moves,
        "result": game.result,
        "ending": (game.ending, game.ending_by) if game.ending not in ("agreed", None) else None,
        "players": (game.player1, game.player2),
    }


def notes_of(record: Record) -> dict[str, Any]:
    """Return a completed record's statements beyond the game, by the kind of loss in a form that can't express them."""
    plies = [ply for ply in record.plies if ply.kind != PASS]
    return {
        "clocks": [ply.clock for ply in plies],
        "comments": (record.comment, [ply.comment for ply in plies]),
        "marks": [ply.marks for ply in plies],
        "variations": [ply.variations for ply in plies],
        "unfinished turns": record.half_turn is not None,
        "events": record.event,
        "rounds": record.round,
        "dates": record.date,
        "times of day": record.time,
    }


def unnamed_differences(record: Record, again: Record, losses: tuple[str, ...]) -> list[str]:
    """Return the kinds of differences between two completed records that no loss names."""
    one, other = notes_of(record), notes_of(again)
    used = time_used(record)
    if record.clock == "down" and again.clock == "up" and used is not None:
        one["clocks"] = [clock for ply, clock in zip(record.plies, used, strict=True) if ply.kind != PASS]
    named = {kind for loss in losses for kind in (loss, *CHANGES.get(loss, ()))}
    return [kind for kind in one if one[kind] != other[kind] and kind not in named]


CHANGES = {"braces in comments": ("comments",), "quotation marks and line breaks in tags": ("events", "rounds")}


def same_game(one: dict[str, Any], other: dict[str, Any], losses: tuple[str, ...]) -> bool:
    """Return whether two essences are of one game, perhaps with its stated result or ending named as lost."""
    endings = "resignations and losses on time"
    named = {"result": "results", "ending": endings, "verdict": endings}
    return all(one[fact] == other[fact] for fact in one if named.get(fact) not in losses)


def _placed(position: str | None) -> str | None:
    """Return a position with the first ring of a custom board at height 0: its place on the lattice has no meaning."""
    if not position or not position.startswith("custom"):
        return position
    columns = re.findall(r"([a-q])(-?[0-9]+):(\.*)([^/ ]+)", position)
    heights = [int(height) + 2 * len(gaps) for _, height, gaps, _ in columns]
    numbers = [len(gaps) for _, _, gaps, _ in columns]
    rest = position[position.index(" ", position.index(":")) :]
    layout = "/".join(
        f"{letter}{height - heights[0]}+{number}:{signs.rstrip('.')}"
        for (letter, _, _, signs), height, number in zip(columns, heights, numbers, strict=True)
    )
    return layout + rest


def there_and_back(form: str, record: Record) -> tuple[dict[str, Any], dict[str, Any]] | Unwritable:
    """Return a game and what is read after writing it; or why it can't be written.

    `unnamed` has the losses that are not named.
    """
    written = dialects.write(record, form)
    if isinstance(written, Unwritable):
        return written
    (again,) = read(written.text, form)
    completed = check(again, full=False).completed()
    unnamed = unnamed_differences(record, completed, written.losses)
    return {**essence(record), "unnamed": []}, {**essence(again), "unnamed": unnamed}


def moves_again(form: str, record: Record) -> tuple[list[str], list[str]]:
    """Return a game's moves, and the moves read from it in a read-only form."""
    dialect, write, _, _ = FORMS[form]
    (again,) = read(write(record), dialect)
    return check(record, full=False).moves, check(again, full=False).moves


def main() -> None:
    """Count the games that come back the same, by setting and form."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    wrong = 0
    for name, setting in settings():
        counts: Counter[str] = Counter()
        for record in completed(games, 77, **setting):
            for form, kind in outcomes(record, setting):
                counts[f"{form} {kind}"] += 1
                wrong += kind == WRONG
        print(f"{name}: " + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())), flush=True)
    sys.exit(wrong > 0)


WRONG = "WRONG"


def outcomes(record: Record, setting: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each form that has games of a setting, and whether the game comes back."""
    for form in dialects.FORMS:
        outcome = there_and_back(form, record)
        if isinstance(outcome, Unwritable):
            yield form, "refused"
        else:
            yield form, "same" if outcome[0] == outcome[1] else WRONG
    for form in forms_of(setting):
        written, again = moves_again(form, record)
        yield form, "same" if written == again else WRONG


def forms_of(setting: dict[str, Any]) -> list[str]:
    """Return the read-only forms that have games of a setting."""
    board, rules = setting.get("board"), setting.get("rule_set")
    return [form for form, (_, _, boards, rule_sets) in FORMS.items() if board in boards and rules in rule_sets]


if __name__ == "__main__":
    main()
