"""What can be played in a position, in sentences and tables: the same on the command line and in the dashboard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from zertz_db.parser.vocabulary.terms import ENDINGS_BY_MOVES, MoveKind, list_terms
from zertz_db.queries.result import Column, Result
from zertz_db.rules.moves import Choice, Moves
from zertz_db.rules.rule_sets import COLOURS, NAMES

_SHOWN = ("move", "taken", "ending", "sets", "forces")
"""The columns that say more than the move itself."""


def sentences(found: Moves) -> Iterator[str]:
    """Say why the moves are of their kind, how many there are, and which rings are free."""
    yield f"{found.reason[0].upper()}{found.reason[1:]}."
    if found.kind == MoveKind.PLACEMENT:
        counts = ", ".join(f"{count:,} {NAMES[colour]}" for colour, count in found.by_colour.items())
        yield f"{_counted(found.choices, MoveKind.PLACEMENT)} ({counts}){_forcing(found)}."
        free = found.position.free_rings
        yield f"{_counted(free, 'free ring')}{': ' if free else ''}{' '.join(free)}."
    elif found.kind == MoveKind.CAPTURE:
        yield f"{'' if found.is_complete else 'More than '}{_counted(found.choices, MoveKind.CAPTURE)}{_forcing(found)}."


def sections(found: Moves, most: int | None = None) -> Iterator[tuple[str, Result]]:
    """Tabulate captures, moves that end the game, claims, and what both players lack, each as a heading and a table.

    Placements are listed only if they are at most `most`, or if that is None.
    """
    if found.kind == MoveKind.CAPTURE or (
        found.kind == MoveKind.PLACEMENT and (most is None or len(found.choices) <= most)
    ):
        yield f"{found.kind}s", _filled(moves_table(found))
    elif found.endings:
        yield "moves that end the game", _filled(moves_table(replace(found, choices=found.endings)))
    if found.claims:
        is_written = found.position.rules.written_claims
        yield "rings that a placement " + ("may claim" if is_written else "claims"), _claims(found)
    yield "marbles that each winning set still lacks", _lacking(found)


def moves_table(found: Moves) -> Result:
    """Tabulate all legal moves, one by one."""
    columns = (
        Column("move", "the move in official notation, with its claims"),
        Column("colour", "the marble that is placed"),
        Column("ring", "where it is placed, or which marble jumps"),
        Column("removed", "the ring that is removed"),
        Column("claimed", "the rings that it claims, or where claims are written may claim"),
        Column("taken", "the marbles that it captures"),
        Column("ending", f"how the game ends with it: {list_terms(ENDINGS_BY_MOVES)}; empty where it goes on"),
        Column("sets", "the winning sets that it completes"),
        Column("forces", "whether the opponent must capture after it"),
    )
    return Result(columns, [_row(choice) for choice in found.choices])


def _row(choice: Choice) -> tuple[object, ...]:
    move = choice.move
    taken = [f"{count}{colour}" for colour, count in zip(COLOURS, choice.taken, strict=True) if count]
    return (
        choice.notation,
        move.colour or None,
        move.ring or None,
        move.removed,
        " ".join(choice.claimed) or None,
        " ".join(taken) or None,
        choice.ending,
        " ".join(choice.winning_sets) or None,
        choice.forces,
    )


def _filled(table: Result) -> Result:
    rows = table.dicts()
    told = [name for name in _SHOWN if any(row[name] for row in rows)]
    columns = tuple(column for column in table.columns if column.name in told)
    return Result(columns, [tuple(row[name] for name in told) for row in rows])


def _claims(found: Moves) -> Result:
    columns = (
        Column("rings", "the rings that are claimed"),
        Column("placements", "placements that claim just these"),
        Column("for instance", "the first of them"),
    )
    return Result(columns, [(" ".join(claim.rings), claim.placements, claim.example) for claim in found.claims])


def _lacking(found: Moves) -> Result:
    names = found.lacking[0]
    columns = (Column("player"), *(Column(name, "marbles that this winning set still lacks") for name in names))
    return Result(columns, [(number, *lacking.values()) for number, lacking in enumerate(found.lacking, 1)])


def _counted(things: Sequence[object], noun: str) -> str:
    return f"{len(things):,} {noun}{'s' * (len(things) != 1)}"


def _forcing(found: Moves) -> str:
    return f"; after {found.forcing:,} of them player {3 - found.position.side} must capture" if found.forcing else ""
