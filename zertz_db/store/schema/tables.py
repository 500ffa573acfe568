"""The schema: one class for each table, one field for each column, with its meaning.

This is its only definition. The statements that create the tables, the public views, the comments inside the database
and the Arrow schemas of the bulk load derive from it (`derive`). A table is named like its class, in lower case after an
underscore: `_game`; its public view has a plain plural name: `games`.

Ids are signed 64-bit numbers (`ids`); views show them as text. No table refers to another by a foreign key, since
DuckDB rejects changes of a row that is referred to. Only small tables have a primary key in DuckDB: an index over
positions would cost more than it saves.

Plies have no table: `_ply` is a view that computes them from columns of games (`ply_columns`).

Sets of rings are integers, ring r being bit r: rings 0 to 62 in one column, and those from 63 on, shifted down by 63,
in a second one that is NULL on boards without them (a column of NULLs takes no space on disk). A ring has one of four
contents, which two bits tell: so two sets are stored for three colours, and the view computes the set of each colour.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import sqlalchemy as sa
from duckdb_sqlalchemy.datatypes import HugeInteger, TinyInteger, UTinyInteger
from sqlalchemy import ARRAY, REAL, BigInteger, DateTime, MetaData, SmallInteger
from sqlalchemy.orm import declared_attr
from sqlmodel import Field, SQLModel

from zertz_db.parser.vocabulary.terms import GAMES, Verdict, list_terms
from zertz_db.store.schema.ply_columns import LETTERS_MEANING, plies_sql
from zertz_db.store.schema.position_columns import COUNTS, colours_sql, count_sql

Bytes = bytes
"""The type, under a name that a column `bytes` does not shadow."""


class Shown(NamedTuple):
    """A column of a table's view: its name, its value as SQL over the table's columns, and its meaning."""

    name: str
    sql: str
    meaning: str


def column(
    meaning: str,
    kind: Any = None,
    *,
    key: bool = False,
    is_id: bool = False,
    public: bool = True,
    alias: str | None = None,
    shown: Sequence[Shown] = (),
    compression: str | None = None,
) -> Any:
    """Return a column: its meaning, its type if the annotation does not determine it, and how its table's view shows it.

    alias: a further name of the column in the view. shown: columns of the view in the place of this one, of its type. compression: DuckDB's
    method, if not the one that it would choose.
    """
    return Field(
        description=meaning,
        primary_key=key,
        sa_column_kwargs={
            "comment": meaning,
            "info": {"is_id": is_id, "public": public, "alias": alias, "shown": shown, "compression": compression},
            **({"autoincrement": False} if key else {}),
        },
        **({"sa_type": kind} if kind else {}),
    )


def ident(meaning: str, *, key: bool = False) -> Any:
    """Return a column with an id."""
    return column(meaning, BigInteger, is_id=True, key=key)


def course(meaning: str, kind: Any = None) -> Any:
    """Return a column that sums up the course of a game for statistics (`game_courses`): without a place in the view."""
    return column(meaning, kind, public=False)


def of_colours(meaning: str, *colours: str, high: str = "") -> Sequence[Shown]:
    """Return the columns of the view with the rings that have a marble of each of these colours. high: suffix of the names."""
    return [Shown(f"{colour}{high}", colours_sql(high)[colour], meaning.format(colour)) for colour in colours]


def packed_counts() -> Any:
    """Return the column with the marbles in the pool and the captures of a position."""
    return column(
        "marbles in the pool and in both players' captures, packed into a number", BigInteger, shown=[*_list_counts()]
    )


def _list_counts() -> Iterator[Shown]:
    for name in COUNTS:
        holder, colour = name.split("_")
        meaning = f"{colour} marbles in the pool" if holder == "pool" else f"{colour} captures of player {holder[-1]}"
        yield Shown(name, count_sql(name), meaning)


def list_shown(table: sa.Table) -> Iterator[tuple[sa.Column[Any], Shown]]:
    """Yield the columns of a table's view, each with the column of the table that it belongs to."""
    for one in table.columns:
        own = f'id_text("{one.name}")' if one.info["is_id"] else f'"{one.name}"'
        names = [name for name in (one.info["alias"], one.name) if name and one.info["public"]]
        for shown in one.info["shown"] or [Shown(name, own, one.comment or "") for name in names]:
            yield one, shown


