"""Models of responses for OpenAPI."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from zertz_db.api.guards.limits import MAX_FILTER_LENGTH
from zertz_db.parser.vocabulary.terms import MoveKind, Severity, Verdict
from zertz_db.queries.result import Result, sort_rows
from zertz_db.tactics.bounded_search import DEPTH, MAX_DEPTH, MAX_NODES, NODES
from zertz_db.tactics.puzzles.judge import MOST_MOVES

if TYPE_CHECKING:
    MoveKindValue: TypeAlias = str
    SeverityValue: TypeAlias = str
    VerdictValue: TypeAlias = str
else:  # OpenAPI lists the values of a Literal in place; an enum would be a schema of its own
    MoveKindValue = Literal[tuple(term.value for term in MoveKind)]
    SeverityValue = Literal[tuple(term.value for term in Severity)]
    VerdictValue = Literal[tuple(term.value for term in Verdict)]

MAX_MOVE_LENGTH = 200
"""Maximum number of characters of a move."""
_TYPES: tuple[tuple[type, str], ...] = (
    (bool, "boolean"), (str, "text"), (int, "number"), (float, "number"), (dt.datetime, "time"), (dt.date, "date"), (list, "list"),
)  # fmt: skip


class Column(BaseModel):
    """A column of a table."""

    name: str
    meaning: str = Field(description="Meaning with units; empty if unknown.")
    type: Literal["boolean", "text", "number", "time", "date", "list"] | None = Field(
        description="Type of the values, if there are any; times and dates are ISO 8601."
    )


class Table(BaseModel):
    """Rows of plain values; an unknown value is null."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "columns": [{"name": "games", "meaning": "how many games", "type": "number"}],
                    "rows": [{"games": 2}],
                    "total": 2,
                }
            ]
        }
    )

    columns: list[Column]
    rows: list[dict[str, Any]] = Field(description="Rows as objects by column name.")
    total: int = Field(description="Number of all rows; `rows` may have the first only.")


class Games(Table):
    """Page of a list of games."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "columns": [{"name": "id", "meaning": "the game's id", "type": "text"}],
                    "rows": [{"id": "3T7K0V9QZ4M1A"}],
                    "total": 2,
                    "next": "3T7K0V9QZ4M1A",
                }
            ]
        }
    )

    next: str | None = Field(description="The `cursor` of the next page; null at the end.")
    suggestions: list[str] = Field(description="Suggested terms if no games match.")


class Finding(BaseModel):
    """Finding about a record, with its place."""

    code: str
    severity: SeverityValue
    message: str
    line: int | None
    column: int | None
    ply: int | None
    rule: str | None = Field(description="Section of the rules that the finding refers to.")
    suggestion: str | None


class Record(BaseModel):
    """Record with the result of its replay."""

    index: int | None = Field(description="Number of the record in its file, from 0.")
    line: int | None
    dialect: str | None
    board: str | None
    rule_set: str | None
    verdict: VerdictValue
    plies: int
    ending: str | None
    winner: int | None = Field(description="1, 2, or 0 for none; null if unknown.")
    winning_sets: list[str]
    captured: list[list[int]] | None = Field(
        description="White, grey and black marbles that each player has captured at the end."
    )
    pool: list[int] | None
    findings: list[Finding]


class Correction(BaseModel):
    """Corrected fact or tag of a game."""

    tag: str
    old: str | None = Field(description="Value in the record; null if it has no such tag.")
    new: str | None = Field(description="Corrected value; null if removed.")


class Game(Record):
    """A game with its moves."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "index": 0, "line": 1, "dialect": "gipf", "board": "37", "rule_set": "standard", "verdict": "verified", "plies": 3,
                    "ending": "resign", "winner": 2, "winning_sets": [], "captured": [[0, 0, 0], [0, 0, 0]], "pool": [5, 8, 8],
                    "findings": [], "id": "3T7K0V9QZ4M1A", "player1": "Ada", "player2": "Ben", "event": None, "site": None, "round": None,
                    "date": "2010.05.01", "result": "0-1", "source": "club.txt", "member": None, "moves": ["Wd4,d1", "Bd3,a1", "x d3Wd5"],
                    "corrections": [{"tag": "Player1", "old": "Adda", "new": "Ada"}],
                }
            ]
        }
    )  # fmt: skip

    id: str
    player1: str | None
    player2: str | None
    event: str | None
    site: str | None
    round: str | None
    date: str | None = Field(description="YYYY.MM.DD, with ?? for unknown parts.")
    result: str | None
    source: str | None = Field(description="Name of the file that has the record.")
    member: str | None
    moves: list[str] = Field(description="The plies in official notation.")
    corrections: list[Correction] = Field(description="Corrections: values that differ from the record.")


