"""Write the read-only dialects as programs do: for tests, which read them back."""

from collections.abc import Callable, Iterator

from zertz_db.parser.gipf.writer import ply_text
from zertz_db.parser.record import CAPTURE, PASS, Ply, Record
from zertz_db.parser.text.ring_names import DIAGONAL_NUMBERS, RISING_NUMBERS, official_names, rename_rings

_STEPS = {(-1, 0): "l", (-1, 1): "lu", (0, 1): "ru", (1, 0): "r", (1, -1): "rd", (0, -1): "ld"}
_WINNERS = {"1-0": "# Winner: Player 1\n", "0-1": "# Winner: Player 2\n", "1/2-1/2": "# Result: Tie\n"}


def _named(record: Record, coordinates: str) -> list[Ply]:
    names = {ring: name for name, ring in official_names(record.board or "", coordinates).items()}
    return [rename_rings(ply, names.__getitem__) for ply in record.plies]


def _single_jumps(ply: Ply) -> Iterator[Ply]:
    if ply.kind != CAPTURE:
        yield ply
        return
    ring = ply.ring
    for jump in ply.jumps:
        yield ply._replace(ring=ring, jumps=(jump,))
        ring = jump.ring


def _header(record: Record) -> str:
    return f"{record.board}{' Blitz' if record.rule_set == 'blitz' else ''}"


def zertz3d(record: Record) -> str:
    names = f"# Player 1: {record.player1}\n# Player 2: {record.player2}\n"
    plies = (rename_rings(ply, lambda ring: ring.replace("i", "j")) for ply in record.plies)
    moves = "".join(f"{ply_text(jump)}\n" for ply in plies for jump in _single_jumps(ply))
    return f"{_header(record)}\n{names}{moves}{_WINNERS.get(record.result or '', '')}"


def transcript(record: Record) -> str:
    lines = ["# Seed: 5", f"# Rings: {record.board}"]
    lines += ["# Variant: Blitz"] if record.rule_set == "blitz" else []
    lines += [f"# Player 1: {record.player1}", f"# Player 2: {record.player2}", "#"]
    for number, ply in enumerate(record.plies):
        for action in map(_action, _single_jumps(ply)):
            lines.append(f"Player {number % 2 + 1}: {action}")
    lines += ["#", "# Final game state:"]
    return "\n".join(lines)


def _action(ply: Ply) -> dict[str, str]:
    def cell(ring: str | None) -> str:
        return (ring or "").replace("i", "j").upper()

    if ply.kind == PASS:
        return {"action": "PASS"}
    if ply.kind == CAPTURE:
        (jump,) = ply.jumps
        colours = {"marble": (ply.colour or "").lower(), "capture": (jump.colour or "").lower()}
        return {"action": "CAP", "src": cell(ply.ring), "dst": cell(jump.ring), **colours}
    marble = (ply.colour or "").lower()
    return {"action": "PUT", "marble": marble, "dst": cell(ply.ring), "remove": cell(ply.removed)}


def _terse(ply: Ply) -> str:
    if ply.kind == CAPTURE:
        return "-".join([ply.ring, *(jump.ring for jump in ply.jumps)])
    return f"{(ply.colour or '').lower()}{ply.ring}" + (f",{ply.removed}" if ply.removed else "")


def _stated(record: Record, language: str) -> str:
    """Return the facts that the plies of a short game may leave open, as tags."""
    return f'[Board "{record.board}"]\n[Language "{language}"]\n\n'


def terse(record: Record) -> str:
    return _stated(record, "en") + " ".join(map(_terse, record.plies))


def terse_list(record: Record) -> str:
    return _stated(record, "en") + f"GAME = {list(map(_terse, record.plies))}\n"


def terse_with_commas(record: Record) -> str:
    return _stated(record, "en") + ", ".join(map(_terse, record.plies))