def table(meaning: str, view: str, order: str | None, computed: Callable[[str], str] | None = None) -> dict[str, Any]:
    """Return the options of a table: the meaning of its rows, its view's name, and the order of its rows in a compacted file.

    computed: returns SQL of its rows, if it is a view itself, without an order. Its argument is SQL of a game's id, for the first column.
    """
    return {"comment": meaning, "info": {"view": view, "order": order, "computed": computed}}


class Row(SQLModel):
    """The base class of all tables."""

    metadata: ClassVar[MetaData] = MetaData()

    @declared_attr.directive
    @classmethod
    def __tablename__(cls) -> str:
        """Return the class's name, in lower case after an underscore."""
        return f"_{cls.__name__.lower()}"


class Meta(Row, table=True):
    """A fact about the file."""

    __table_args__ = table("facts about the file", "meta", "name")
    name: str = column("schema_version, rules_version, generation, created, …", key=True)
    value: str = column("the fact, as text")


class Source(Row, table=True):
    """A file that was read: its bytes under its path. A copy under another path is another source."""

    __table_args__ = table("files that were read", "sources", "path")
    id: int = ident("id of the path and the file's bytes", key=True)
    path: str = column("the path as given")
    content: int = ident("id of the file's bytes; equal for copies")
    place: int | None = column(
        "id of the absolute path; NULL for standard input and for an unknown path", BigInteger, public=False
    )
    size: int = column("size in bytes", BigInteger)
    read_at: dt.datetime = column("time of reading (UTC)", DateTime)
    reader_version: str = column(
        "version of the readers that read it, or `in part` if some of its records are missing here; followed by `, letters it` if the "
        "user stated that its colour letters are Italian, which holds for later readings too"
    )


class Record(Row, table=True):
    """A record found in a source."""

    __table_args__ = table("records as found in the sources", "records", "source, member, index")
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["source", "member", "index"]}
    source: int = ident("the source that has it")
    member: str = column("name of the file in the archive; empty if the source is not an archive")
    index: int = column("number of the record in the file, from 0")
    id: int = ident("id of the record's bytes and of the stated language of its colour letters")
    line_from: int = column("first line in the file, from 1")
    line_to: int = column("last line in the file")
    dialect: str | None = column("gipf, boardspace, …; NULL if it was not detected")
    encoding: str | None = column("encoding of its text")
    verdict: str = column(list_terms(Verdict))
    status: str = column("outcome of its import: stored, duplicate or rejected")
    reason: str | None = column("code of the finding that rejected it")
    bytes: Bytes | None = column(
        "the record; NULL if another row with this id has it", public=False, compression="zstd"
    )
    reader_version: str = column(
        "version of the readers that read it; followed by `, letters it` if the user stated that its colour letters are Italian"
    )
    weight: int = column(
        "amount of data besides the moves (tags, clocks, comments); the record with most represents its game"
    )
    game: int | None = ident("the game it is a sighting of")
    run: int = column("number of the import that added it")