class EarlierGame(BaseModel):
    """Game that reached a position before."""

    id: str
    ply: int
    date: str | None
    player1: str | None
    player2: str | None


class Novelty(BaseModel):
    """Place where a game leaves all games that were played before it."""

    ply: int | None = Field(
        description="Earlier games reached the position after this number of plies, and no later one; null if the start is new."
    )
    move: str | None = Field(description="First new move; null if nothing is new.")
    games: int = Field(description="Number of earlier games that reached the last known position.")
    first: EarlierGame | None = Field(description="First of these games.")


class OneGame(Game):
    """A game with its moves, and where it leaves known lines."""

    novelty: Novelty


class Check(BaseModel):
    """Tally of a check, and the verdict on each record."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"verified": 0, "unfinished": 0, "illegal": 0, "unreadable": 0, "records": []}]}
    )

    verified: int
    unfinished: int
    illegal: int
    unreadable: int
    records: list[Record]


class Interval(BaseModel):
    """Share between 0 and 1 with its interval of 95 % confidence (Wilson)."""

    share: float
    low: float
    high: float


class Followed(BaseModel):
    """Games with one continuation."""

    move: str | None = Field(description="In official notation; null: the game ended here.")
    name: str | None = Field(description="Name of the move, if it is a first move.")
    first: int = Field(description="Games won by the player who moved first.")
    ties: int = Field(description="Games that were tied, or lost by both.")
    second: int
    unknown: int = Field(description="Games without a result.")
    games: int
    transpositions: int | None = Field(
        description="Games that reached the position by other moves than the given ones; null without given moves."
    )
    score: Interval | None = Field(
        description="Points share of the side to move in games with a result; a tie counts half; null for fewer than 10 games."
    )
    meanPlies: float  # noqa: N815 - explorers write so
    lastDate: dt.date | None  # noqa: N815
    rating: int | None = Field(description="Mean rating before the game of the players who made the move.")
    performance: int | None = Field(
        description="Rating that their score against opponents with ratings suggests; null for fewer than 10 such games."
    )
    firstDate: dt.date | None = Field(description="Date of the first of these games.")  # noqa: N815
    firstPlayer: str | None = Field(description="Player who made the move in that game.")  # noqa: N815
    firstGame: str = Field(description="Id of that game.")  # noqa: N815


class Explorer(BaseModel):
    """Position with its continuations, in the format of opening explorers."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "position": "37 standard …", "side": 1, "line": [], "name": None, "first": 0, "ties": 0, "second": 0, "unknown": 0,
                    "games": 0, "transpositions": None, "choices": 0, "moves": [], "ended": None, "topGames": [], "recentGames": [],
                    "absence": "no game reached this position",
                }
            ]
        }
    )  # fmt: skip

    position: str
    side: int = Field(description="Side to move: 1 or 2.")
    line: list[str]
    name: str | None
    first: int
    ties: int
    second: int
    unknown: int
    games: int
    transpositions: int | None
    choices: int = Field(description="Number of different continuations; `moves` may have the first only.")
    moves: list[Followed]
    ended: Followed | None = Field(description="Games that ended here.")
    topGames: list[dict[str, Any]] = Field(  # noqa: N815
        description="Games of the players with the highest points share, as in a list of games."
    )
    recentGames: list[dict[str, Any]] = Field(description="The latest games.")  # noqa: N815
    absence: str | None = Field(description="Message if no game reached the position.")


class Search(BaseModel):
    """Result of a search. Wins, ties and losses are of the side to move."""

    games: int = Field(description="Number of games with a match.")
    plies: int = Field(description="Number of matches.")
    first: dict[str, Any] | None = Field(
        description="The match that was played first: id, ply, date, player1, player2."
    )
    hits: Table
    continuations: Table
    years: Table


class Hop(BaseModel):
    """Possible jump: the marble on `ring` jumps over the marble on `over`, of this colour, to `to`."""

    ring: str
    over: str
    colour: Literal["W", "G", "B"]
    to: str


class Claim(BaseModel):
    """Rings that placements claim."""

    rings: list[str]
    placements: int = Field(description="Number of placements that claim these rings.")
    example: str = Field(description="First such placement, in official notation.")


