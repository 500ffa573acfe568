"""What a record says beside its moves: comments, marks and variations."""

from __future__ import annotations

from parser.gipf import reader as gipf

Notes = list[tuple[str, str]]
"""(kind, text): a `comment` or a `variation`."""


def list_notes(notation: str, plies: int) -> list[Notes]:
    """The notes behind each of so many plies in official notation; what stands before the first ply is with the first."""
    record = next(gipf.read(notation), None)
    found: list[Notes] = [[] for _ in range(plies)]
    if record is None:
        return found
    for notes, ply in zip(found, record.plies, strict=False):
        if ply.marks:
            notes.append(("comment", " ".join(ply.marks)))
        if ply.comment:
            notes.append(("comment", ply.comment))
        notes += [("variation", text) for text in ply.variations]
    if record.comment and found:
        found[0].insert(0, ("comment", record.comment))
    return found
