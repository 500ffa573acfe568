"""The schema: one class for each table, one field for each column, and what each means.

This is its only definition. The statements that create the tables, the public views, the comments inside the database
and the Arrow schemas of the bulk load are all derived from it (`schema`). A table's name is its class's, small,
behind an underscore: `_game`; its public view has a plain plural name: `games`.

Ids are signed 64-bit numbers (`ids`); views show them as text. No table refers to another by a foreign key, since
DuckDB refuses to change a row that is referred to. Only small tables have a primary key in DuckDB: an index over
plies or positions would cost more than it finds.

Sets of rings are integers, ring r being bit r: rings 0 to 62 in one column, and those from 63 on, shifted down by 63,
in a second one that is NULL on boards without them (a column of NULLs takes no room on disk).
"""

from __future__ import annotations

import datetime as dt
from typing import Any, ClassVar

from duckdb_sqlalchemy.datatypes import HugeInteger, TinyInteger, UTinyInteger
from sqlalchemy import BigInteger, DateTime, MetaData
from sqlalchemy.orm import declared_attr
from sqlmodel import Field, SQLModel

Bytes = bytes
"""The type, under a name that a column `bytes` does not hide."""


def column(meaning: str, kind: Any = None, *, key: bool = False, is_id: bool = False, public: bool = True) -> Any:
    """A column: what it means, its type where the annotation does not settle it, and how its table's view shows it."""
    return Field(
        description=meaning,
        primary_key=key,
        sa_column_kwargs={
            "comment": meaning,
            "info": {"is_id": is_id, "public": public},
            **({"autoincrement": False} if key else {}),
        },
        **({"sa_type": kind} if kind else {}),
    )


def ident(meaning: str, *, key: bool = False) -> Any:
    """A column with an id."""
    return column(meaning, BigInteger, is_id=True, key=key)


def table(meaning: str, view: str, order: str) -> dict[str, Any]:
    """What a table's rows are, its view's name, and the order in which its rows are settled on disk."""
    return {"comment": meaning, "info": {"view": view, "order": order}}


class Row(SQLModel):
    """The base of all tables."""

    metadata: ClassVar[MetaData] = MetaData()

    @declared_attr.directive
    @classmethod
    def __tablename__(cls) -> str:
        """The class's name, small, behind an underscore."""
        return f"_{cls.__name__.lower()}"


class Meta(Row, table=True):
    """A fact about the file."""

    __table_args__ = table("facts about the file", "meta", "name")
    name: str = column("schema_version, rules_version, generation, created, …", key=True)
    value: str = column("the fact, as text")


class Source(Row, table=True):
    """A file that was read: some bytes under some path. A copy under another path is another source."""

    __table_args__ = table("files that were read", "sources", "path")
    id: int = ident("id of the path and the file's bytes", key=True)
    path: str = column("the path as given")
    content: int = ident("id of the file's bytes: copies have the same")
    place: int | None = column(
        "id of the absolute path; NULL for standard input and where it is not known", BigInteger, public=False
    )
    size: int = column("bytes", BigInteger)
    read_at: dt.datetime = column("when it was read (UTC)", DateTime)
    reader_version: str = column(
        "version of the readers that read it, or `in part` where some of its records are not here; behind it `, letters it` where somebody "
        "said that its colour letters are Italian: it is read so whenever that is done anew"
    )


class Record(Row, table=True):
    """A record found in a source."""

    __table_args__ = table("records as found in the sources", "records", "source, member, index")
    source: int = ident("the source it was found in", key=True)
    member: str = column("name of the file in the archive, empty where the source is no archive", key=True)
    index: int = column("number of the record in the file, from 0", key=True)
    id: int = ident("id of the record's bytes, and of what somebody said of its colour letters")
    line_from: int = column("first line in the file, from 1")
    line_to: int = column("last line in the file")
    dialect: str | None = column("how it is written: gipf, boardspace, …; NULL where that is not clear")
    encoding: str | None = column("how its text is encoded")
    verdict: str = column("verified, unfinished, illegal or unreadable")
    status: str = column("what became of it: stored, duplicate or rejected")
    reason: str | None = column("code of the finding for which it was rejected")
    bytes: Bytes | None = column(
        "the record, compressed with zlib; NULL where another row with this id has it", public=False
    )
    reader_version: str = column(
        "version of the readers that read it; behind it `, letters it` where somebody said that its colour letters are Italian"
    )
    weight: int = column(
        "how much it says beyond the moves: tags, clocks, comments; of a game's records the weightiest leads"
    )
    game: int | None = ident("the game it is a sighting of")
    run: int = column("the import that brought it")


