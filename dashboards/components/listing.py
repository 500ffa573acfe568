"""Lists of links. The browser draws a page of rows; the server sorts and pages them, so lists can have any length.

A row is a link: a click opens it in place, a middle click in a new tab. Values are shown as plain text.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import streamlit as st

from zertz_db.dashboards.components.location import build_url, set_values
from zertz_db.dashboards.state.callbacks import Callback, build_callbacks

Entry = TypeVar("Entry")

FRONTEND = Path(__file__).parent / "frontend"
PAGE_SIZE = 50
"""Rows per page of a list."""
RESULTS_TITLE = "Won, tied, lost by who plays it; score"
"""The title of a column of results (`build_results`) in a list of moves."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a list.

    kind: the way to draw its values: `text`, `number`, `quiet` (less emphasis), `strong`, `sets` (names of winning sets), `badge`,
    `share` and `results` (see `build_share`, `build_results`), `letter` (a letter and its kind, or None). sort: the name to sort the
    list by. wide: left out if the page is narrow or no row has a value. help: its meaning.
    """

    title: str
    kind: str = "text"
    sort: str | None = None
    wide: bool = False
    help: str = ""


class Row(NamedTuple):
    """A row: the key that it reports when it is chosen, and its values. With a page it is a link instead (a page's name and URL query).

    preview: a drawing (SVG) that a board with previews shows while the pointer or the focus is on the row, or arrow keys mark it.
    """

    key: str
    values: Sequence[Any]
    page: str = ""
    query: Mapping[str, str] = {}
    preview: str = ""


def count_pages(total: int, size: int) -> int:
    """Return the number of pages of a list of `total` rows.

    >>> count_pages(0, 50), count_pages(50, 50), count_pages(51, 50)
    (0, 1, 2)
    """
    return -(-total // size)


def cut_page(rows: Sequence[Entry], number: int, size: int) -> Sequence[Entry]:
    """Return the rows of a page; pages count from 1.

    >>> cut_page("abcde", 2, 3)
    'de'
    """
    return rows[(number - 1) * size : number * size]


class Pages(NamedTuple):
    """The part of a list that is shown: pages count from 1, `total` counts rows."""

    number: int
    total: int
    size: int = PAGE_SIZE


def save_in_url(name: str, page_name: str = "page") -> Callback:
    """Return a callback that stores the clicked value in the URL; the list goes back to its first page."""
    return lambda value: set_values(**{page_name: None, name: value})


def show_listing(
    columns: Sequence[Column],
    rows: Sequence[Row],
    *,
    key: str,
    sort: str | None = None,
    pages: Pages | None = None,
    label: str = "Rows",
    height: int | None = None,
    page_name: str = "page",
    on_row: Callback | None = None,
    on_sort: Callback | None = None,
    selected: Collection[str] | None = None,
    on_select: Callback | None = None,
    on_back: Callback | None = None,
    is_at_start: bool = False,
) -> None:
    """Draw a list.

    sort: the column that it is sorted by, with `-` before it for the greatest first. height: pixels above which it scrolls.
    on_row: takes the key of the clicked row, before the page runs again. on_sort: takes the new order (`date`, `-date`); default: set
    `sort` in the URL. page_name: name of the page's number in the URL. selected: the keys of selected rows; None for a list without
    boxes to select. on_select: takes `=` and the keys of the selected ones among the rows shown, with spaces between.

    on_back: makes arrow keys walk, here and on the board of the page: up and down mark a row, right chooses it (or the first row), left
    calls this function unless is_at_start. A list without columns is invisible and only takes these keys.
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
                **({"preview": row.preview} if row.preview else {}),
            }
            for row in rows
        ],
        "sort": sort,
        "selected": None if selected is None else [row.key for row in rows if row.key in selected],
        "pages": pages and {**pages._asdict(), "last": count_pages(pages.total, pages.size)},
        "walk": {"back": not is_at_start} if on_back else None,
    }
    actions = {
        "row": on_row,
        "sort": on_sort or save_in_url("sort", page_name),
        "page": save_in_url(page_name),
        "back": on_back,
        "select": on_select,
    }
    _component(key=key, data=data, **build_callbacks(key, actions))


def sort_rows(found: Sequence[dict[str, Any]], sort: str) -> list[dict[str, Any]]:
    """Sort rows by a column, with `-` before it for the greatest first; rows without a value come last.

    >>> sort_rows([{"n": 1}, {"n": None}, {"n": 2}], "-n")
    [{'n': 2}, {'n': 1}, {'n': None}]
    """
    name, descending = sort.removeprefix("-"), sort.startswith("-")
    known = [row for row in found if row[name] is not None]
    known.sort(key=lambda row: row[name].casefold() if isinstance(row[name], str) else row[name], reverse=descending)
    return [*known, *(row for row in found if row[name] is None)]


def build_share(
    row: Mapping[str, Any], share: str = "share", low: str = "low", high: str = "high"
) -> list[float] | None:
    """Return a share with its interval, as a value of the kind `share`; None if there are too few games."""
    return None if row[share] is None else [row[share], row[low], row[high]]


def build_results(row: Mapping[str, Any], share: str = "share", low: str = "low", high: str = "high") -> dict[str, Any]:
    """Return won, tied and lost games with the points share and its interval, as a value of the kind `results`."""
    return {"counts": [row["wins"], row["ties"], row["losses"]], "share": build_share(row, share, low, high)}


_component = st.components.v2.component(
    "zertz_listing",
    html='<div class="listing"></div>',
    css=(FRONTEND / "listing.css").read_text("utf-8"),
    js="\n".join(
        (FRONTEND / name).read_text("utf-8") for name in ("listing_select.js", "listing_walk.js", "listing.js")
    ),
)
