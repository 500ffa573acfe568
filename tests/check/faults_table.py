"""Read `faults.tsv`: records with one fault each, its code and place, and the best repair.

The columns, separated by tabs, are the code of the error; the record's tags, separated by `; `; its plies; the best repair in `Repair`'s
words, empty without one. In the plies « and » enclose the fault; without them the whole record is at fault. Suffixes of a ply express what
the official notation can't: `@own`, `@pool`, `@other` for the stated origin of the marble, `@1` and `@2` for the stated player, `@bare` for
missing jumps. A row whose first tag is Server (the variant) or ZIP is in the game server's or in ZEN's notation. All games are invented.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from zertz_db.parser.boardspace import reader as boardspace
from zertz_db.parser.gipf import reader as gipf
from zertz_db.parser.record import Ply, Record
from zertz_db.parser.zen import reader as zen

_NOTE = re.compile(r"@(own|pool|other|1|2|bare)")


class Row(NamedTuple):
    """A record with a fault, and the expected finding and repair."""

    code: str
    tags: tuple[tuple[str, str], ...]
    plies: str
    repair: str

    def __str__(self) -> str:
        return f"{self.code} {self.plies}"

    @property
    def text(self) -> str:
        """Return the record in its dialect, without the suffixes of plies."""
        if self.is_of_server:
            return f"(;GM[22]SU[{self.tags[0][1]}]{_bare(self.plies)})"
        tags = [*self.tags, *([("SetUp", "1")] if self.tags[0][0] == "Position" else [])]
        return "".join(f'[{name} "{value}"]\n' for name, value in tags) + f"\n{_bare(self.plies)}\n"

    @property
    def is_of_server(self) -> bool:
        """Return whether the plies are the game server's actions."""
        return self.tags[0][0] == "Server"

    @property
    def board(self) -> str:
        """Return the board that the record states: its name, or in ZEN its drawing."""
        return self.tags[0][1].split()[0]

    @property
    def fault(self) -> str | None:
        """Return the text of the fault."""
        marked = re.search("«(.*)»", self.plies)
        return _bare(marked[1]) if marked else None

    @property
    def ply(self) -> int | None:
        """Return the number of the faulty ply, from 1."""
        before, mark, _ = self.plies.partition("«")
        return self._whole(before) + 1 if mark else None

    def _whole(self, before: str) -> int:
        """Return the number of whole turns in these plies."""
        if self.is_of_server:
            return before.count("Done") - before.count("Resign")
        return len(before.split()) if self.tags[0][0] == "ZIP" else len(_plies(before)) - self._goes_on_a_ply

    @property
    def _goes_on_a_ply(self) -> bool:
        """Return whether the fault is a superfluous part of the ply before it."""
        return bool(re.search(r"«[,x] ?[a-qWGB]", self.plies)) and self.code in ("E351", "E360", "E361")

    def record(self) -> Record:
        """Return the record with the facts of its plies' suffixes."""
        reader = boardspace if self.is_of_server else zen if self.tags[0][0] == "ZIP" else gipf
        (found,) = reader.read(self.text)
        if not _NOTE.search(self.plies):
            return found
        plies = [
            _noted(ply, text) for ply, text in zip(found.plies, _plies(re.sub("[«»]", "", self.plies)), strict=True)
        ]
        return replace(found, plies=tuple(plies))


def _bare(plies: str) -> str:
    return _NOTE.sub("", re.sub("[«»]", "", plies))


def _plies(text: str) -> list[str]:
    return re.findall(
        r"(?:x [a-q]\d+(?:[WGB][a-q]\d+)+|[WGB][a-q]\d+(?:,[a-q]\d+)?(?: x (?:[WGB][a-q]\d+)+)?|-)(?:@\w+)?", text
    )


def _noted(ply: Ply, text: str) -> Ply:
    note = _NOTE.search(text)
    if note is None:
        return ply
    if note[1] == "bare":
        return ply._replace(jumps=())
    return ply._replace(mover=int(note[1])) if note[1] in "12" else ply._replace(taken_from=note[1])


def rows() -> Iterator[Row]:
    for line in Path(__file__).with_name("faults.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            code, tags, plies, repair = line.split("\t")
            yield Row(code, tuple(tuple(tag.split(" ", 1)) for tag in tags.split("; ")), plies, repair)  # type: ignore[misc]
