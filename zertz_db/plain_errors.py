"""Write the sentences of pydantic, which checks options and requests, in plain words."""

from __future__ import annotations

import re

_PLAIN = (
    (r"Value error, (.+)", r"\1"),
    (r"Input should be greater than or equal to (\S+)", r"must be at least \1"),
    (r"Input should be greater than (\S+)", r"must be more than \1"),
    (r"Input should be less than or equal to (\S+)", r"must be at most \1"),
    (r"Input should be less than (\S+)", r"must be less than \1"),
    (r"Input should be a valid integer.*", "must be a whole number"),
    (r"Input should be a valid number.*", "must be a number"),
    (r"Input should be a valid boolean.*", "must be true or false"),
    (r"Input should be a valid string.*", "must be a text"),
    (r"Input should be a valid list.*", "must be a list"),
    (r"Input should be a valid (?:dictionary|object).*", "must be an object"),
    (r"Input should be (.+)", r"must be \1"),
    (r"(?:String|List|Tuple) should have at (least|most) (\d+) (\w+?)s?(?: after.*)?", r"must have at \1 \2 \3s"),
    (r"Field required", "is missing"),
    (r"Extra inputs are not permitted", "is unknown"),
)


def rewrite(message: str) -> str:
    """Return a message of pydantic in plain words; other messages stay as they are."""
    for pattern, plain in _PLAIN:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            return found.expand(plain)
    return message
