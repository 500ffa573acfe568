"""What can be played in a position, as tables."""

from __future__ import annotations

from zertz_db.queries.result import Column, Result
from zertz_db.rules.moves import Choice, Moves
from zertz_db.rules.ruleset import COLOURS

_TAKEN = Column("taken", "the marbles that it captures: so many of each colour")
_ENDING = Column("ending", "how the game ends with it: set, board-filled, both-lose or no-move; empty where it goes on")


def moves_table(found: Moves) -> Result:
    """Tabulate all legal moves, one by one."""
    columns = (
        Column("move", "the move in official notation, with its claims"),
        Column("colour", "the marble that is placed"),
        Column("ring", "where it is placed, or which marble jumps"),
        Column("removed", "the ring that is removed"),
        Column("claimed", "the rings that it claims, or where claims are written may claim"),
        _TAKEN,
        _ENDING,
        Column("sets", "the winning sets that it completes"),
        Column("forces", "whether the opponent must capture after it"),
    )
    return Result(columns, [_row(choice) for choice in found.choices])


def claims_table(found: Moves) -> Result:
    """Tabulate what placements claim, most rings first."""
    columns = (
        Column("rings", "the rings that are claimed, or where claims are written may be claimed"),
        Column("placements", "placements that claim just these"),
        Column("for instance", "the first of them"),
    )
    return Result(columns, [(" ".join(claim.rings), claim.placements, claim.example) for claim in found.claims])


def colours_table(found: Moves) -> Result:
    """Tabulate the placements by colour."""
    columns = (
        Column("colour", "the marble that is placed"),
        Column("left", "marbles of this colour to choose from: in the pool, or once that is empty the player's own"),
        Column("placements", "pairs of a ring for the marble and a ring to remove, if one is free"),
    )
    left = dict(zip(COLOURS, found.rack, strict=True))
    return Result(columns, [(colour, left[colour], count) for colour, count in found.by_colour.items()])


def lacking_table(found: Moves) -> Result:
    """Tabulate how many marbles each winning set still lacks."""
    first, _ = found.lacking
    columns = (Column("player"), *(Column(name, "marbles that this winning set still lacks") for name in first))
    return Result(columns, [(number, *lacking.values()) for number, lacking in enumerate(found.lacking, 1)])


def _row(choice: Choice) -> tuple[object, ...]:
    move = choice.move
    return (
        choice.notation,
        move.colour or None,
        move.ring or None,
        move.removed,
        " ".join(choice.claimed) or None,
        " ".join(f"{count}{colour}" for colour, count in zip(COLOURS, choice.taken, strict=True) if count) or None,
        choice.ending,
        " ".join(choice.winning_sets) or None,
        choice.forces,
    )
