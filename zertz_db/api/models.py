"""The shapes of answers, as OpenAPI describes them."""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from zertz_db.queries.result import Result

_TYPES: tuple[tuple[type, str], ...] = (
    (bool, "boolean"), (str, "text"), (int, "number"), (float, "number"), (dt.datetime, "time"), (dt.date, "date"), (list, "list"),
)  # fmt: skip


class Column(BaseModel):
    """A column of a table."""

    name: str
    meaning: str = Field(description="What it means, units included; empty where nobody has said so.")
    type: Literal["boolean", "text", "number", "time", "date", "list"] | None = Field(
        description="What its values are, where there are any; times and dates are written as in ISO 8601."
    )


class Table(BaseModel):
    """Rows of plain values; a value that is not known is null."""

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
    rows: list[dict[str, Any]] = Field(description="Each row by the names of the columns.")
    total: int = Field(description="Rows that there are; `rows` may be the first of them.")


class Games(Table):
    """A part of a list of games."""

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

    next: str | None = Field(description="The `cursor` of the next part; null at the end.")
    suggestions: list[str] = Field(description="If no games match: terms of the filter that may have been meant.")


class Finding(BaseModel):
    """What is said about a record, and where."""

    code: str
    severity: Literal["error", "warning", "note"]
    message: str
    line: int | None
    column: int | None
    ply: int | None
    rule: str | None = Field(description="The section of the rules behind it.")
    suggestion: str | None


class Record(BaseModel):
    """A record and what becomes of it when it is replayed."""

    index: int | None = Field(description="Its number in its file, from 0.")
    line: int | None
    dialect: str | None
    board: str | None
    rule_set: str | None
    verdict: Literal["verified", "unfinished", "illegal", "unreadable"]
    plies: int
    ending: str | None
    winner: int | None = Field(description="1, 2, or 0 for nobody; null where it is not known.")
    winning_sets: list[str]
    captured: list[list[int]] | None = Field(
        description="White, grey and black marbles that each player holds at the end."
    )
    pool: list[int] | None
    findings: list[Finding]


class Correction(BaseModel):
    """A fact or tag of a game that a person has corrected."""

    tag: str
    old: str | None = Field(description="What the record says; null where it has no such tag.")
    new: str | None = Field(description="What counts instead; null for nothing.")


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
    date: str | None = Field(description="YYYY.MM.DD, with ?? for what is not known.")
    result: str | None
    source: str | None = Field(description="The name of the file where the record was found.")
    member: str | None
    moves: list[str] = Field(description="The plies in official notation.")
    corrections: list[Correction] = Field(
        description="Where this is not what the record says, since people have corrected it."
    )


class Check(BaseModel):
    """What was read, and the verdict on each record."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"verified": 0, "unfinished": 0, "illegal": 0, "unreadable": 0, "records": []}]}
    )

    verified: int
    unfinished: int
    illegal: int
    unreadable: int
    records: list[Record]


class Interval(BaseModel):
    """A share between 0 and 1, and what the true one lies between, with 95 % confidence (Wilson)."""

    share: float
    low: float
    high: float


class Followed(BaseModel):
    """Games that went on in one way."""

    move: str | None = Field(description="In official notation; null: the game ended here.")
    name: str | None = Field(description="The move in words, if it is a game's first.")
    first: int = Field(description="Won by whoever moved first in the game.")
    draws: int = Field(description="Ties, or both lost.")
    second: int
    unknown: int = Field(description="Without a result.")
    games: int
    transpositions: int | None = Field(
        description="Those of the games that reached the position by other moves than were asked for; null where none were."
    )
    score: Interval | None = Field(
        description="Points of the side to move in games with a result, a draw half; null for fewer than 10 of them."
    )
    meanPlies: float  # noqa: N815 - explorers write so
    lastDate: dt.date | None  # noqa: N815


class Explorer(BaseModel):
    """A position and what followed it, in the shape that opening explorers have."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "position": "37 standard …", "side": 1, "line": [], "name": None, "first": 0, "draws": 0, "second": 0, "unknown": 0,
                    "games": 0, "transpositions": None, "choices": 0, "moves": [], "ended": None, "topGames": [], "recentGames": [],
                    "absence": "no game reached this position",
                }
            ]
        }
    )  # fmt: skip

    position: str
    side: int = Field(description="The player to move: 1 or 2.")
    line: list[str]
    name: str | None
    first: int
    draws: int
    second: int
    unknown: int
    games: int
    transpositions: int | None
    choices: int = Field(description="How many different continuations there are; `moves` may have the first of them.")
    moves: list[Followed]
    ended: Followed | None = Field(description="Games that ended here.")
    topGames: list[dict[str, Any]] = Field(  # noqa: N815
        description="Games of the most successful players, as in a list of games."
    )
    recentGames: list[dict[str, Any]] = Field(description="The latest games.")  # noqa: N815
    absence: str | None = Field(description="Where no game reached the position: that, and what there is instead.")