class Game(Row, table=True):
    """A distinct game."""

    __table_args__ = table("distinct games", "games", "date_from, id")
    id: int = ident("id of start, board, rule set, plies as written, both names and date", key=True)
    board: str = column("37, 40, 43, 44, 48, 61 or custom")
    rule_set: str = column("standard or blitz")
    tournament: bool = column("played with the tournament option")
    claims: str = column("automatic or written")
    start: str | None = column(
        "the start as a position string, all options of the rules in it; NULL for the empty board, where ties and repetition are as usual"
    )
    player1: str | None = column("who moved first, as the leading record has it")
    player2: str | None = column("the other player, as the leading record has it")
    event: str | None = column("the event")
    site: str | None = column("where it was played")
    date: str | None = column("YYYY.MM.DD, with ?? for what is not known")
    date_from: dt.date | None = column("the earliest day that `date` allows")
    date_to: dt.date | None = column("the latest day that `date` allows")
    time: str | None = column(
        "the time of day, HH:MM or HH:MM:SS, by the clock that the date is by: the game server's is UTC; no part of the game's id"
    )
    round: str | None = column("the round")
    flags: str | None = column("tournament, rated, turn-based, kinds of players, …; words with a blank between")
    plies: int = column("number of plies")
    movetext: str = column("the plies in official notation")
    result_claimed: str | None = column("the result that the records state")
    result_computed: str | None = column("the result by the rules")
    result: str | None = column(
        "the agreed result: both of them, or the only one there is; empty where they contradict each other"
    )
    ending: str | None = column("set, board-filled, resign, time, agreed, repetition, both-lose or abandoned")
    winner: int | None = column(
        "by the agreed result: 1 (moved first), 2, 0 (a tie, or both lost) or NULL (not known, or contradicted)",
        UTinyInteger,
    )
    winning_sets: str | None = column("all sets held at the end, such as 4W+3each")
    captured1_white: int = column("captures of player 1 at the end", UTinyInteger)
    captured1_grey: int = column("captures of player 1 at the end", UTinyInteger)
    captured1_black: int = column("captures of player 1 at the end", UTinyInteger)
    captured2_white: int = column("captures of player 2 at the end", UTinyInteger)
    captured2_grey: int = column("captures of player 2 at the end", UTinyInteger)
    captured2_black: int = column("captures of player 2 at the end", UTinyInteger)
    pool_white: int = column("the pool at the end", UTinyInteger)
    pool_grey: int = column("the pool at the end", UTinyInteger)
    pool_black: int = column("the pool at the end", UTinyInteger)
    won_by: str | None = column("what brought the winning set: jump or claim")
    record: int = ident("the record that leads: the one with the most to say")
    verdict: str = column("verified or unfinished")


class Tag(Row, table=True):
    """A tag of a record that has no column."""

    __table_args__ = table("tags of records that have no column of their own", "tags", "record, name")
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["record", "name"]}
    record: int = ident("the record")
    name: str = column("the tag's name as written")
    value: str = column("its value")


class Finding(Row, table=True):
    """Something to say about a record."""

    __table_args__ = table("what is to be said about records", "findings", "record, line, col")
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["record", "code", "line", "col"]}
    record: int = ident("the record")
    code: str = column("code in the catalogue of findings")
    severity: str = column("error, warning or note")
    line: int | None = column("line in the file, from 1")
    col: int | None = column("column in the line, from 1")
    ply: int | None = column("the ply it is about, from 1")
    message: str = column("the particulars, as a sentence")
    rule: str | None = column("the rule it rests on")
    suggestion: str | None = column("what to do")


class Player(Row, table=True):
    """A person, a program, or a seat for guests."""

    __table_args__ = table("persons, programs and seats for guests", "players", "name")
    id: int = ident("id of the player", key=True)
    name: str = column("the name shown")
    kind: str = column("human, bot or guest")


class Alias(Row, table=True):
    """A claim that a name is a player; it can be taken back."""

    __table_args__ = table("claims that a name in a record is a player", "aliases", "name")
    name: str = column("the name as records have it", key=True)
    player: int = ident("the player", key=True)
    claimed_by: str = column("case (only case, blanks or the form of accents differ), file (a list of names) or person")
    evidence: str | None = column("why")
    status: str = column("accepted or proposed")
    folded: str = column("the name in the form by which names are compared")


class Ply(Row, table=True):
    """A player's turn."""

    __table_args__ = table("turns of games", "plies", "game, ply")
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["game", "ply"]}
    game: int = ident("the game")
    ply: int = column("number of the turn, from 0")
    mover: int = column("1 or 2", UTinyInteger)
    kind: str = column("placement, capture or pass")
    notation: str = column("the turn in official notation")
    clock: int | None = column("the mover's clock after the turn, in milliseconds", BigInteger)
    forced: bool = column("there was no other legal move")
    claim: bool = column("it claimed a full group")
    sacrifice: bool = column("after it the opponent had to capture")


