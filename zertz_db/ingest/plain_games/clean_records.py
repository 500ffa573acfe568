"""Clean games as records to import: values of their headers, and the arrays of their plies and positions.

A clean game (`clean_games`) has the rows that the grammar and `zertz_db.check` would give; a sample of each batch is read both ways.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from parser.boardspace import scan
from parser.boardspace.header import Property, date_of, find_players, has_sure_stamp, read_flags
from parser.vocabulary.terms import RESULT_OF, Ending
from zertz_db.ingest.plain_games.clean_games import BoardGames, PlainGames, Remarks, replay_plain_games
from zertz_db.ingest.sources.place import Content, Place
from zertz_db.rules import kernel
from zertz_db.rules.position import ENDINGS
from zertz_db.store.names import fold_name

if TYPE_CHECKING:
    from zertz_db.check.replay.notation_arrays import WrittenGames

Tags: TypeAlias = list[tuple[str, str]]

_PROPERTY = re.compile(r"([A-Za-z][A-Za-z0-9-]*)[ \t\n]*\[([^\]]*)\]")
"""A property in a header that the scanner has accepted: its name and value."""
_COMMENT = "C"


class WrittenBoard(NamedTuple):
    """The plain games of a batch on one board, with their notation.

    winners: each game's, 1 or 2, if it is clean.
    """

    games: BoardGames
    written: WrittenGames
    winners: Any


class CleanRecord(NamedTuple):
    """A clean game with what its record states.

    board, number: the games on its board, and its index among them. line, line_to: its first and last line. states_result: whether the
    record states a result. key: the text that identifies the game. weight: as `records.rows.compute_weight`.
    """

    content: Content
    board: WrittenBoard
    number: int
    remarks: Remarks
    line: int
    line_to: int
    tags: Tags
    flags: str | None
    player1: str | None
    player2: str | None
    date: str | None
    time: str | None
    ending: str
    result: str
    states_result: bool
    key: str
    weight: int

    @property
    def letters(self) -> str | None:
        """Return the stated language of its colour letters: none."""
        return None

    @property
    def place(self) -> Place:
        """Return where the record was found."""
        return self.content.place

    @property
    def data(self) -> bytes:
        """Return the bytes of the record."""
        return self.content.data[:]

    @property
    def deflated(self) -> bytes:
        """Return the same bytes as the archive has them, if it has them so."""
        return self.content.deflated


def build_clean_records(contents: Sequence[Content]) -> list[CleanRecord | None]:
    """Return the clean games among contents with bytes, in order; None for all others. Raise CompilerMissing without numba."""
    texts = [content.data[:] for content in contents]
    names = [content.place.member or content.place.path for content in contents]
    plain = replay_plain_games(texts, names, full=True)
    found: list[CleanRecord | None] = [None] * len(texts)
    for games in plain.boards:
        for text, record in _build_records(contents, names, plain, games):
            found[text] = record
    return found


def _build_records(
    contents: Sequence[Content], names: Sequence[str], plain: PlainGames, games: BoardGames
) -> Iterator[tuple[int, CleanRecord]]:
    """Yield the clean games on a board with the indices of their texts."""
    import numpy as np

    from zertz_db.check.replay.notation_arrays import write_games

    start, facts, states = games.start, games.facts, games.replays.states
    arrays = games.replays.games
    written = write_games(start.board, arrays, games.replays.rows, games.is_clean)
    resigned = facts[:, scan.RESIGNED]
    has_resigned = resigned >= 0
    winners = np.where(has_resigned, np.where(resigned == facts[:, scan.FIRST_SIDE], 2, 1), states[:, kernel.WINNER])
    board = WrittenBoard(games, written, winners)
    clocks = np.concatenate(([0], np.cumsum(games.clocks >= 0)))
    counts = clocks[arrays.firsts[1:]] - clocks[arrays.firsts[:-1]]
    bare, edges = written.bare.tobytes().decode("ascii"), written.bare_ends.tolist()
    data, texts, start_text = plain.data, plain.edges.tolist(), start.text
    columns = (games.texts, facts, winners, has_resigned, states[:, kernel.ENDING], counts)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for number, (text, fact, winner, is_resigned, ending, count) in enumerate(rows):
        if not games.is_clean[number]:
            continue
        content, name = contents[text], names[text]
        begin = data.index(b"(", texts[text])
        tags: Tags = _PROPERTY.findall(_decode_header(data, begin, fact[scan.HEADER_END]))
        if any(tag[0] == _COMMENT for tag in tags):
            continue
        date = date_of(name, () if has_sure_stamp(name) else _dated(tags))
        first = fact[scan.FIRST_SIDE]
        players = find_players(tags)
        player1, player2 = players.get(str(first)), players.get(str(1 - first))
        flags = read_flags(_names_of_game(name, tags))
        if flags:
            tags.append(("Flags", flags))
        is_stated = is_resigned or plain.headers[text].winner >= 0
        before = data.count(b"\n", texts[text], begin)
        inside = data.count(b"\n", begin, data.rindex(b")", begin, texts[text + 1]))
        moves = bare[edges[number] : edges[number + 1]]
        yield (
            text,
            CleanRecord(
                content,
                board,
                number,
                plain.headers[text].remarks,
                before + 1,
                before + inside + 1,
                tags,
                dict(tags).get("Flags"),
                player1,
                player2,
                date.text,
                date.time,
                Ending.RESIGN if is_resigned else ENDINGS[ending] or "",
                RESULT_OF[winner],
                is_stated,
                "\n".join((start_text, moves, fold_name(player1 or ""), fold_name(player2 or ""), date.text or "")),
                count + is_stated + is_resigned + len(tags),
            ),
        )


def _decode_header(data: bytes, begin: int, end: int) -> str:
    """Return the properties of the root as text, with line feeds."""
    header = data[begin:end].decode()
    return header.replace("\r\n", "\n") if "\r" in header else header


def _dated(tags: Tags) -> list[Property]:
    return [Property(name, value, 0, 0) for name, value in tags if name in ("DT", "GN")]


def _names_of_game(name: str, tags: Tags) -> Iterator[str]:
    yield name.rsplit("/", 1)[-1]
    named = next((value for tag, value in tags if tag == "GN"), None)
    if named:
        yield named
