"""Describe the JSON objects that `zertz check` and `zertz convert` write, as JSON Schema (draft 2020-12)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from zertz_db.parser.dialects import DIALECTS
from zertz_db.parser.json_lines import SCHEMA
from zertz_db.parser.vocabulary.board_names import BOARDS
from zertz_db.parser.vocabulary.terms import Ending, Severity, Verdict
from zertz_db.rules.rule_sets import RULE_SETS

Schema = dict[str, Any]

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_WRITTEN_WITH_MOVES = (
    "tags", "moves", "clocks", "comment", "comments", "marks", "variations", "half_turn", "resigned",
)  # fmt: skip
"""Keys that JSON lines have besides those of a check."""


def build_check_schema() -> Schema:
    """Return the schema of an object that `zertz check --format jsonl` writes; `--format json` writes an array of them."""
    return _object(
        "A record as zertz check --format jsonl writes it",
        "The verdict on a record, and its findings. zertz check --format json writes an array of these objects.",
        _CHECKED,
        required=_CHECKED,
    )


def build_convert_schema() -> Schema:
    """Return the schema of an object that `zertz convert --to jsonl` writes."""
    read = json.loads(SCHEMA.read_text("utf-8"))["properties"]
    moves = {name: read[name] for name in _WRITTEN_WITH_MOVES}
    counts = _list("The number of legal moves before each ply, with --legal-counts.", {"type": "integer", "minimum": 0})
    return _object(
        "A record as zertz convert --to jsonl writes it",
        "The verdict on a record, its findings, its tags and its moves. Moves of an illegal record end before the fault.",
        {**_CHECKED, **moves, "legal_counts": counts},
        required=(*_CHECKED, "tags", "moves"),
    )


def _object(title: str, meaning: str, properties: Schema, required: Iterable[str]) -> Schema:
    return {
        "$schema": _DRAFT,
        "title": title,
        "description": meaning,
        "type": "object",
        "required": list(required),
        "properties": properties,
        "additionalProperties": False,
    }


def _text(meaning: str) -> Schema:
    return {"type": "string", "description": meaning}


def _optional(kind: str, meaning: str, **limits: Any) -> Schema:
    return {"type": [kind, "null"], "description": meaning, **limits}


def _choice(meaning: str, choices: Iterable[Any]) -> Schema:
    return {
        "enum": [value if isinstance(value, int | None) else str(value) for value in choices],
        "description": meaning,
    }


def _list(meaning: str, items: Schema) -> Schema:
    return {"type": "array", "description": meaning, "items": items}


_COUNTS = {
    "type": "array",
    "description": "White, grey and black marbles.",
    "items": {"type": "integer", "minimum": 0},
    "minItems": 3,
    "maxItems": 3,
}
_FINDING = {
    "type": "object",
    "description": "A diagnosed issue. zertz explain CODE explains it.",
    "required": ["code", "severity", "message", "line", "column", "ply", "rule", "suggestion"],
    "properties": {
        "code": {"type": "string", "pattern": "^[EWN][1-9][0-9]{2}$", "description": "Code in the catalogue."},
        "severity": _choice("E is an error, W a warning, N a note.", Severity),
        "message": _text("The details, as a sentence."),
        "line": _optional("integer", "Line in the file, from 1; null without a place.", minimum=1),
        "column": _optional("integer", "Column in the line, from 1, in characters.", minimum=1),
        "ply": _optional("integer", "The ply concerned, from 1.", minimum=1),
        "rule": _optional("string", "Section of the rules."),
        "suggestion": _optional("string", "The suggested remedy."),
    },
    "additionalProperties": False,
}
_CHECKED = {
    "source": _text("Path of the file, as given; - is standard input."),
    "member": _optional("string", "Name of the file in the archive; null if the source is not an archive."),
    "index": {"type": "integer", "minimum": 0, "description": "Number of the record in its file, from 0."},
    "line": {"type": "integer", "minimum": 1, "description": "First line of the record, from 1."},
    "dialect": _choice("Dialect of the record; null if it was not detected.", (*(row.name for row in DIALECTS), None)),
    "board": _optional("string", f"Board: {', '.join(BOARDS)}, or the text of an unknown one; null if none is known."),
    "rule_set": _optional("string", f"Rule set: {', '.join(RULE_SETS)}, or the text of an unknown one."),
    "verdict": _choice("The verdict.", Verdict),
    "plies": {"type": "integer", "minimum": 0, "description": "Number of legal plies before the first fault."},
    "ending": _choice("How the game ended; null if that is unknown.", (*Ending, None)),
    "winner": _choice("1 moved first; 0 without a winner; null if unknown or contradicted.", (0, 1, 2, None)),
    "winning_sets": _list(
        "Winning sets at the end: 4W, 5G, 6B, 3each; in blitz 3W, 4G, 5B, 2each.", {"type": "string"}
    ),
    "captured": {
        "type": ["array", "null"],
        "description": "Captures of player 1 and player 2 at the end; null without a start.",
        "items": _COUNTS,
        "minItems": 2,
        "maxItems": 2,
    },
    "pool": {
        **_COUNTS,
        "type": ["array", "null"],
        "description": "Marbles in the pool at the end: white, grey, black.",
    },
    "findings": _list("The findings, in the order of the record.", _FINDING),
}