class Game(Row, table=True):
    """A distinct game."""

    __table_args__ = table("distinct games", "games", "date_from, id")
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["id"]}
    id: int = ident("id of start, board, rule set, plies as written, both names and date")
    board: str = column("37, 40, 43, 44, 48, 61 or custom")
    rule_set: str = column("standard or blitz")
    tournament: bool = column("played with the tournament option")
    claims: str = column("automatic or written")
    start: str | None = column(
        "the start as a position string with all options of the rules; NULL for the empty board with the usual rules on ties and repetition"
    )
    player1: str | None = column("the player who moved first, as the representative record spells the name")
    player2: str | None = column("the other player, as the representative record spells the name")
    event: str | None = column("the event")
    site: str | None = column("the place or server")
    date: str | None = column("YYYY.MM.DD, with ?? for unknown parts")
    date_from: dt.date | None = column("the earliest day that `date` allows")
    date_to: dt.date | None = column("the latest day that `date` allows")
    time: str | None = column(
        "the time of day, HH:MM or HH:MM:SS, in the time zone of `date` (UTC on the game server); no part of the game's id"
    )
    round: str | None = column("the round")
    flags: str | None = column("tournament, rated, turn-based, kinds of players, …; words separated by a space")
    plies: int = column("number of plies")
    movetext: str = column("the plies in official notation")
    result_claimed: str | None = column("the result that the records state")
    result_computed: str | None = column("the result by the rules")
    result: str | None = column(
        "the stated and the computed result if they agree, or the only one; NULL if they contradict each other"
    )
    ending: str | None = column("set, board-filled, resign, time, agreed, repetition, both-lose or abandoned")
    winner: int | None = column(
        "by `result`: 1 (moved first), 2, 0 (a tie, or both lost) or NULL (unknown, or contradicted)",
        UTinyInteger,
    )
    winning_sets: str | None = column("all winning sets at the end, such as 4W+3each")
    captured1_white: int = column("white captures of player 1 at the end", UTinyInteger)
    captured1_grey: int = column("grey captures of player 1 at the end", UTinyInteger)
    captured1_black: int = column("black captures of player 1 at the end", UTinyInteger)
    captured2_white: int = column("white captures of player 2 at the end", UTinyInteger)
    captured2_grey: int = column("grey captures of player 2 at the end", UTinyInteger)
    captured2_black: int = column("black captures of player 2 at the end", UTinyInteger)
    pool_white: int = column("white marbles in the pool at the end", UTinyInteger)
    pool_grey: int = column("grey marbles in the pool at the end", UTinyInteger)
    pool_black: int = column("black marbles in the pool at the end", UTinyInteger)
    won_by: str | None = column("the move that completed the winning set: jump or claim")
    record: int = ident("the representative record: the longest one, of these the one with the most data")
    verdict: str = column(list_terms(GAMES))
    ply_letters: str = column(LETTERS_MEANING, public=False)
    ply_clocks: list[int | None] | None = column(
        "the mover's clock after each ply, in milliseconds; NULL if no ply has one", ARRAY(BigInteger), public=False
    )
    first_move: int | None = course(
        "code of the first move, as `next_move` of positions; NULL without moves", BigInteger
    )
    lead_changes: int | None = course("number of lead changes; NULL in games of more than 125 plies", UTinyInteger)
    led1: int | None = course("number of positions in which player 1 led; NULL in these games", UTinyInteger)
    led2: int | None = course("number of positions in which player 2 led; NULL in these games", UTinyInteger)
    led_half: int | None = course(
        "player who led after half of the plies, 0 if neither did; NULL in these games", UTinyInteger
    )
    sacrifices1: int | None = course("number of sacrifices of player 1")
    sacrifices2: int | None = course("number of sacrifices of player 2")
    last_captures1: int | None = course("number of captures of player 1 since the last turn that was not one")
    last_captures2: int | None = course("number of captures of player 2 since the last turn that was not one")
    clocked: bool | None = course("every turn has a clock, and there is a turn")
    clock_time: int | None = course(
        "sum of both clocks at the end in milliseconds, if `clocked` and no clock ever went down", BigInteger
    )
    held1_0: int | None = course(
        "captures of player 1 so far, summed over the positions of the first tenth of the plies"
    )
    held1_1: int | None = course(
        "captures of player 1 so far, summed over the positions of the second tenth of the plies"
    )
    held1_2: int | None = course(
        "captures of player 1 so far, summed over the positions of the third tenth of the plies"
    )
    held1_3: int | None = course(
        "captures of player 1 so far, summed over the positions of the fourth tenth of the plies"
    )
    held1_4: int | None = course(
        "captures of player 1 so far, summed over the positions of the fifth tenth of the plies"
    )
    held1_5: int | None = course(
        "captures of player 1 so far, summed over the positions of the sixth tenth of the plies"
    )
    held1_6: int | None = course(
        "captures of player 1 so far, summed over the positions of the seventh tenth of the plies"
    )
    held1_7: int | None = course(
        "captures of player 1 so far, summed over the positions of the eighth tenth of the plies"
    )
    held1_8: int | None = course(
        "captures of player 1 so far, summed over the positions of the ninth tenth of the plies"
    )
    held1_9: int | None = course(
        "captures of player 1 so far, summed over the positions of the last tenth of the plies"
    )
    held2_0: int | None = course(
        "captures of player 2 so far, summed over the positions of the first tenth of the plies"
    )
    held2_1: int | None = course(
        "captures of player 2 so far, summed over the positions of the second tenth of the plies"
    )
    held2_2: int | None = course(
        "captures of player 2 so far, summed over the positions of the third tenth of the plies"
    )
    held2_3: int | None = course(
        "captures of player 2 so far, summed over the positions of the fourth tenth of the plies"
    )
    held2_4: int | None = course(
        "captures of player 2 so far, summed over the positions of the fifth tenth of the plies"
    )
    held2_5: int | None = course(
        "captures of player 2 so far, summed over the positions of the sixth tenth of the plies"
    )
    held2_6: int | None = course(
        "captures of player 2 so far, summed over the positions of the seventh tenth of the plies"
    )
    held2_7: int | None = course(
        "captures of player 2 so far, summed over the positions of the eighth tenth of the plies"
    )
    held2_8: int | None = course(
        "captures of player 2 so far, summed over the positions of the ninth tenth of the plies"
    )
    held2_9: int | None = course(
        "captures of player 2 so far, summed over the positions of the last tenth of the plies"
    )


