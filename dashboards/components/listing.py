"""Lists whose rows open something: drawn by the browser, sorted and turned over by the server, so that they may be of any length.

A row is a link: a click is answered within the page, a middle click opens another one. Values are shown as texts, whatever they hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from dashboards.components.location import build_url, set_values
from dashboards.state.callbacks import Callback, build_callbacks

FRONTEND = Path(__file__).parent / "frontend"
PAGE_SIZE = 50
"""Rows of one page of a list."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a list.

    kind: how its values are drawn: `text`, `number`, `quiet` (a text of less weight), `strong`, `sets` (names of winning sets), `badge`,
    `share` and `results` (see `build_share`, `build_results`). sort: the name by which the list can be sorted. wide: left
    out where the page is narrow, or no row has a value. help: what it means.
    """

    title: str
    kind: str = "text"
    sort: str | None = None
    wide: bool = False
    help: str = ""


class Row(NamedTuple):
    """A row: what is reported when it is chosen, and its values; or, instead of reporting, the page that it opens (a name and what
    stands in its URL).
    """

    key: str
    values: Sequence[Any]
    page: str = ""
    query: Mapping[str, str] = {}


class Pages(NamedTuple):
    """Which part of a list is shown: pages count from 1, `total` counts rows."""

    number: int
    total: int
    size: int = PAGE_SIZE


def save_in_url(name: str) -> Callback:
    """What keeps a value that was clicked in the URL; another page of a list is then its first one again."""
    return lambda value: set_values(**{"page": None, name: value})


def show_listing(
    columns: Sequence[Column],
    rows: Sequence[Row],
    *,
    key: str,
    sort: str | None = None,
    pages: Pages | None = None,
    label: str = "Rows",
    height: int | None = None,
    on_row: Callback | None = None,
    on_sort: Callback | None = None,
) -> None:
    """A list.

    sort: the column by which it is sorted, with `-` before it for the greatest first. height: pixels from which on it scrolls.
    on_row: told, before the page is shown anew, the key of the row that was clicked. on_sort: the same of the order (`date`, `-date`),
    which else is put into the URL as `sort`, as the number of the page is as `page`.
    """
    filled = [
        number for number, column in enumerate(columns) if not column.wide or any(row.values[number] for row in rows)
    ]
    data = {
        "label": label,
        "height": height,
        "columns": [
            {"title": column.title, "kind": column.kind, "sort": column.sort, "wide": column.wide, "help": column.help}
            for column in (columns[number] for number in filled)
        ],
        "rows": [
            {
                "key": row.key if on_row or row.page else "",
                "values": [row.values[number] for number in filled],
                "href": build_url(row.page, row.query) if row.page else None,
            }
            for row in rows
        ],
        "sort": sort,
        "pages": pages and {**pages._asdict(), "last": -(-pages.total // pages.size)},
    }
    acts = {"row": on_row, "sort": on_sort or save_in_url("sort"), "page": save_in_url("page")}
    _component(key=key, data=data, **build_callbacks(key, acts))


def sort_rows(found: Sequence[dict[str, Any]], sort: str) -> list[dict[str, Any]]:
    """Rows by a column, with `-` before it the greatest first; those without a value come last.

    >>> sort_rows([{"n": 1}, {"n": None}, {"n": 2}], "-n")
    [{'n': 2}, {'n': 1}, {'n': None}]
    """
    name, falls = sort.removeprefix("-"), sort.startswith("-")
    known = [row for row in found if row[name] is not None]
    known.sort(key=lambda row: row[name].casefold() if isinstance(row[name], str) else row[name], reverse=falls)
    return [*known, *(row for row in found if row[name] is None)]


def build_share(
    row: Mapping[str, Any], share: str = "share", low: str = "low", high: str = "high"
) -> list[float] | None:
    """A share with its interval, as a value of the kind `share`; None where there are too few games for one."""
    return None if row[share] is None else [row[share], row[low], row[high]]


def build_results(row: Mapping[str, Any], share: str = "share", low: str = "low", high: str = "high") -> dict[str, Any]:
    """Won, tied and lost games with the share of points and its interval, as a value of the kind `results`."""
    return {"counts": [row["wins"], row["ties"], row["losses"]], "share": build_share(row, share, low, high)}


_component = st.components.v2.component(
    "zertz_listing",
    html='<div class="listing"></div>',
    css=(FRONTEND / "listing.css").read_text("utf-8"),
    js=(FRONTEND / "listing.js").read_text("utf-8"),
)
