"""The address of a page: it holds what the page shows, so that it can be sent to somebody.

The session has its own copy of the address; pages read and write that copy. `begin` takes it from the browser where a page is opened,
loaded again or come back to, and never else: what the browser sends with a click may be older than what the page has just written.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeVar
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

HISTORY_KEY = "history"
"""The key of a container that takes no place on a page."""
_SESSION_KEY = "address of the page"

Widget = TypeVar("Widget")


class _Binding(NamedTuple):
    """What a widget shows that the address says nothing of, and the values that it can have (None: any text)."""

    default: Any
    options: Collection[Any] | None


@dataclass
class _UrlState:
    """The session's copy. page: the path of the page, None before the first run.

    seeded: the widgets that took their value from it, with that value. bound: those whose value it has.
    """

    page: str | None
    values: dict[str, list[str]]
    seeded: dict[str, Any] = field(default_factory=dict)
    bound: dict[str, _Binding] = field(default_factory=dict)


def begin_run(page: str) -> None:
    """Begin a run of a page (its path): follow the browser where somebody went there, else correct the browser where it lags behind."""
    known = _get_url_state()
    if known.page != page or _is_navigation():
        _reset_widgets(known)
        st.session_state[_SESSION_KEY] = _UrlState(page, _read_browser())
    else:
        for name in known.bound:
            _store_widget_value(known, name)  # before the page asks the database: somebody may leave it meanwhile
        _send_to_browser(known)


def get_value(name: str, otherwise: str = "") -> str:
    """Return the value that the address has under a name, the last one of several."""
    return (_get_url_state().values.get(name) or [otherwise])[-1]


def list_values(name: str) -> list[str]:
    """Return all values that the address has under a name."""
    return list(_get_url_state().values.get(name, []))


def get_query() -> str:
    """Return what stands behind the question mark."""
    return urlencode(_get_url_state().values, doseq=True)


def set_values(**named: str | Collection[str] | None) -> None:
    """Put values into the address, and take those out that are empty; for callbacks too."""
    known = _get_url_state()
    for name, written in named.items():
        texts = [written] if isinstance(written, str) else list(written or ())
        _set_value(known, name, [] if texts == [""] else texts)
    _send_to_browser(known)


def replace_all(named: Mapping[str, Collection[str]]) -> None:
    """Make this all of the address; widgets take their values from it in the next run."""
    known = _get_url_state()
    _reset_widgets(known)
    known.values = {name: list(texts) for name, texts in named.items() if texts}
    _send_to_browser(known)


def get_all() -> dict[str, list[str]]:
    """Return all of the address, for `replace`."""
    return {name: list(texts) for name, texts in _get_url_state().values.items()}


def seed_widget(key: str, first: Any) -> Any:
    """Give a widget its value where the page is opened or come back to; later it has the one that was set there.

    Return the value that it began with. The widget is given that as its default too: a browser that draws a widget late, after another
    run, learns of the session's value in no other way.
    """
    seeded = _get_url_state().seeded
    if key not in st.session_state:
        st.session_state[key] = seeded[key] = first
    return seeded.setdefault(key, st.session_state[key])


def bind_widget(
    name: str, draw: Callable[[str, Any], Widget], *, default: Any, options: Collection[Any] | None = None
) -> Widget:
    """Draw a widget whose value stands in the address under its key, unless it is the default; return what `draw` returns.

    draw: takes the key and the value to begin with. default: a list where several options can be chosen. options: the values that are
    possible, None for any text.
    """
    known = _get_url_state()
    bond = known.bound[name] = _Binding(default, options)
    said = _parse_value(known.values.get(name, []), bond)
    first = seed_widget(name, said)
    if not _is_option(st.session_state[name], bond):
        st.session_state[name] = said
    drawn = draw(name, first if _is_option(first, bond) else said)
    _store_widget_value(known, name)
    _send_to_browser(known)
    return drawn


def bind_tabs(name: str, titles: Sequence[str]) -> Sequence[Any]:
    """Draw tabs of which the open one stands in the address, unless it is the first."""
    return bind_widget(
        name,
        lambda key, first: st.tabs(titles, key=key, default=first, on_change="rerun"),
        default=titles[0],
        options=titles,
    )


def bind_pages(name: str, last: int) -> int:
    """Draw what turns pages over, where there are several; return the number of the page that is shown."""
    if last < 2:
        return 1
    return bind_widget(
        name,
        lambda key, first: st.pagination(last, key=key, default=first),
        default=1,
        options=range(1, last + 1),
    )


def get_number(name: str, last: int, otherwise: int = 1) -> int:
    """The whole number that the address has under this name, from 1 to `last` (which may be 0); `otherwise` where it has none."""
    written = get_value(name)
    asked = int(written[:9]) if written.isascii() and written.isdigit() else otherwise
    return max(1, min(asked, last))


def build_url(page: str, query: Mapping[str, str]) -> str:
    """The address of a page of the dashboard with this in its URL, seen from another one.

    >>> address("games", {"filter": "board:37"})
    'games?filter=board%3A37'
    """
    return f"{page}?{urlencode(query)}" if query else page


def sync_history(shown: str) -> None:
    """See to it that the browser's history has one entry for each page, and that rows and cards can open pages. `shown`: its path."""
    with st.container(key=HISTORY_KEY):
        _component(key="history of pages", data={"shown": shown})


