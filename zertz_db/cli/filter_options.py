"""Options that select games: the filter language, and short forms of its terms."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_type_hints

import typer

from zertz_db.cli.completion import complete_filter_words, complete_first_word, complete_values
from zertz_db.cli.safe_output import decode_argument
from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.queries.filters.coverage import describe_coverage, needs_analyses
from zertz_db.queries.filters.fields import FIELDS
from zertz_db.queries.filters.terms import join_filters, write_term
from zertz_db.store.folder.database import Database

_DATE = "for example 2010, 2010.05 or 2010-05-01"
_OPTIONS = {
    "--player": ("player", "NAME", "A player, on either side; * matches any letters."),
    "--versus": ("vs", "NAME", "The opponent of --player."),
    "--first": ("first", "NAME", "The player who moved first."),
    "--second": ("second", "NAME", "The player who moved second."),
    "--since": ("since", "DATE", f"The earliest date, {_DATE}."),
    "--until": ("until", "DATE", f"The latest date, {_DATE}."),
    "--board": ("board", "BOARD", "The board"),
    "--rules": ("rules", "RULES", "The rule set"),
    "--result": ("result", "RESULT", "The result (* or none: unknown)"),
    "--ending": ("ending", "ENDING", "How the game ended"),
    "--verdict": ("verdict", "VERDICT", "Whether the record has the end of the game"),
    "--source": ("source", "TEXT", "Part of the path of a file that has the game."),
}
"""By option, the field that it stands for, what it takes, and its help; the field's choices follow."""


def _describe(field: str, text: str) -> str:
    choices = FIELDS[field].choices
    return f"{text}: {', '.join(choices[:-1])} or {choices[-1]}." if choices else text


_LANGUAGE = (
    f"Terms of the filter language, joined by blanks (that is and), or, not and parentheses: player:ada 'date:2010..2012' not board:37,48. "
    f"A bare word is looked for in names and events. Fields: {', '.join(FIELDS)}."
)
_FILTER_OPTION = typer.Option("--filter", metavar="FILTER", help=_LANGUAGE, autocompletion=complete_filter_words)


def add_filter_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the filter language and its options; it receives one filter as `filters: str`.

    The language is an argument (`zertz games board:48 not player:ada`), or the option --filter if the command has arguments of its
    own. All terms must hold. A command with a parameter `words` gets what is written in the language apart, as that; `filters` then
    has the terms of the options. If the first of these words can be another one, annotate it with them: `Annotated[str, TABLES]`.
    If it can be a path, annotate it as `list[str]`: the command receives the arguments and joins the others with `join_words`.
    Use it as a decorator, without arguments, on a function whose parameters are all keywords:

        @add_filter_options
        def games(*, filters: str, limit: Annotated[int, typer.Option("--limit")] = 20) -> None:
    """
    hints = get_type_hints(command, include_extras=True)
    parameters = inspect.signature(command).parameters
    own = [parameter for name, parameter in parameters.items() if name not in ("filters", "words")]
    has_arguments = any(_is_argument(hints[parameter.name]) for parameter in own)

    def filtered(words: list[str] | str | None, **values: Any) -> None:
        options = {field: values.pop(field) for field, _, _ in _OPTIONS.values()}
        terms = " ".join(
            write_term(field, decode_argument(value)) for field, value in options.items() if value is not None
        )
        if hints.get("words") == list[str]:
            command(filters=terms, words=words or [], **values)
            return
        text = join_words(words) if isinstance(words, list) else decode_argument(words or "")
        if "words" in parameters:
            command(filters=terms, words=text, **values)
        else:
            command(filters=join_filters(terms, text), **values)

    [first] = getattr(hints.get("words"), "__metadata__", [()])
    argument = typer.Argument(
        metavar="FILTER", help=_LANGUAGE, show_default=False, autocompletion=complete_first_word(first)
    )
    annotations: dict[str, Any] = {
        "words": Annotated[str | None, _FILTER_OPTION] if has_arguments else Annotated[list[str] | None, argument],
        **{
            field: Annotated[
                str | None,
                typer.Option(
                    option, metavar=metavar, help=_describe(field, text), autocompletion=complete_values(field)
                ),
            ]
            for option, (field, metavar, text) in _OPTIONS.items()
        },
    }
    keyword = inspect.Parameter.KEYWORD_ONLY
    shown = [
        inspect.Parameter(name, keyword, default=None, annotation=annotation)
        for name, annotation in annotations.items()
    ] + [parameter.replace(kind=keyword, annotation=hints[parameter.name]) for parameter in own]
    filtered.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    filtered.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    filtered.__doc__ = command.__doc__
    return filtered


def join_words(words: list[str]) -> str:
    """Return one filter that has the terms of these arguments."""
    return decode_argument(" ".join(map(_restore_quotes, words)))


def is_term(argument: str) -> bool:
    """Return whether an argument can only be part of a filter: a field with its value, `not`, or a parenthesis."""
    field, colon, _ = argument.partition(":")
    return argument.startswith("(") or argument.casefold() == "not" or bool(colon and field.casefold() in FIELDS)


def report_absence(database: Database, filters: str) -> bool:
    """Report on standard error that no game passes the filters, if that is so; return whether it is."""
    from zertz_db.queries.filters.suggestions import absence  # 10 ms that --help and checks don't need
    from zertz_db.queries.games.game_list import count_games

    is_absent = not count_games(database, filters)
    if is_absent:
        typer.echo(absence(database, filters), err=True)
    return is_absent


def report_coverage(database: Database, filters: str, *, is_needed: bool = False) -> None:
    """Report on standard error how many games of the filter have been analysed, if not all have, and the filter or the command needs it."""
    coverage = describe_coverage(database, filters) if is_needed or needs_analyses(filters) else None
    if coverage:
        typer.echo(coverage, err=True)


def _is_argument(hint: Any) -> bool:
    return any(isinstance(said, typer.models.ArgumentInfo) for said in getattr(hint, "__metadata__", ()))


_UNQUOTED = compile_on_use(r"""(?P<field>\w+(?:-\w+)*:)(?P<values>(?:(?!\s-)[^"“”():<>])*\s(?:(?!\s-)[^"“”():<>])*)""")


def _restore_quotes(argument: str) -> str:
    """An argument from which the shell has taken the quotation marks: `player:"Ada L"` arrives as `player:Ada L`.

    It is told by being one field with words behind it, none of which belongs to the language; a value to choose needs no quotes.
    """
    found = _UNQUOTED.fullmatch(argument)
    if not found or {"and", "or", "not"} & {*found["values"].casefold().split()}:
        return argument
    field = FIELDS.get(found["field"].rstrip(":").casefold())
    if field is None or field.choices or field.between:
        return argument
    return found["field"] + ",".join(f'"{value.strip()}"' for value in found["values"].split(","))