def newsletter(record: Record) -> str:
    italian = str.maketrans({"W": "B", "B": "N"})
    plies = [ply_text(ply).translate(italian).replace(",", ", ") for ply in _named(record, DIAGONAL_NUMBERS)]
    turns = [", ".join(plies[at : at + 2]) for at in range(0, len(plies), 2)]
    return _stated(record, "it") + "; ".join(f"{number}. {turn}" for number, turn in enumerate(turns, 1))


def mail(record: Record) -> str:
    title = "Zertz" if record.board == "37" else "Zertz+11"
    head = f"Summary of {title} Board 1234\n\nPlayer 1   Player 2\n{record.player1}   {record.player2}\n"
    moves = [f"  {number} {ply_text(ply)}\n" for number, ply in enumerate(record.plies, 1)]
    half = len(moves) // 2
    return f"{head}{''.join(moves[:half])}\nBye\n\n{head}{''.join(moves[half // 2 :])}"


def rec(record: Record) -> str:
    lines = ["#", "# Zertz game record", "# Game started Mon Sep 11 16:49:04 2017", "#"]
    for number, ply in enumerate(record.plies, 1):
        text = ply_text(ply)
        if ply.kind == CAPTURE:
            text = f"x {ply.ring} " + " ".join(f"{jump.colour} {jump.ring}" for jump in ply.jumps)
        elif ply.claim:
            text = text.split(" x ")[0] + " x " + " ".join(f"{colour}{ring}" for colour, ring in ply.claim)
        lines.append(f"{number:2} {text} ")
    return "\n".join([*lines, "# Game ended"])


def openxum(record: Record) -> str:
    actions = []
    for number, ply in enumerate(_named(record, DIAGONAL_NUMBERS)):
        player = number % 2 + 1
        if ply.kind == CAPTURE:
            jumps = _single_jumps(ply)
            actions += [f"Ca{player}{jump.ring.upper()}{jump.jumps[0].ring.upper()}" for jump in jumps]
        else:
            actions.append(f"Pm{player}{ply.ring.upper()}{ply.colour}")
            actions += [f"Rr{player}{ply.removed.upper()}"] if ply.removed else []
    return "".join(actions)


def direction(record: Record) -> str:
    return "\n".join(map(_direction, _named(record, RISING_NUMBERS)))


def _direction(ply: Ply) -> str:
    if ply.kind == CAPTURE:
        steps = []
        for jump in _single_jumps(ply):
            here, there = jump.ring, jump.jumps[0].ring
            columns, numbers = ord(there[0]) - ord(here[0]), int(there[1:]) - int(here[1:])
            steps.append(_STEPS[columns // 2, numbers // 2])
        return "-".join([ply.ring.upper(), *steps])
    removed = f"/{ply.removed.upper()}" if ply.removed else ""
    return f"{ply.ring.upper()}:{(ply.colour or '').lower()}{removed}"


FORMS: dict[str, tuple[str, Callable[[Record], str], tuple[str, ...], tuple[str, ...]]] = {
    "zertz3d": ("zertz3d", zertz3d, ("37", "48", "61"), ("standard", "blitz")),
    "transcript": ("transcript", transcript, ("37", "48", "61"), ("standard", "blitz")),
    "terse": ("terse", terse, ("37", "40", "43", "44", "48", "61"), ("standard",)),
    "terse list": ("terse", terse_list, ("37", "40", "43", "44", "48", "61"), ("standard",)),
    "terse with commas": ("terse", terse_with_commas, ("37", "40", "43", "44", "48", "61"), ("standard",)),
    "newsletter": ("newsletter", newsletter, ("37", "40", "43", "44", "48", "61"), ("standard",)),
    "mail": ("mail", mail, ("37", "48"), ("standard",)),
    "rec": ("rec", rec, ("37",), ("standard",)),
    "openxum": ("openxum", openxum, ("37",), ("standard",)),
    "direction": ("direction", direction, ("37",), ("standard",)),
}
"""For each form its dialect, its writer, and its boards and rule sets."""