class Choice(BaseModel):
    """Legal move with its effects."""

    move: str = Field(description="In official notation, with its claims.")
    claimed: list[str] = Field(description="Rings that it claims, or may claim if claims are written.")
    taken: list[int] = Field(description="White, grey and black marbles that it captures.")
    ending: str | None = Field(description="How the game ends with the move; null if it continues.")
    winning_sets: list[str] = Field(description="The winning sets that it completes.")
    forces: bool = Field(description="Whether the opponent must capture after it.")


class Moves(BaseModel):
    """Legal moves of a position."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "position": "37 standard …", "side": 1, "kind": "capture",
                    "reason": "player 1 must capture: d3 can jump over white on d4 to d5", "count": 1, "complete": True,
                    "claims_are": "automatic", "vacant_rings": ["d5"], "free_rings": [],
                    "hops": [{"ring": "d3", "over": "d4", "colour": "W", "to": "d5"}], "placements": {}, "claims": [], "endings": [],
                    "forcing": 0, "lacking": [{"4W": 4, "5G": 5, "6B": 6, "3each": 9}, {"4W": 4, "5G": 5, "6B": 6, "3each": 9}],
                    "ending": None, "winner": None, "winning_sets": [],
                    "moves": [
                        {"move": "x d3Wd5", "claimed": [], "taken": [1, 0, 0], "ending": None, "winning_sets": [], "forces": False}
                    ],
                }
            ]
        }
    )  # fmt: skip

    position: str
    side: int = Field(description="Side to move: 1 or 2.")
    kind: MoveKindValue | None = Field(description="Kind of all legal moves; null if the game is over.")
    reason: str = Field(description="Reason for the kind, as a sentence.")
    count: int = Field(description="Number of legal moves; `moves` may have the first only.")
    complete: bool = Field(description="Whether the list is complete; captures may be too many.")
    claims_are: Literal["automatic", "written"]
    vacant_rings: list[str]
    free_rings: list[str] = Field(description="Vacant rings that can be removed from this board.")
    hops: list[Hop] = Field(description="The jumps that make a capture compulsory.")
    placements: dict[str, int] = Field(description="Number of placements by colour.")
    claims: list[Claim] = Field(description="Rings that placements can claim, most rings first.")
    endings: list[Choice] = Field(description="First moves that end the game.")
    forcing: int = Field(description="Number of moves after which the opponent must capture.")
    lacking: list[dict[str, int]] = Field(
        description="Marbles that each winning set still lacks, for player 1 and player 2."
    )
    ending: str | None = Field(description="How the game ended, if it is over.")
    winner: int | None = Field(description="1, 2, or 0 for none; null if the game continues.")
    winning_sets: list[str]
    moves: list[Choice]


class StartQuestion(BaseModel):
    """Question about a position: a position string, or a game and a ply."""

    position: str | None = Field(None, max_length=MAX_FILTER_LENGTH, description="Position string.")
    game: str | None = Field(None, max_length=13, description="Id of a game whose position to use.")
    ply: int | None = Field(None, ge=0, description="Number of plies before the position of the game (default: all).")


class SolveQuestion(StartQuestion):
    """Position to solve: a position string, or a game and a ply."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "position": "37 standard ..../...../....../ooWWo../....../...../.... 6/8/10 3/0/0 0/0/0 1",
                    "depth": 7,
                },
                {"game": "3T7K0V9QZ4M1A", "ply": 16, "nodes": 100000},
            ]
        },
    )

    depth: int = Field(DEPTH, ge=1, le=MAX_DEPTH, description="Maximum length of the win in plies, an odd number.")
    nodes: int = Field(
        NODES,
        ge=1,
        le=MAX_NODES,
        description="Maximum number of positions to examine. Boards of more than 63 rings have a smaller one, which the answer states.",
    )
    move: str | None = Field(None, max_length=MAX_FILTER_LENGTH, description="Move to refute, in official notation.")


class WinningMoves(BaseModel):
    """Class of moves that win by force."""

    class_: str = Field(alias="class", description="Name of the class.")
    kind: MoveKindValue
    colour: str | None = Field(None, description="Of a placement.")
    ring: str | None = Field(None, description="Ring of a placement, start of a capture.")
    landing: str | None = Field(None, description="Last ring of a capture.")
    jumped: list[str] | None = Field(None, description="Rings that a capture jumps.")
    plies: int = Field(description="Length of the forced win.")
    example: str = Field(description="A move of the class, in official notation.")


class Reply(BaseModel):
    """Reply after which no forced win was found."""

    move: str
    proven: bool = Field(description="Whether the search was complete: there is none within the depth.")