class Position(Row, table=True):
    """The position before a ply, and a game's final one."""

    __table_args__ = table("positions before each ply, and each game's final one", "positions", "key, game, ply")
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["game", "ply"]}
    key: int = column("the same for a position and its images under the board's symmetries", BigInteger)
    shape: int = column("the same wherever on a board this shape lies", BigInteger)
    game: int = ident("the game")
    ply: int = column("the ply played from here, from 0; of the final position the number of plies")
    board: str = column("37, 40, 43, 44, 48, 61 or custom")
    side: int = column("who is to move: 1 or 2", UTinyInteger)
    rings: int = column("rings on the board, 0 to 62", BigInteger)
    white: int = column("rings with a white marble, 0 to 62", BigInteger)
    grey: int = column("rings with a grey marble, 0 to 62", BigInteger)
    black: int = column("rings with a black marble, 0 to 62", BigInteger)
    rings_high: int | None = column("rings on the board from 63 on, shifted down by 63", HugeInteger)
    white_high: int | None = column("rings with a white marble from 63 on", HugeInteger)
    grey_high: int | None = column("rings with a grey marble from 63 on", HugeInteger)
    black_high: int | None = column("rings with a black marble from 63 on", HugeInteger)
    pool_white: int = column("marbles in the pool", UTinyInteger)
    pool_grey: int = column("marbles in the pool", UTinyInteger)
    pool_black: int = column("marbles in the pool", UTinyInteger)
    captured1_white: int = column("captures of player 1", UTinyInteger)
    captured1_grey: int = column("captures of player 1", UTinyInteger)
    captured1_black: int = column("captures of player 1", UTinyInteger)
    captured2_white: int = column("captures of player 2", UTinyInteger)
    captured2_grey: int = column("captures of player 2", UTinyInteger)
    captured2_black: int = column("captures of player 2", UTinyInteger)
    symmetry: int = column("number of the symmetry that leads to the canonical orientation", UTinyInteger)
    next_move: int | None = column("code of the move played, in canonical orientation; NULL at the end", BigInteger)
    score: int | None = column(
        "for the side to move: 1 won, 0 a tie or both lost, -1 lost, NULL not known", TinyInteger
    )


class Node(Row, table=True):
    """What followed a position, in sums, so that parts can be merged."""

    __table_args__ = table(
        "sums over games that reached a position, went on with a move and ended in a way", "nodes", "key, move"
    )
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["key", "move"]}
    key: int = column("the position's key", BigInteger)
    side: int = column("who is to move: 1 or 2", UTinyInteger)
    pool_white: int = column("marbles in the pool", UTinyInteger)
    pool_grey: int = column("marbles in the pool", UTinyInteger)
    pool_black: int = column("marbles in the pool", UTinyInteger)
    captured1_white: int = column("captures of player 1", UTinyInteger)
    captured1_grey: int = column("captures of player 1", UTinyInteger)
    captured1_black: int = column("captures of player 1", UTinyInteger)
    captured2_white: int = column("captures of player 2", UTinyInteger)
    captured2_grey: int = column("captures of player 2", UTinyInteger)
    captured2_black: int = column("captures of player 2", UTinyInteger)
    rule_set: str = column("standard or blitz")
    move: int | None = column("the move, as `next_move` of positions; NULL for games that ended here", BigInteger)
    ending: str | None = column("how these games ended, as `ending` of games")
    winning_sets: str | None = column("all sets held at their end, such as 4W+3each")
    games: int = column("how often this was played", BigInteger)
    wins: int = column("won by the side that made the move", BigInteger)
    draws: int = column("ties, or both lost", BigInteger)
    losses: int = column("lost by the side that made the move", BigInteger)
    sum_plies: int = column("the lengths of these games together", BigInteger)
    last_date: dt.date | None = column("the latest of their dates")
    last_game: int = ident("the game that was played then")


class Mark(Row, table=True):
    """A person's bookmark, label or note."""

    __table_args__ = table("bookmarks, labels and notes", "marks", "made_at")
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["made_at", "author", "label"]}
    game: int | None = ident("the game it is about")
    position: int | None = column("or the key of the position it is about", BigInteger)
    label: str = column("the label")
    text: str | None = column("the note")
    author: str = column("who made it")
    made_at: dt.datetime = column("when (UTC)", DateTime)


class Correction(Row, table=True):
    """A person's change to a tag of a game, the one that counts; all that were made are in `corrections.jsonl`."""

    __table_args__ = table("changes that persons made to tags of games, as they count", "corrections", "made_at")
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["game", "tag"]}
    game: int = ident("the game")
    tag: str = column("the tag")
    old: str | None = column("its value in the record that leads; NULL where that has no such tag")
    new: str | None = column("its value by the correction; NULL for none")
    author: str = column("who made it")
    made_at: dt.datetime = column("when (UTC)", DateTime)


class Import(Row, table=True):
    """One run of an import: read = stored + duplicate + rejected."""

    __table_args__ = table("runs of imports and their balances", "imports", "run")
    run: int = column("number of the run, from 1", key=True)
    made_at: dt.datetime = column("when it began (UTC)", DateTime)
    what: str = column("the paths that were asked for")
    sources: int = column("files read")
    records: int = column("records read")
    stored: int = column("records that brought a game")
    duplicate: int = column("records of games that were known")
    rejected: int = column("records that are no game, by their findings")
    undone: bool = column("taken back since")
    withdrawn: int = column("records that it withdrew, since their files no longer hold them")


class Revisit(Row, table=True):
    """A file that an import found unchanged: its records count in that import, too, as duplicates or as rejected."""

    __table_args__ = table("files that an import found unchanged", "revisits", "run, source")
    run: int = column("the import", key=True)
    source: int = ident("the file", key=True)
