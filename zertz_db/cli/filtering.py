"""The options that say which games are meant, the same for every command that takes games."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_type_hints

import typer

from zertz_db.cli.output import as_text
from zertz_db.queries.filter_fields import BOARDS, ENDINGS, RESULTS, VERDICTS
from zertz_db.queries.filters import Filters
from zertz_db.rules.ruleset import RULE_SETS

_DATE = "such as 2010, 2010.05 or 2010-05-01"


def _choice(name: str, values: tuple[str, ...], text: str) -> Any:
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
    "board": _choice("--board", BOARDS, "On this board"),
    "rule_set": _choice("--rules", tuple(RULE_SETS), "Under this rule set"),
    "result": _choice("--result", RESULTS, "With this result (* is none)"),
    "ending": _choice("--ending", ENDINGS, "Ended so"),
    "verdict": _choice("--verdict", VERDICTS, "With an end or without"),
    "source": typer.Option("--source", metavar="TEXT", help="Found in a file with this in its path."),
}
"""One option for each field of Filters."""


def with_filters(command: Callable[..., None]) -> Callable[..., None]:
    """A command with all the options above, which it takes as one keyword argument, `filters`."""

    def filtered(**values: Any) -> None:
        asked = {name: values.pop(name) for name in _OPTIONS}
        filters = Filters(**{name: value and as_text(value) for name, value in asked.items()})
        command(filters=filters, **values)

    keyword = inspect.Parameter.KEYWORD_ONLY
    hints = get_type_hints(command, include_extras=True)
    own = inspect.signature(command).parameters.values()
    parameters = [
        inspect.Parameter(name, keyword, default=None, annotation=Annotated[str | None, option])
        for name, option in _OPTIONS.items()
    ] + [
        parameter.replace(kind=keyword, annotation=hints[parameter.name])
        for parameter in own
        if parameter.name != "filters"
    ]
    filtered.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    filtered.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    filtered.__doc__ = command.__doc__
    return filtered