class Refutation(BaseModel):
    """Result of a search for what is wrong with a move."""

    move: str
    wins: int | None = Field(description="Plies within which the move wins by force; null if that is not proven.")
    leaves_jump: bool = Field(description="False for a placement that leaves no capture: it belongs to no forced win.")
    replies: list[Reply] = Field(description="One of each class of replies after which no forced win was found.")
    replies_are_complete: bool = Field(description="Whether the limit sufficed for all replies.")
    opponent_wins: int | None = Field(description="Plies of a forced win of the opponent after the move.")


class Solution(BaseModel):
    """Result of a search for a forced win, as `zertz solve --json`."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "position": "37 standard …", "verdict": "forced win in 1 ply", "forced": 1, "complete_to": 1, "depth": 7,
                    "limit": 20000, "nodes": 0, "line": ["x d3Wd5"], "line_is_whole": True,
                    "winning": [
                        {"class": "x d3-d5 over d4", "kind": "capture", "ring": "d3", "landing": "d5", "jumped": ["d4"], "plies": 1,
                         "example": "x d3Wd5"}
                    ],
                    "winning_is_complete": True, "only_move": True, "slack": 0, "version": 1,
                }
            ]
        }
    )  # fmt: skip

    position: str
    verdict: str = Field(description="The result in words.")
    forced: int | None = Field(description="Plies of the shortest forced win; null if none was found.")
    complete_to: int = Field(description="Plies within which the search was complete.")
    depth: int = Field(description="Maximum length of the win in plies.")
    limit: int = Field(description="Maximum number of nodes of this search.")
    nodes: int = Field(description="Number of positions examined.")
    line: list[str] = Field(description="Moves of the win against the longest defence.")
    line_is_whole: bool = Field(description="Whether the limit sufficed for the whole line.")
    winning: list[WinningMoves] = Field(description="All classes of moves that win.")
    winning_is_complete: bool = Field(description="Whether the limit sufficed for all of them.")
    only_move: bool = Field(description="Whether one class of moves is the only one that wins.")
    slack: int = Field(description="Plies that a winning class may take longer than the shortest.")
    version: int = Field(description="Version of the solver: equal limits give equal results.")
    refutation: Refutation | None = Field(None, description="If the question names a move.")


class Puzzle(BaseModel):
    """Position with a forced win to find, and its solution if that was asked for."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "8BSNSWDMHBF1T", "position": "37 standard …", "side": 2, "goal": "Player 2 to move wins by force within 3 plies.",
                    "length": 3, "grade": "A+", "difficulty": 1500, "legal_moves": 40, "game": "6J2W26CXG9WHY", "ply": 37, "player": "bo",
                    "opponent": "ada", "date": "2012.03.04",
                }
            ]
        }
    )  # fmt: skip

    id: str
    position: str = Field(description="Position string.")
    side: int = Field(description="Player to move.")
    goal: str
    length: int = Field(description="Plies of the forced win.")
    grade: str = Field(description="A+, A or B: how unique the first move is.")
    difficulty: int = Field(description="Estimate before any attempt, on the scale of ratings.")
    legal_moves: int
    game: str = Field(description="Id of its game.")
    ply: int = Field(description="Number of plies before the position.")
    player: str | None = Field(description="Who was to move.")
    opponent: str | None
    date: str | None
    themes: list[str] | None = Field(None, description="What happens in the solution.")
    ring: str | None = Field(None, description="Ring whose placements win.")
    colours: str | None = Field(None, description="Colours that win there.")
    line: list[str] | None = Field(None, description="Moves of the win against the longest defence.")
    played: str | None = Field(None, description="The move of the game.")
    missed: bool | None = Field(None, description="Whether it let the win go.")


