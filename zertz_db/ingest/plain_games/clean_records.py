"""Clean games as records to import: values of their headers, and the arrays of their plies and positions.

A clean game (`clean_games`) has the rows that the grammar and `zertz_db.check` would give; a sample of each batch is read both ways.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from zertz_db.ingest.plain_games.clean_games import BoardGames, Header, Remarks, replay_plain_games
from zertz_db.ingest.sources.place import Content, Place
from zertz_db.parser.boardspace import scan
from zertz_db.parser.boardspace.header import Property, date_of, find_players, read_flags
from zertz_db.parser.vocabulary.terms import RESULT_OF, Ending
from zertz_db.rules import kernel
from zertz_db.rules.position import ENDINGS
from zertz_db.store.names import fold_name

if TYPE_CHECKING:
    from zertz_db.check.replay.notation_arrays import WrittenGames

_PROPERTY = re.compile(r"([A-Za-z][A-Za-z0-9-]*)[ \t\r\n]*\[([^\]]*)\]")
"""A property in a header that the scanner has accepted: its name and value."""
_COMMENT = "C"
_SHORT_GAME = (
    b'(;GM[22]SU[Zertz]P0[id "a"]P1[id "b"];P0[1 RtoB 2 0 D 4];P0[2 R- A 1];P0[3 Done];P1[4 Resign]'
    b";P0[time 0:00:01]P1[time 0:00:01])"
)
"""A clean game."""


class WrittenBoard(NamedTuple):
    """The plain games of a batch on one board, with their notation.

    winners: each game's, 1 or 2, if it is clean.
    """

    games: BoardGames
    written: WrittenGames
    winners: Any


class Tags(NamedTuple):
    """Properties of a game's root: names, the same object for many games, and values."""

    names: tuple[str, ...]
    values: list[str]


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


def build_clean_records(contents: Sequence[Content]) -> list[CleanRecord | None]:
    """Return the clean games among contents with bytes, in order; None for all others. Raise CompilerMissing without numba."""
    texts = [content.data[:] for content in contents]
    names = [content.place.member or content.place.path for content in contents]
    plain = replay_plain_games(texts, names, full=True)
    edges = plain.edges.tolist()
    found: list[CleanRecord | None] = [None] * len(texts)
    for games in plain.boards:
        for number, game in _list_played(games):
            text = game.text
            stated = _read_stated(plain.data, edges[text], edges[text + 1], game.facts)
            if stated:
                found[text] = _build_record(contents[text], names[text], number, game, stated, plain.headers[text])
    return found


def load_compiled_functions() -> None:
    """Load the compiled functions for clean games: each loads its code when it is first called. Raise CompilerMissing without numba."""
    build_clean_records([Content(Place("short.sgf"), _SHORT_GAME)])


class _Played(NamedTuple):
    """What the moves of a clean game tell, and the scanner's facts. moves: without claims. clocks: the number of plies with one."""

    board: WrittenBoard
    text: int
    facts: list[int]
    winner: int
    ending: int
    clocks: int
    moves: str


def _list_played(games: BoardGames) -> Iterator[tuple[int, _Played]]:
    """Yield the clean games on a board, each with its index among all games there."""
    import numpy as np

    from zertz_db.check.replay.notation_arrays import write_games

    states, arrays, resigned = games.replays.states, games.replays.games, games.facts[:, scan.RESIGNED]
    written = write_games(games.start.board, arrays, games.replays.rows, games.is_clean)
    by_resigning = np.where(resigned == games.facts[:, scan.FIRST_SIDE], 2, 1)
    board = WrittenBoard(games, written, np.where(resigned >= 0, by_resigning, states[:, kernel.WINNER]))
    clocks = np.concatenate(([0], np.cumsum(games.clocks >= 0)))[arrays.firsts]
    moves, edges = written.bare.tobytes().decode("ascii"), written.bare_ends.tolist()
    columns = (games.texts, games.facts, board.winners, states[:, kernel.ENDING], clocks[1:] - clocks[:-1])
    rows = zip(*(column.tolist() for column in columns), strict=True)
    is_clean = games.is_clean.tolist()
    for number, (text, facts, winner, ending, count) in enumerate(rows):
        if is_clean[number]:
            own = moves[edges[number] : edges[number + 1]]
            yield number, _Played(board, text, facts, winner, ending, count, own)


class _Stated(NamedTuple):
    """The properties of a game's root, also by name (the last of equal ones), and the first and last line of the game."""

    tags: Tags
    by_name: dict[str, str]
    line: int
    line_to: int


def _read_stated(data: bytes, begin: int, end: int, facts: list[int]) -> _Stated | None:
    """Return what the text data[begin:end] of a plain game states; None for a game with a comment, which the grammar reads."""
    opened = data.index(b"(", begin)
    parts = _PROPERTY.split(data[opened : facts[scan.HEADER_END]].decode())
    names, values = _share(tuple(parts[1::3])), parts[2::3]
    by_name = dict(zip(names, values, strict=True))
    if _COMMENT in by_name:
        return None
    line = 1 + data.count(b"\n", begin, opened)
    return _Stated(Tags(names, values), by_name, line, line + data.count(b"\n", opened, data.rindex(b")", opened, end)))


@lru_cache(maxsize=1024)
def _share(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the first of equal tuples."""
    return names


def _build_record(
    content: Content, name: str, number: int, game: _Played, stated: _Stated, header: Header
) -> CleanRecord:
    tags, first = stated.tags, game.facts[scan.FIRST_SIDE]
    date = header.date or date_of(
        name, [Property(one, stated.by_name[one], 0, 0) for one in ("DT", "GN") if one in stated.by_name]
    )
    players = find_players(zip(*tags, strict=True))
    player1, player2 = players.get(str(first)), players.get(str(1 - first))
    flags = read_flags((name.rsplit("/", 1)[-1], stated.by_name.get("GN", "")))
    if flags:
        tags = Tags(_share((*tags.names, "Flags")), [*tags.values, flags])
    is_resigned = game.facts[scan.RESIGNED] >= 0
    states_result = is_resigned or header.winner >= 0
    names = f"{fold_name(player1 or '')}\n{fold_name(player2 or '')}"
    return CleanRecord(
        content=content,
        board=game.board,
        number=number,
        remarks=header.remarks,
        line=stated.line,
        line_to=stated.line_to,
        tags=tags,
        flags=flags or stated.by_name.get("Flags"),
        player1=player1,
        player2=player2,
        date=date.text,
        time=date.time,
        ending=Ending.RESIGN if is_resigned else ENDINGS[game.ending] or "",
        result=RESULT_OF[game.winner],
        states_result=states_result,
        key=f"{game.board.games.start.text}\n{game.moves}\n{names}\n{date.text or ''}",
        weight=game.clocks + states_result + is_resigned + len(tags.names),
    )
