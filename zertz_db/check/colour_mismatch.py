"""Compare the superfluous colours that a record writes with the marbles: the jumping one and the captured ones."""

from __future__ import annotations

from zertz_db.check.checked_record import complete
from zertz_db.check.findings import OTHER_COLOURS, Finding, make_finding
from zertz_db.check.replay.attempt import Attempt
from zertz_db.parser.packed_plies import PackedPlies
from zertz_db.parser.record import CAPTURE, Ply


def other_colours(tried: Attempt) -> list[Finding]:
    """Return a finding on the first ply with wrong colours; its rings alone determine the move."""
    if isinstance(tried.plies, PackedPlies):  # these have no such colours
        return []
    for number, ply in enumerate(tried.plies[: tried.played]):
        if ply.taken is None and (ply.kind != CAPTURE or ply.colour is None):
            continue
        played = complete(tried, number)
        if ply.kind == CAPTURE and ply.colour not in (None, played.colour):
            message = f"the record states {ply.colour} for the jumping marble; it is {played.colour}"
        elif ply.taken is not None and sorted(ply.taken) != sorted(_captured(played)):
            message = f"the record states {ply.taken} for the captured marbles; they are {_captured(played) or 'none'}"
        else:
            continue
        return [make_finding(OTHER_COLOURS, message, ply.span, tried.record_ply(number))]
    return []


def _captured(ply: Ply) -> str:
    return "".join(marble.colour or "" for marble in (*ply.jumps, *ply.claim))
