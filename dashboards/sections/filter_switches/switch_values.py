"""What the switches show of a filter, and the terms that they write. The filter language stays the definition."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from zertz_db.dashboards.sections.filter_switches.filter_text import list_terms
from zertz_db.queries.filters.ast import Plain, Range, Term

OTHER: Literal["other"] = "other"
"""Value of a switch whose terms in the text are more than it can show."""
KINDS = {"all": "", "humans": "kind:human-human", "bots": "kind:bot"}
"""Terms of the switch for kinds of players."""
KIND_FIELDS = ("kind",)
BOARD_FIELDS = ("board",)
YEAR_FIELDS = ("date", "since", "until")
RATING_FIELDS = ("rating",)
PLAYER_FIELDS = ("player", "first", "second")
_YEAR = re.compile(r"[0-9]{4}")


class Years(NamedTuple):
    """A first and a last year; None for no limit."""

    first: int | None = None
    last: int | None = None


class PlayerChoice(NamedTuple):
    """A player, and the field for the side: `player` for either, `first`, `second`."""

    name: str
    field: str


def read_kind(text: str) -> str:
    """Return the key of KINDS that a filter requires, or OTHER.

    >>> read_kind("kind:bot plies:<20"), read_kind(""), read_kind("kind:guest")
    ('bots', 'all', 'other')
    """
    terms = _find(text, KIND_FIELDS)
    if not terms:
        return "all"
    asked = f"kind:{_read_word(terms[0])}" if len(terms) == 1 else ""
    return next((key for key, term in KINDS.items() if term and term == asked), OTHER)


def read_boards(text: str) -> list[str] | Literal["other"]:
    """Return the boards that a filter names; an empty list for any board.

    >>> read_boards("board:37,48"), read_boards("-board:37"), read_boards("board:37 board:48")
    (['37', '48'], [], 'other')
    """
    terms = _find(text, BOARD_FIELDS)
    if not terms:
        return []
    values = [value.text for value in terms[0].values if isinstance(value, Plain)]
    return values if len(terms) == 1 and len(values) == len(terms[0].values) else OTHER


def write_boards(boards: Sequence[str]) -> str:
    """Return the term for these boards; "" for any.

    >>> write_boards(["37", "48"])
    'board:37,48'
    """
    return f"board:{','.join(boards)}" if boards else ""


def read_years(text: str) -> Years | Literal["other"]:
    """Return the first and the last year that a filter allows.

    >>> read_years("date:2010..2012"), read_years("since:2010"), read_years("date:2010.05")
    (Years(first=2010, last=2012), Years(first=2010, last=None), 'other')
    """
    terms = _find(text, YEAR_FIELDS)
    by_field = {term.field: _read_years(term) for term in terms}
    if len(by_field) < len(terms) or None in by_field.values() or ("date" in by_field and len(by_field) > 1):
        return OTHER
    if found := by_field.get("date"):
        return found
    since, until = by_field.get("since"), by_field.get("until")
    return Years(since and since.first, until and until.first)


def _read_years(term: Term) -> Years | None:
    """Return the years of a term; None for months, days, several values and open intervals."""
    value = term.values[0]
    if len(term.values) > 1:
        return None
    if isinstance(value, Range):
        ends = (value.low, value.high)
        is_plain = not value.strict and all(end is None or _YEAR.fullmatch(end) for end in ends)
        return Years(*(end and int(end) for end in ends)) if is_plain else None  # type: ignore[arg-type]
    return Years(int(value.text), int(value.text)) if _YEAR.fullmatch(value.text) else None


def write_years(years: Years) -> str:
    """Return the term for these years; "" for any.

    >>> write_years(Years(2010, 2012)), write_years(Years(2010, 2010)), write_years(Years(None, 2012)), write_years(Years())
    ('date:2010..2012', 'date:2010', 'date:..2012', '')
    """
    if years == Years():
        return ""
    first, last = ("" if year is None else f"{year:04}" for year in years)
    return f"date:{first}" if first == last else f"date:{first}..{last}"


def read_rating(text: str) -> int | Literal["other"] | None:
    """Return the rating that a filter requires at least; None for any.

    >>> read_rating("rating:>=1800"), read_rating("rating:1800.."), read_rating("rating:<1800"), read_rating("")
    (1800, 1800, 'other', None)
    """
    terms = _find(text, RATING_FIELDS)
    if not terms:
        return None
    value = terms[0].values[0]
    is_least = isinstance(value, Range) and value.high is None and not value.strict and (value.low or "").isdigit()
    if len(terms) > 1 or len(terms[0].values) > 1 or not isinstance(value, Range) or not is_least:
        return OTHER
    return int(value.low or 0)


def write_rating(least: int | None) -> str:
    """Return the term for this rating or more; "" for any.

    >>> write_rating(1800)
    'rating:>=1800'
    """
    return "" if least is None else f"rating:>={least}"


def read_player(text: str) -> PlayerChoice | Literal["other"] | None:
    """Return the player whom a filter names; None for any.

    >>> read_player('first:"Ada L" board:37'), read_player("player:ada,ben"), read_player("")
    (PlayerChoice(name='Ada L', field='first'), 'other', None)
    """
    terms = _find(text, PLAYER_FIELDS)
    if not terms:
        return None
    name = _read_word(terms[0])
    return PlayerChoice(name, terms[0].field) if name and len(terms) == 1 else OTHER


def _find(text: str, fields: Sequence[str]) -> list[Term]:
    return [term for term in list_terms(text) if term.field in fields]


def _read_word(term: Term) -> str:
    """Return the value of a term with a single one; "" for others."""
    value = term.values[0]
    return value.text if len(term.values) == 1 and isinstance(value, Plain) else ""
