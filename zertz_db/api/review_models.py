"""Models of reviews of games and of judgements of moves for OpenAPI."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from zertz_db.api.guards.limits import MAX_FILTER_LENGTH
from zertz_db.api.models import StartQuestion
from zertz_db.queries.tactics.marks import Mark
from zertz_db.tactics.bounded_judgement import DEPTH, MAX_NODES, NODES
from zertz_db.tactics.bounded_search import MAX_DEPTH

if TYPE_CHECKING:
    MarkValue: TypeAlias = str
else:  # OpenAPI lists the values of a Literal in place; an enum would be a schema of its own
    MarkValue = Literal[tuple(mark.value for mark in Mark)]


class PositionChance(BaseModel):
    """Win chance of player 1 in a position of a game."""

    ply: int = Field(description="Number of plies before the position.")
    chance: float = Field(description="From 0 to 1.")
    proven: bool = Field(description="Proven by a forced win or by the rules; otherwise estimated.")


class PlayerCounts(BaseModel):
    """Counts of a player in a game, null where unknown."""

    accuracy: float | None = Field(description="Accuracy in per cent, by win chances; null below 10 free moves.")
    free_moves: int | None
    missed: int | None = Field(description="Forced wins in 3 or more plies that the player let go.")
    missed_in_one: int | None = Field(description="Wins in 1 ply that the player let go.")
    blunders: int | None = Field(description="Proven blunders.")
    only_moves: int | None = Field(description="Forced wins in 3 or more plies that only one class of moves kept.")
    only_found: int | None = Field(description="Number of these that the player kept.")
    serious_mistakes: int | None = Field(description="Estimated: moves that lost 15 or more points of win chance.")
    mistakes: int | None = Field(description="Estimated: 10 to 15 points.")
    inaccuracies: int | None = Field(description="Estimated: 5 to 10 points.")


class ReviewedPly(BaseModel):
    """A ply of a game with what is known of it."""

    ply: int = Field(description="Number of plies before it.")
    mover: int
    notation: str
    free: bool = Field(description="No capture was due, and another move was legal.")
    sacrifice: bool = Field(description="The opponent had to capture after it.")
    forced: int | None = Field(description="Plies of the mover's forced win before it; null if none was found.")
    kept: bool | None = Field(description="Whether it kept that win; null if there was none, or if that is undecided.")
    missed: bool
    only_move: bool | None = Field(description="Whether one class of moves keeps the win.")
    blunder: int | None = Field(description="Plies of the forced win that a blunder allows.")
    better: str | None = Field(description="A move after which no forced win of the opponent was found.")
    lost: bool = Field(description="Every move allowed a forced win.")
    remarks: str | None = Field(description="What was proven, as sentences.")
    chance: float | None = Field(description="Win chance of the mover before it.")
    points: float | None = Field(description="Points of win chance, out of 100, that it lost.")
    marks: list[MarkValue] = Field(description="Marks; those of mistakes and inaccuracies are estimates.")


class GameReview(BaseModel):
    """Review of a game: what is proven about its moves, and what is estimated."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "3T7K0V9QZ4M1A", "analysis": None,
                    "problem": "This game has not been analysed: run zertz analyse id:3T7K0V9QZ4M1A.",
                    "counts": {}, "unvalued": None, "chances": [{"ply": 0, "chance": 0.46, "proven": False}], "plies": [],
                }
            ]
        }
    )  # fmt: skip

    id: str
    analysis: dict[str, Any] | None = Field(
        description="Solver, limits and accuracies of the analysis; null without one."
    )
    problem: str | None = Field(description="Why nothing is proven about the moves, with the remedy; null otherwise.")
    counts: dict[str, PlayerCounts] = Field(description="Counts of player `1` and player `2`.")
    unvalued: str | None = Field(description="Why there are no win chances; null otherwise.")
    chances: list[PositionChance] | None = Field(description="Of the start, and after each ply.")
    plies: list[ReviewedPly]


class JudgeQuestion(StartQuestion):
    """Move to judge: a position string, or a game and a ply, and the move."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "position": "37 standard ..../...../....../ooWWo../....../...../.... 6/8/10 3/0/0 0/0/0 1",
                    "move": "x d3Wd5",
                }
            ]
        },
    )

    move: str = Field(max_length=MAX_FILTER_LENGTH, description="Move to judge, in official notation.")
    depth: int = Field(DEPTH, ge=1, le=MAX_DEPTH, description="Maximum length of forced wins in plies, an odd number.")
    nodes: int = Field(
        NODES,
        ge=1,
        le=MAX_NODES,
        description="Maximum number of positions to examine for one position. "
        "Boards of more than 63 rings have a smaller one, which the answer states.",
    )


class MoveJudgement(BaseModel):
    """Judgement of a move by forced wins. "None found" is within the limits, never "none"."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "position": "37 standard …", "move": "x d3Wd5", "verdict": "x d3Wd5 wins.", "depth": 7, "nodes": 20000, "forced": 1,
                    "complete_to": 1, "keeps": True, "missed": False, "only_move": True, "allows": None, "is_blunder": False,
                    "lost_before": False, "better": None, "line": ["x d3Wd5"], "reply": [], "version": 1,
                }
            ]
        }
    )  # fmt: skip

    position: str
    move: str
    verdict: str = Field(description="The judgement as a sentence.")
    depth: int
    nodes: int = Field(description="Maximum number of nodes for one position.")
    forced: int | None = Field(description="Plies of the mover's forced win before the move; null if none was found.")
    complete_to: int = Field(description="Plies within which that search was complete.")
    keeps: bool | None = Field(description="Whether the move keeps it; null without one, or if that is undecided.")
    missed: bool = Field(description="It let a forced win in 3 or more plies go.")
    only_move: bool | None = Field(description="Whether one class of moves keeps the win.")
    allows: int | None = Field(description="Plies of the opponent's forced win after the move; null if none was found.")
    is_blunder: bool = Field(description="It allows a forced win, although after `better` none was found.")
    lost_before: bool = Field(description="Every move allows a forced win.")
    better: str | None = Field(description="A better move; null if there is nothing to improve, or none is known.")
    line: list[str] = Field(description="The forced win before the move.")
    reply: list[str] = Field(description="The opponent's forced win after it.")
    version: int = Field(description="Version of the solver: equal limits give equal results.")