class Tag(Row, table=True):
    """A tag of a record without a column of its own."""

    __table_args__ = table("tags of records without a column of their own", "tags", "record, name")
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["record", "name"]}
    record: int = ident("the record")
    name: str = column("the tag's name as written")
    value: str = column("its value")


class Finding(Row, table=True):
    """A diagnosed issue of a record."""

    __table_args__ = table("diagnosed issues of records", "findings", "record, line, col")
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["record", "code", "line", "col"]}
    record: int = ident("the record")
    code: str = column("code in the catalogue of findings")
    severity: str = column("error, warning or note")
    line: int | None = column("line in the file, from 1")
    col: int | None = column("column in the line, from 1")
    ply: int | None = column("the ply concerned, from 1")
    message: str = column("the details, as a sentence")
    rule: str | None = column("the rule concerned")
    suggestion: str | None = column("the suggested remedy")


class Player(Row, table=True):
    """A person, a program, or a name shared by guests."""

    __table_args__ = table("persons, programs and guest names", "players", "name")
    id: int = ident("id of the player", key=True)
    name: str = column("the name shown")
    kind: str = column("human, bot or guest")


class Alias(Row, table=True):
    """A name that belongs to a player; it can be reverted."""

    __table_args__ = table("names in records and their players", "aliases", "name")
    name: str = column("the name as spelt in records", key=True)
    player: int = ident("the player", key=True)
    claimed_by: str = column("case (only case, spaces or the form of accents differ), file (a list of names) or person")
    evidence: str | None = column("the reason")
    status: str = column("accepted or proposed")
    folded: str = column("the normal form of the name, for comparisons")


class Ply(Row, table=True):
    """A turn of a player, computed from its game."""

    __table_args__ = table("turns of games", "plies", None, plies_sql)
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["game", "ply"]}
    game: int = ident("the game")
    ply: int = column("number of the turn, from 0")
    mover: int = column("1 or 2", UTinyInteger)
    kind: str = column("placement, capture or pass")
    notation: str = column("the turn in official notation")
    clock: int | None = column("the mover's clock after the turn, in milliseconds", BigInteger)
    forced: bool = column("there was no other legal move")
    claim: bool = column("it claimed a full group")
    sacrifice: bool = column("the opponent had to capture after it")


_LOW = "rings with a {} marble, 0 to 62"
_HIGH = "rings with a {} marble from 63 on"


