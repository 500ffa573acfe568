"""A question that can't be answered as it was asked."""

from __future__ import annotations

from zertz_db.errors import UserMistake


class QueryError(UserMistake):
    """An unknown id, an impossible filter, a faulty SQL text: the message says what is wrong and what would be right."""
