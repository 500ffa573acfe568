"""Reads `faults.tsv`: records with a fault each, its code and place, and the best repair.

Columns, parted by tabs: the code of the error; the record's tags, parted by `; `; its plies; the best repair as `Repair` words it, none
where there is none. In the plies « and » stand around the fault; without them it is a fault of the whole record. What the official
notation can't say stands behind a ply: `@own`, `@pool`, `@other` where the marble is said to come from, `@1` and `@2` who is said to
move, `@bare` that the jumps are not there. A row whose first tag is Server (the variant) or ZIP is in the game server's or in ZEN's
notation. All games are made up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from parser.boardspace import reader as boardspace
from parser.gipf import reader as gipf
from parser.record import Ply, Record
from parser.zen import reader as zen

_NOTE = re.compile(r"@(own|pool|other|1|2|bare)")


class Row(NamedTuple):
    """A record with a fault: what it says, and what is to be said about it."""

    code: str
    tags: tuple[tuple[str, str], ...]
    plies: str
    repair: str

    def __str__(self) -> str:
        return f"{self.code} {self.plies}"

    @property
    def text(self) -> str:
        """The record as its dialect has it, the notes behind plies left out."""
        if self.is_of_server:
            return f"(;GM[22]SU[{self.tags[0][1]}]{_bare(self.plies)})"
        tags = [*self.tags, *([("SetUp", "1")] if self.tags[0][0] == "Position" else [])]
        return "".join(f'[{name} "{value}"]\n' for name, value in tags) + f"\n{_bare(self.plies)}\n"

    @property
    def is_of_server(self) -> bool:
        """Whether the plies are the game server's actions."""
        return self.tags[0][0] == "Server"

    @property
    def board(self) -> str:
        """The board on which the record says that it is played: its name, or in ZEN how it is drawn."""
        return self.tags[0][1].split()[0]

    @property
    def fault(self) -> str | None:
        """The text of the fault."""
        marked = re.search("«(.*)»", self.plies)
        return _bare(marked[1]) if marked else None

    @property
    def ply(self) -> int | None:
        """Which ply the fault is, from 1."""
        before, mark, _ = self.plies.partition("«")
        return self._whole(before) + 1 if mark else None

    def _whole(self, before: str) -> int:
        """How many whole turns these plies are."""
        if self.is_of_server:
            return before.count("Done") - before.count("Resign")
        return len(before.split()) if self.tags[0][0] == "ZIP" else len(_plies(before)) - self._goes_on_a_ply

    @property
    def _goes_on_a_ply(self) -> bool:
        """Whether the fault is a part too many of the ply before it."""
        return bool(re.search(r"«[,x] ?[a-qWGB]", self.plies)) and self.code in ("E351", "E360", "E361")

    def record(self) -> Record:
        """The record, with what the notes behind its plies say."""
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