class Position(Row, table=True):
    """The position before a ply, and a game's final one."""

    __table_args__ = table("positions before each ply, and each game's final one", "positions", "key, game, ply")
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["game", "ply"]}
    key: int = column("equal for a position and its images under the board's symmetries", BigInteger)
    shape: int = column("equal for a shape anywhere on a board, and sometimes for another one: 24 bits of a hash")
    game: int = ident("the game")
    ply: int = column("the ply played from here, from 0; the number of plies for the final position")
    board: str = column("37, 40, 43, 44, 48, 61 or custom")
    side: int = column("the player to move: 1 or 2", UTinyInteger)
    rings: int = column("rings on the board, 0 to 62", BigInteger)
    white_or_black: int = column(
        "rings with a white or a black marble, 0 to 62", BigInteger, shown=of_colours(_LOW, "white")
    )
    grey_or_black: int = column(
        "rings with a grey or a black marble, 0 to 62", BigInteger, shown=of_colours(_LOW, "grey", "black")
    )
    rings_high: int | None = column("rings on the board from 63 on, shifted down by 63", HugeInteger)
    white_or_black_high: int | None = column(
        "rings with a white or a black marble from 63 on", HugeInteger, shown=of_colours(_HIGH, "white", high="_high")
    )
    grey_or_black_high: int | None = column(
        "rings with a grey or a black marble from 63 on",
        HugeInteger,
        shown=of_colours(_HIGH, "grey", "black", high="_high"),
    )
    counts: int = packed_counts()
    symmetry: int = column("number of the symmetry that leads to the canonical orientation", UTinyInteger)
    next_move: int | None = column("code of the move played, in canonical orientation; NULL at the end", BigInteger)
    score: int | None = column("for the side to move: 1 won, 0 a tie or both lost, -1 lost, NULL unknown", TinyInteger)


class Node(Row, table=True):
    """Sums over the games that continued a position with a move, so that parts can be merged."""

    __table_args__ = table(
        "sums over the games that reached a position, by continuation and ending", "nodes", "key, move"
    )
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["key", "move"]}
    key: int = column("the position's key", BigInteger)
    side: int = column("the player to move: 1 or 2", UTinyInteger)
    counts: int = packed_counts()
    rule_set: str = column("standard or blitz")
    move: int | None = column("the move, as `next_move` of positions; NULL for games that ended here", BigInteger)
    ending: str | None = column("the ending of these games, as `ending` of games")
    winning_sets: str | None = column("all winning sets at their end, such as 4W+3each")
    games: int = column("number of games", BigInteger)
    wins: int = column("games won by the side that made the move", BigInteger)
    draws: int = column("games that ended in a tie, or that both lost", BigInteger, alias="ties")
    losses: int = column("games lost by the side that made the move", BigInteger)
    sum_plies: int = column("sum of the plies of these games", BigInteger)
    last_date: dt.date | None = column("the latest of their dates")
    last_game: int = ident("a game of that date")


class Analysis(Row, table=True):
    """A game that was searched for forced wins: the limits of the search, and how accurately both players moved."""

    __table_args__ = table("games that were searched for forced wins", "analyses", "game")
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["game"]}
    game: int = ident("the game")
    solver: int = column("version of the solver", UTinyInteger)
    depth: int = column(
        "maximum length in plies of the forced wins that were searched for; 0 if it was not searched", UTinyInteger
    )
    nodes: int = column("maximum number of nodes for one position", BigInteger)
    skipped: str | None = column("why it was not searched: written-claims, large-board or large-pool; NULL if it was")
    accuracy1: float | None = column(
        "accuracy of player 1 in percent, by win chances; NULL below a minimum of moves", REAL
    )
    accuracy2: float | None = column(
        "accuracy of player 2 in percent, by win chances; NULL below a minimum of moves", REAL
    )
    rated1: int | None = column("number of free moves of player 1 with an accuracy", SmallInteger)
    rated2: int | None = column("number of free moves of player 2 with an accuracy", SmallInteger)


