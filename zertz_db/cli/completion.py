"""Complete filters, players, labels and tournaments in shells, from the database at hand. After an error nothing is completed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

import typer

from zertz_db.cli.command_table import COMPLETION_VARIABLE
from zertz_db.cli.options import DEFAULT_DATABASE
from zertz_db.queries.filters.completion import Suggestion, complete_filter
from zertz_db.store.open_database import open_database

_BASH, _ZSH = "complete_bash", "complete_zsh"
_SPECIAL = re.compile(r"([^\w@%+=:,./*-])")


def complete_filter_words(context: typer.Context, incomplete: str) -> list[str]:
    """Return texts that complete the last word of a filter: fields, or values of one field."""
    before, value = _split_word(incomplete)
    found = _replace_end(f"{before}{value}", _suggest(context, f"{before}{value}"))
    if len(found) == 1 and found[0].endswith(":"):  # a shell would put a blank behind the only field
        found = _replace_end(found[0], _suggest(context, found[0])) or found
    return [_quote(text.removeprefix(before), value) for text in found]


def _replace_end(text: str, suggestions: list[Suggestion]) -> list[str]:
    return [text[: one.start] + one.text for one in suggestions]


def complete_values(field: str) -> Callable[[typer.Context, str], list[str]]:
    """Return the completion of an option or argument that takes values of a field of the filter language."""

    def complete(context: typer.Context, incomplete: str) -> list[str]:
        return [_quote(one.text, incomplete) for one in _suggest(context, f"{field}:{incomplete}")]

    return complete


def complete_choices(choices: Collection[str]) -> Callable[[typer.Context, str], list[str]]:
    """Return the completion of an option or argument that takes one of some words."""

    def complete(_context: typer.Context, incomplete: str) -> list[str]:
        return [one for one in choices if one.startswith(incomplete)]

    return complete


def complete_first_word(choices: Collection[str]) -> Callable[[typer.Context, str], list[str]]:
    """Return the completion of an argument whose first word is one of some words, or begins a filter that goes on behind it."""

    def complete(context: typer.Context, incomplete: str) -> list[str]:
        first = [] if context.params.get("words") else [one for one in choices if one.startswith(incomplete)]
        return [*first, *complete_filter_words(context, incomplete)]

    return complete


def _split_word(incomplete: str) -> tuple[str, str]:
    """Return the field and its colon, if they are words before this one, and the rest of the text. Only bash divides words at colons."""
    if os.environ.get(COMPLETION_VARIABLE) == _BASH:
        words = os.environ.get("COMP_WORDS", "").split("\n")[: int(os.environ.get("COMP_CWORD", "0"))]
        if incomplete == ":" and words:
            return f"{words[-1]}:", ""
        if words[-1:] == [":"]:
            return f"{words[-2]}:", incomplete
    return "", incomplete


def _suggest(context: typer.Context, text: str) -> list[Suggestion]:
    folder = context.params.get("folder") or os.environ.get("ZERTZ_DB") or DEFAULT_DATABASE
    with suppress(Exception), open_database(Path(folder)) as database:
        return complete_filter(database, text.replace("\\ ", " "))
    return []


def _quote(text: str, typed: str) -> str:
    """Return a completion of the typed text in the form of the shell that asks.

    The quotes of the filter language are optional: see `filter_options`. Case does not matter in filters, but zsh offers no text that
    begins in another case than the typed text.
    """
    plain = text.replace('"', "")
    if os.environ.get(COMPLETION_VARIABLE) == _ZSH and plain[: len(typed)].casefold() == typed.casefold():
        return _Completion(typed + plain[len(typed) :])
    return _Completion(_SPECIAL.sub(r"\\\1", plain) if os.environ.get(COMPLETION_VARIABLE) == _BASH else plain)


class _Completion(str):
    """Completion of another case than the text before it, or of a part of it: Typer would omit it, because it does not begin like that."""

    __slots__ = ()

    def startswith(self, *_: object) -> bool:
        return True