class PuzzleTry(BaseModel):
    """Moves from a puzzle's position, in turns: the solver's, and the replies. The last is judged."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"moves": ["Bd5,d2"]}]})

    moves: list[Annotated[str, Field(max_length=MAX_MOVE_LENGTH)]] = Field(
        min_length=1, max_length=MOST_MOVES, description="Moves in official notation."
    )


class Judgement(BaseModel):
    """Judgement of a move in a puzzle."""

    verdict: Literal["shortest", "keeps", "lets-go", "undecided", "gone"]
    meaning: str = Field(description="The verdict in words.")
    move: str
    plies: int | None = Field(
        description="Plies within which the move wins, itself included; null if no win was found."
    )
    solved: bool = Field(description="Whether the move ended the game with a win.")
    reply: str | None = Field(
        description="The defender's move that delays the win most; null at the end, and without a win."
    )
    escapes: list[str] = Field(description="Replies after which no forced win was found, at most three.")


class Profile(BaseModel):
    """Profile of a player."""

    name: str
    kind: str
    names: list[str]
    games: int
    total: Table
    results: Table
    conditions: Table
    first_moves: Table
    opponents: Table
    years: Table
    tactics: Table


class PlayerRating(BaseModel):
    """Rating of a player by all games."""

    rating: Table = Field(description="One row: rank, rating, deviation, games, best rating.")
    years: Table
    curve: list[int] = Field(description="The rating after each rated game, in order.")


class HeadToHead(BaseModel):
    """Comparison of two players, from the side of the first."""

    player: str
    opponent: str
    total: Table
    results: Table
    years: Table
    games: Table


class Preparation(BaseModel):
    """What to know before a game with a player."""

    player: str
    replies: Table
    losses: Table
    leaving: Table
    departures: Table
    missed: Table


class FilterComparison(BaseModel):
    """Comparison of the games of two filters, a and b."""

    title: str = Field(description="What is compared, in words.")
    games: list[int] = Field(description="Number of games of a, and of b.")
    common: int = Field(description="Number of games that pass both filters; the test of differences assumes none.")
    table: Table


class Study(BaseModel):
    """Saved move tree."""

    id: str
    name: str
    record: str = Field(description="The moves in official notation; other lines than the main one are variations.")
    author: str = Field(description="Who saved it last.")
    made_at: dt.datetime = Field(description="When it was saved last (UTC).")


class GameDecision(BaseModel):
    """Decision about two games, or its undo."""

    game: str = Field(description="Id of the game that becomes a record of `other`, if they are one.")
    other: str
    verdict: str = Field(description="accepted: they are one; rejected: they are two; later: put off; undone.")
    evidence: str
    author: str
    made_at: dt.datetime = Field(description="When it was decided (UTC).")


class Job(BaseModel):
    """Import in the background."""

    model_config = ConfigDict(
        from_attributes=True,
        json_schema_extra={
            "examples": [
                {
                    "id": "9f86d081884c7d65", "name": "club.txt", "state": "done", "places": 1, "done": 1, "read": 3, "stored": 2,
                    "duplicate": 0, "rejected": 1, "reasons": {"E302": 1}, "missing": 0, "withdrawn": 0, "run": 4, "problem": None,
                }
            ]
        },
    )  # fmt: skip

    id: str
    name: str
    state: Literal["waiting", "running", "done", "failed"]
    places: int = Field(description="Files and members of archives that are new to the database.")
    done: int = Field(description="Number of these that are done.")
    read: int = Field(description="Number of records: stored + duplicate + rejected.")
    stored: int
    duplicate: int
    rejected: int
    reasons: dict[str, int] = Field(description="Number of rejected records by code of the finding.")
    missing: int = Field(
        description="Number of stored records from earlier files of this name that this file no longer has."
    )
    withdrawn: int = Field(description="Number of these that were withdrawn.")
    run: int | None = Field(description="Number of the import; null if it changed nothing, or has not ended.")
    problem: str | None = Field(description="Reason of the failure.")


class Named(BaseModel):
    """Name and title of a table."""

    name: str
    title: str


class Health(BaseModel):
    """State of the server."""

    status: Literal["ok"]
    version: str
    generation: int = Field(description="Number of the generation; it grows with every change of the database.")
    free_places: int = Field(description="Number of requests that can start at once; at 0 others wait.")


class ProblemDetails(BaseModel):
    """An error, as in RFC 9457."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "examples": [
                {
                    "type": "about:blank",
                    "title": "Bad Request",
                    "status": 400,
                    "detail": "no game has the ending 'resing'; did you mean resign?",
                    "begin": 7,
                    "end": 13,
                }
            ]
        },
    )

    __pydantic_extra__: dict[str, JsonValue]

    type: str
    title: str
    status: int
    detail: str


def build_table(
    found: Result, limit: int | None = None, total: int | None = None, *, sort: str | None = None
) -> dict[str, Any]:
    """Return a result as a Table, with at most `limit` rows. total: the number of all rows, if the result lacks some. sort: a column."""
    found = sort_rows(found, sort)
    first = [next((value for value in values if value is not None), None) for values in zip(*found.rows, strict=True)]
    first += [None] * (len(found.columns) - len(first))
    columns = [{**column._asdict(), "type": _type(value)} for column, value in zip(found.columns, first, strict=True)]
    rows = Result(found.columns, found.rows[:limit]).dicts()
    return {"columns": columns, "rows": rows, "total": len(found.rows) if total is None else total}


def _type(value: object) -> str | None:
    return next((name for kind, name in _TYPES if isinstance(value, kind)), None)