class Tactic(Row, table=True):
    """A ply before or after which a forced win was found; other plies of a searched game have no row."""

    __table_args__ = table("plies before or after which a forced win was found", "tactics", "game, ply")
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["game", "ply"]}
    game: int = ident("the game")
    ply: int = column("number of the turn, from 0", SmallInteger)
    forced: int | None = column("plies of the mover's forced win before the turn; NULL if none was found", UTinyInteger)
    kept: bool | None = column(
        "whether the turn kept that forced win; NULL if there was none, or the limits did not suffice"
    )
    missed: bool = column("it missed a forced win in 3 or more plies")
    only_move: bool | None = column(
        "one class of moves won within that many plies; NULL if there was no forced win, or the limits did not suffice"
    )
    blunder: int | None = column(
        "plies of the opponent's forced win after the turn, although after another one none was found; NULL otherwise",
        UTinyInteger,
    )
    better: str | None = column("a turn after which none was found, if it was a blunder")
    lost: bool = column("every legal turn gave the opponent a forced win")


class Puzzle(Row, table=True):
    """A position of a searched game with a forced win that its player must find; a game has one at most."""

    __table_args__ = table("positions of games with a forced win to find", "puzzles", "difficulty, game")
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["game"]}
    id: int = ident("the puzzle's id: the key of the position, equal for its images under the board's symmetries")
    game: int = ident("the game")
    ply: int = column("number of plies before the position", SmallInteger)
    length: int = column("plies of the forced win", UTinyInteger)
    grade: str = column(
        "A+: one colour and ring wins, and no other within two plies more; A: one colour and ring within `length`; B: one ring"
    )
    ring: str = column("the ring whose placements win")
    colours: str = column("the colours that win there: letters of W, G, B")
    line: str = column("the shortest win against the longest defence, in official notation")
    themes: str = column("what happens in that line: words separated by a space")
    legal_moves: int = column(
        "number of legal moves, captures once for each start, landing and set of jumped rings", SmallInteger
    )
    difficulty: int = column("estimate before any attempt, on the scale of ratings", SmallInteger)


class Rating(Row, table=True):
    """Ratings of a game's players before the game; games without a full date, or without a rated player, have no row."""

    __table_args__ = table("ratings of the players before each game", "ratings", "game")
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["game"]}
    game: int = ident("the game")
    rating1: int | None = column("rating of player 1 before the game; NULL before the first rated game, and for guests")
    deviation1: int | None = column("standard deviation of that rating")
    rating2: int | None = column("rating of player 2 before the game; NULL before the first rated game, and for guests")
    deviation2: int | None = column("standard deviation of that rating")


class Mark(Row, table=True):
    """A bookmark, label or note of a user."""

    __table_args__ = table("bookmarks, labels and notes", "marks", "made_at")
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["made_at", "author", "label"]}
    game: int | None = ident("the game, if it is about one")
    position: int | None = column("the key of the position, if it is about one", BigInteger)
    label: str = column("the label")
    text: str | None = column("the note")
    author: str = column("the author")
    made_at: dt.datetime = column("time of creation (UTC)", DateTime)


class Correction(Row, table=True):
    """A correction of a game's tag that is in force; `corrections.jsonl` has all corrections."""

    __table_args__ = table("corrections of games' tags that are in force", "corrections", "made_at")
    __mapper_args__: ClassVar[dict[str, Any]] = {"primary_key": ["game", "tag"]}
    game: int = ident("the game")
    tag: str = column("the tag")
    old: str | None = column("its value in the representative record; NULL if the record has no such tag")
    new: str | None = column("its corrected value; NULL for none")
    author: str = column("the author")
    made_at: dt.datetime = column("time of creation (UTC)", DateTime)


class Import(Row, table=True):
    """An import: read = stored + duplicate + rejected."""

    __table_args__ = table("imports and their tallies", "imports", "run")
    run: int = column("number of the import, from 1", key=True)
    made_at: dt.datetime = column("time of its start (UTC)", DateTime)
    what: str = column("the requested paths")
    sources: int = column("number of files read")
    records: int = column("number of records read")
    stored: int = column("number of records that added a game")
    duplicate: int = column("number of records of known games")
    rejected: int = column("number of records without a legal game, by their findings")
    undone: bool = column("whether it was undone")
    withdrawn: int = column("number of records withdrawn because they are missing from their files")


class Revisit(Row, table=True):
    """A file that an import found unchanged: its records count in that import, too, as duplicates or as rejected."""

    __table_args__ = table("files that an import found unchanged", "revisits", "run, source")
    run: int = column("number of the import", key=True)
    source: int = ident("the file", key=True)