class Search(BaseModel):
    """The answer to a search. Wins, ties and losses are those of the side to move."""

    games: int = Field(description="Games with a match.")
    plies: int = Field(description="Matches in them.")
    hits: Table
    continuations: Table
    years: Table


class Hop(BaseModel):
    """A jump that is possible: the marble on `ring` over that of this colour on `over` to `to`."""

    ring: str
    over: str
    colour: Literal["W", "G", "B"]
    to: str


class Claim(BaseModel):
    """Rings that some placements claim."""

    rings: list[str]
    placements: int = Field(description="How many of them claim just these rings.")
    example: str = Field(description="The first of them, in official notation.")


class Choice(BaseModel):
    """A legal move and what it brings about."""

    move: str = Field(description="In official notation, with its claims.")
    claimed: list[str] = Field(description="The rings that it claims, or where claims are written may claim.")
    taken: list[int] = Field(description="White, grey and black marbles that it captures.")
    ending: str | None = Field(description="How the game ends with it; null where it goes on.")
    winning_sets: list[str] = Field(description="The winning sets that it completes.")
    forces: bool = Field(description="Whether the opponent must capture after it.")


class Moves(BaseModel):
    """What can be played in a position."""

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
    side: int = Field(description="The player to move: 1 or 2.")
    kind: Literal["placement", "capture", "pass"] | None = Field(
        description="All legal moves are of one kind; null where the game is over."
    )
    reason: str = Field(description="Why they are of this kind, in a sentence.")
    count: int = Field(description="Legal moves; `moves` may be the first of them.")
    complete: bool = Field(description="Whether all were looked at; of captures there may be too many.")
    claims_are: Literal["automatic", "written"]
    vacant_rings: list[str]
    free_rings: list[str] = Field(description="Vacant rings that could be removed as the board lies.")
    hops: list[Hop] = Field(description="The jumps that make a capture compulsory.")
    placements: dict[str, int] = Field(description="Placements by colour.")
    claims: list[Claim] = Field(description="What placements can claim, most rings first.")
    endings: list[Choice] = Field(description="Moves that end the game, the first of them.")
    forcing: int = Field(description="Moves after which the opponent must capture.")
    lacking: list[dict[str, int]] = Field(
        description="For player 1 and player 2: how many marbles each winning set still lacks."
    )
    ending: str | None = Field(description="How the game ended, where it is over.")
    winner: int | None = Field(description="1, 2, or 0 for nobody; null while the game goes on.")
    winning_sets: list[str]
    moves: list[Choice]


class Profile(BaseModel):
    """A player's games, summed up."""

    name: str
    kind: str
    names: list[str]
    games: int
    results: Table
    conditions: Table
    first_moves: Table
    opponents: Table
    years: Table


class HeadToHead(BaseModel):
    """Two players' games against each other, seen from the first of them."""

    player: str
    opponent: str
    results: Table
    years: Table
    games: Table


class Job(BaseModel):
    """An import in the background."""

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
    done: int = Field(description="How many of them are done.")
    read: int = Field(description="Records: stored + duplicate + rejected.")
    stored: int
    duplicate: int
    rejected: int
    reasons: dict[str, int] = Field(description="How many records were rejected for which finding.")
    missing: int = Field(description="Stored records of earlier files of this name that this one no longer holds.")
    withdrawn: int = Field(description="How many of them were withdrawn.")
    run: int | None = Field(description="The number of the import; null if it changed nothing, or has not ended.")
    problem: str | None = Field(description="Why it failed.")


class Named(BaseModel):
    """Something that can be asked for by its name."""

    name: str
    title: str


class Health(BaseModel):
    """That the server answers."""

    status: Literal["ok"]
    version: str
    generation: int = Field(description="Counts up with every change of the database.")
    free_places: int = Field(description="Questions that could begin at once; without any, others wait for their turn.")


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


def build_table(found: Result, limit: int | None = None, total: int | None = None) -> dict[str, Any]:
    """A result as a Table, with at most so many rows. total: how many there are, if the result has not got all."""
    first = [next((value for value in values if value is not None), None) for values in zip(*found.rows, strict=True)]
    first += [None] * (len(found.columns) - len(first))
    columns = [{**column._asdict(), "type": _type(value)} for column, value in zip(found.columns, first, strict=True)]
    rows = Result(found.columns, found.rows[:limit]).dicts()
    return {"columns": columns, "rows": rows, "total": len(found.rows) if total is None else total}


def _type(value: object) -> str | None:
    return next((name for kind, name in _TYPES if isinstance(value, kind)), None)
