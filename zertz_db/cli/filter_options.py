"""The options that say which games are meant, the same for every command that takes games."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Annotated, Any, get_type_hints

import typer

from parser.text.board_names import BOARDS
from zertz_db.cli.safe_output import decode_argument
from zertz_db.queries.filters.compile import Filters
from zertz_db.queries.filters.fields import ENDINGS, FIELDS, RESULTS, RULE_WORDS, VERDICTS
from zertz_db.rules.rule_sets import RULE_SETS

_DATE = "such as 2010, 2010.05 or 2010-05-01"


def _build_choice(name: str, values: tuple[str, ...], text: str) -> Any:
    return typer.Option(
        name, metavar=name.strip("-").upper(), help=f"{text}: {', '.join(values[:-1])} or {values[-1]}."
    )


_OPTIONS: dict[str, Any] = {
    "player": typer.Option("--player", metavar="NAME", help="Played, on either side; * stands for any letters."),
    "versus": typer.Option("--versus", metavar="NAME", help="The opponent of --player."),
    "first": typer.Option("--first", metavar="NAME", help="Moved first."),
    "second": typer.Option("--second", metavar="NAME", help="Moved second."),
    "since": typer.Option("--since", metavar="DATE", help=f"Not played before this, {_DATE}."),
    "until": typer.Option("--until", metavar="DATE", help=f"Not played after this, {_DATE}."),
    "board": _build_choice("--board", BOARDS, "On this board"),
    "rule_set": _build_choice("--rules", (*RULE_SETS, *RULE_WORDS), "Under this rule set"),
    "result": _build_choice("--result", RESULTS, "With this result (* is none)"),
    "ending": _build_choice("--ending", ENDINGS, "Ended so"),
    "verdict": _build_choice("--verdict", VERDICTS, "With an end or without"),
    "source": typer.Option("--source", metavar="TEXT", help="Found in a file with this in its path."),
}
"""One option for each field of Filters."""


_LANGUAGE = (
    f"Terms of the filter language, joined by blanks (that is and), or, not and parentheses: player:ada 'date:2010..2012' not board:37,48. "
    f"A bare word is looked for in names and events. Fields: {', '.join(FIELDS)}."
)
_ARGUMENT = typer.Argument(metavar="FILTER", help=_LANGUAGE, show_default=False)
_FILTER_OPTION = typer.Option("--filter", metavar="FILTER", help=_LANGUAGE)


def add_filter_options(command: Callable[..., None]) -> Callable[..., None]:
    """A command that is told which games are meant, and takes them as one keyword argument, `filters: Filters`.

    The command line gets an option for each field of Filters, and the filter language: as arguments (`zertz games board:48
    not player:ada`), or, where the command has arguments of its own, as the option --filter. All of it together holds. Use it
    as a decorator, without arguments, on a function whose parameters are all keywords:

        @with_filters
        def games(*, filters: Filters, limit: Annotated[int, typer.Option("--limit")] = 20) -> None:
    """
    hints = get_type_hints(command, include_extras=True)
    own = [parameter for parameter in inspect.signature(command).parameters.values() if parameter.name != "filters"]
    has_arguments = any(_is_argument(hints[parameter.name]) for parameter in own)

    def filtered(words: list[str] | str | None, **values: Any) -> None:
        asked = {name: values.pop(name) for name in _OPTIONS}
        asked["words"] = " ".join(map(_restore_quotes, words)) or None if isinstance(words, list) else words
        command(filters=Filters(**{name: value and decode_argument(value) for name, value in asked.items()}), **values)

    language = Annotated[str | None, _FILTER_OPTION] if has_arguments else Annotated[list[str] | None, _ARGUMENT]
    annotations = {"words": language} | {name: Annotated[str | None, option] for name, option in _OPTIONS.items()}
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [
        inspect.Parameter(name, keyword, default=None, annotation=annotation)
        for name, annotation in annotations.items()
    ] + [parameter.replace(kind=keyword, annotation=hints[parameter.name]) for parameter in own]
    filtered.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    filtered.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    filtered.__doc__ = command.__doc__
    return filtered


def _is_argument(hint: Any) -> bool:
    return any(isinstance(said, typer.models.ArgumentInfo) for said in getattr(hint, "__metadata__", ()))


_UNQUOTED = re.compile(r"""(?P<field>\w+:)(?P<values>(?:(?!\s-)[^"“”():<>])*\s(?:(?!\s-)[^"“”():<>])*)""")


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
