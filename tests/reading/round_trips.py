"""Made-up games through every form that can be written, and back: `python -m tests.reading.round_trips 1000`.

A game that is written and read again must be the same game: verdict, start, plies with all that they capture, result and ending.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from parser.dialects import WRITERS, Unwritable, read
from parser.record import Record
from tests.reading.forms import FORMS
from zertz_db.check.replay import check
from zertz_db.play.generate import generate
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.position import Position

RULE_SETS = ("standard", "blitz", "standard+tournament", "standard+written")
HANDICAP = Position.parse("48 standard ooooo/oooooo/ooooooo/oooooooo/ooooooo/oooooo/ooooo/oooo 5/7/9 0/0/0 1/1/1 1")
CUSTOM = Position.parse("custom standard a-2:ooo/b-3:oooo/c-4:ooooo/d-3:oooo/e-2:ooo 6/8/10 0/0/0 0/0/0 1")


def settings() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every board under every rule set, and starts of one's own: what it is, and the arguments of `generate`."""
    for board in STANDARD_BOARDS:
        for rules in RULE_SETS:
            yield f"{board} {rules}", {"board": board, "rule_set": rules}
    yield "handicap", {"start": HANDICAP}
    yield "custom", {"start": CUSTOM}


def expressed(form: str, setting: dict[str, Any]) -> bool:
    """Whether a form has games of this setting."""
    rules, start = setting.get("rule_set", "standard"), setting.get("start")
    if form in ("gipf", "jsonl"):
        return True
    if form == "boardspace":
        return rules == "standard" and start is None and setting["board"] in ("37", "48", "61")
    return rules == "standard"


def completed(count: int, seed: int, **setting: Any) -> Iterator[Record]:
    """Made-up games as a check completes them."""
    for record in generate(count, seed=seed, annotated=True, **setting):
        yield check(record, full=False).completed()


def essence(record: Record) -> dict[str, Any]:
    """What must be the same after a round trip."""
    checked = check(record, full=False)
    game = checked.completed()
    return {
        "verdict": checked.verdict,
        "start": (game.board, _placed(game.position), game.rule_set, game.tournament, game.claims),
        "moves": checked.moves,
        "result": game.result,
        "ending": game.ending if game.ending != "agreed" else None,
        "players": (game.player1, game.player2),
    }


def _placed(position: str | None) -> str | None:
    """A position with the first column of a custom board at height 0: where its rings lie on the lattice is nothing of its own."""
    heights = [int(height) for height in re.findall(r"[a-q](-?[0-9]+):", position or "")]
    return re.sub(r"-?[0-9]+:", lambda found: f"{int(found[0][:-1]) - heights[0]}:", position) if heights else position


def there_and_back(form: str, record: Record) -> tuple[dict[str, Any], dict[str, Any]] | Unwritable:
    """What a game is, and what is read of it when it has been written; or why it can't be written."""
    text = WRITERS[form](record)
    if isinstance(text, Unwritable):
        return text
    (again,) = read(text, form)
    return essence(record), essence(again)


def moves_again(form: str, record: Record) -> tuple[list[str], list[str]]:
    """A game's moves, and those that are read of it in a form that is only read."""
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
    """Each form that has games of a setting, and whether the game comes back."""
    for form in WRITERS:
        outcome = there_and_back(form, record)
        if isinstance(outcome, Unwritable):
            yield form, "refused"
        else:
            yield form, "same" if outcome[0] == outcome[1] else WRONG
    for form in forms_of(setting):
        written, again = moves_again(form, record)
        yield form, "same" if written == again else WRONG


def forms_of(setting: dict[str, Any]) -> list[str]:
    """The forms, of those that are only read, that have games of a setting."""
    board, rules = setting.get("board"), setting.get("rule_set")
    return [form for form, (_, _, boards, rule_sets) in FORMS.items() if board in boards and rules in rule_sets]


if __name__ == "__main__":
    main()