def open_page(page: str, query: Mapping[str, str]) -> NoReturn:
    """Show another page, with an entry of its own in the browser's history."""
    to = build_url(page, query)
    with st.container(key=f"{HISTORY_KEY} of opening"):
        _component(key=f"open {to}", data={"open": to})
    st.stop()


def _get_url_state() -> _UrlState:
    if _SESSION_KEY not in st.session_state:
        st.session_state[_SESSION_KEY] = _UrlState(None, _read_browser())
    found: _UrlState = st.session_state[_SESSION_KEY]
    return found


def _is_navigation() -> bool:
    """Whether this run was asked for by a step in the browser's history, or by a link (see location.js)."""
    return bool(getattr(get_script_run_ctx(), "is_history_navigation", False))


def _read_browser() -> dict[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in st.query_params}


def _send_to_browser(known: _UrlState) -> None:
    if _read_browser() != known.values:
        st.query_params.from_dict(known.values)


def _set_value(known: _UrlState, name: str, texts: list[str]) -> None:
    if texts:
        known.values[name] = texts
    else:
        known.values.pop(name, None)


def _store_widget_value(known: _UrlState, name: str) -> None:
    """Put the value of a widget into the address; that of one that is not shown just now stays there as it is."""
    if name not in st.session_state:
        return
    shown, bond = st.session_state[name], known.bound[name]
    if _is_option(shown, bond):
        texts = [_text(one) for one in (shown if isinstance(shown, list) else [shown])]
        _set_value(known, name, [] if shown == bond.default else texts)


def _reset_widgets(known: _UrlState) -> None:
    """Let widgets take their values from the address again."""
    for key in known.seeded:
        st.session_state.pop(key, None)
    known.seeded.clear()
    known.bound.clear()


def _parse_value(written: list[str], bond: _Binding) -> Any:
    default, options = bond
    if options is None:
        return written[-1] if written else default
    known = {_text(option): option for option in options}
    chosen = [known[text] for text in dict.fromkeys(written) if text in known]
    if isinstance(default, list):
        return chosen
    return chosen[-1] if chosen else default


def _is_option(shown: Any, bond: _Binding) -> bool:
    default, options = bond
    if options is None:
        return isinstance(shown, str)
    if shown == default:
        return True
    return all(one in options for one in shown) if isinstance(shown, list) else shown in options


def _text(option: Any) -> str:
    return "" if option is None else str(option).lower() if isinstance(option, bool) else str(option)


_component = st.components.v2.component(
    "zertz_location", js=(Path(__file__).parent / "frontend" / "location.js").read_text("utf-8")
)
