"""List the notes of a record: comments, marks and variations."""

from __future__ import annotations

from zertz_db.parser.gipf import reader as gipf

Notes = list[tuple[str, str]]
"""(kind, text): a `comment` or a `variation`."""


def list_notes(notation: str, plies: int) -> list[Notes]:
    """Return the notes after each of the first `plies` plies of official notation; those before ply 1 are with ply 1."""
    record = next(gipf.read(notation), None)
    all_notes: list[Notes] = [[] for _ in range(plies)]
    if record is None:
        return all_notes
    for notes, ply in zip(all_notes, record.plies, strict=False):
        if ply.marks:
            notes.append(("comment", " ".join(ply.marks)))
        if ply.comment:
            notes.append(("comment", ply.comment))
        notes += [("variation", text) for text in ply.variations]
    if record.comment and all_notes:
        all_notes[0].insert(0, ("comment", record.comment))
    return all_notes
