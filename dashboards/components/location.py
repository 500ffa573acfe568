"""The URL of a page: it holds all that the page shows, so any view can be shared.

The session has its own copy of the URL; pages read and write that copy. `begin_run` takes it from the browser only when a page is
opened, reloaded or navigated to: the URL that the browser sends with a click may be older than the page's last change.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeAlias, TypeVar
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from zertz_db.dashboards.state.markdown_text import escape_markdown

HISTORY_KEY = "history"
"""Key of a container that takes no space on a page."""
_SESSION_KEY = "address of the page"
_PRODUCT = "zertz-db"
_TITLED = ("tournament", "vs", "player", "moves", "what", "filter")
"""Values of the URL that name a view, the most specific last."""
_MAX_TITLE = 60
"""Maximum number of characters of a view's name in a document title."""

_MAX_SENT = 200
"""Maximum number of queries to remember."""

_SOMETIMES = frozenset((
    "about", "answer", "at", "board", "by", "captures", "cards", "code", "double", "ended", "every", "forced", "games", "kind",
    "known", "label", "length", "level", "metric", "missed_by", "mode", "more", "moves", "name", "names", "next", "of", "only",
    "page", "pair", "pairs", "playable", "ply", "pool", "profile", "record", "relays", "revised", "rules", "run", "select",
    "side", "sort", "theme", "tournament", "decided games", "decided names", "page of decided games", "page of decided names",
))  # fmt: skip
"""Names that some page reads only in some states, such as while a tab is open. A page that did not read one may know it."""

Widget = TypeVar("Widget")
_Values: TypeAlias = dict[str, list[str]]


class _Binding(NamedTuple):
    """The default of a widget, which the URL omits, and the widget's possible values (None: any text)."""

    default: Any
    options: Collection[Any] | None


@dataclass
class _UrlState:
    """The session's copy of the URL. page: the path of the page, None before the first run.

    seeded: start values of widgets, by key. bound: widgets whose values are in the URL. carried: values that go along to the next page.
    is_from_menu: whether the page was just opened from the menu, so its URL says nothing yet. sent: queries that the browser may have
    since the last navigation, the latest last. checked: the unknown values of the names that were checked since the last navigation.
    names_read: the names that the page read or set since the last navigation.
    """

    page: str | None
    values: dict[str, list[str]]
    title: str = ""
    seeded: dict[str, Any] = field(default_factory=dict)
    bound: dict[str, _Binding] = field(default_factory=dict)
    carried: dict[str, list[str]] = field(default_factory=dict)
    is_from_menu: bool = False
    sent: list[_Values] = field(default_factory=list)
    checked: _Values = field(default_factory=dict)
    names_read: set[str] = field(default_factory=set)


def begin_run(page: str, title: str = "") -> None:
    """Begin a run of a page (its path and title): read the URL after a navigation; otherwise update the browser's URL if it lags."""
    known = _get_url_state()
    is_navigation = _is_navigation() or _is_lost_navigation(known)
    if known.page != page or is_navigation:
        _reset_widgets(known)
        is_from_menu = known.page is not None and not is_navigation
        st.session_state[_SESSION_KEY] = _UrlState(
            page, _read_browser(), title,
            carried=known.carried, is_from_menu=is_from_menu, sent=[_read_browser()],
        )  # fmt: skip
    else:
        for name in known.bound:
            _store_widget_value(known, name)  # before the page's queries: the visitor may leave it meanwhile
        _send_to_browser(known)


def show_title(view: str = "") -> None:
    """Set the document's title: a view's name, by default that in the URL, and the page. Tabs, bookmarks and the history show it."""
    known = _get_url_state()
    named = view or " ".join(known.values[name][-1] for name in reversed(_TITLED) if known.values.get(name))
    shown = named if len(named) <= _MAX_TITLE else f"{named[: _MAX_TITLE - 1]}…"
    parts = [shown, "" if view else known.title, _PRODUCT]
    st.set_page_config(page_title=" · ".join(filter(None, parts)))


def get_value(name: str, default: str = "") -> str:
    """Return the URL's value of a name, the last one of several."""
    return (list_values(name) or [default])[-1]


def list_values(name: str) -> list[str]:
    """Return all values of a name in the URL. The page knows the name from then on."""
    known = _get_url_state()
    known.names_read.add(name)
    return list(known.values.get(name, []))


def check_value(name: str, *, is_known: bool) -> None:
    """Note the URL's value of a name as unknown, unless the page knows it. Only the first check after a navigation counts."""
    if get_value(name):
        _note_unknown(name, [] if is_known else [get_value(name)])


def show_unknown_values(*, is_complete: bool) -> None:
    """Show the values that the URL had when it was opened and the page did not know, until other values take their place.

    Show the names that the page does not know too, if it is complete: a page that stopped early did not read all its names.
    """
    state = _get_url_state()
    values = [
        f"{name}={text}"
        for name, texts in state.checked.items()
        for text in texts
        if get_value(name) in ("", texts[-1])
    ]
    names = sorted(state.values.keys() - state.names_read - _SOMETIMES) if is_complete else []
    unknown = [
        f"Unknown {what} in the address are ignored: {', '.join(found)}"
        for what, found in (("values", values), ("names", names))
        if found
    ]
    if unknown:
        st.warning(escape_markdown(". ".join(unknown)), icon=":material/link_off:")


def get_path() -> str:
    """Return the path of the page in the URL, "" for the start page."""
    return _get_url_state().page or ""


def get_query() -> str:
    """Return the URL's query, without the question mark."""
    return urlencode(_get_url_state().values, doseq=True)


def set_values(**named: str | Collection[str] | None) -> None:
    """Set values in the URL, and remove empty ones; for callbacks too."""
    known = _get_url_state()
    for name, written in named.items():
        texts = [written] if isinstance(written, str) else list(written or ())
        _set_value(known, name, [] if texts == [""] else texts)
    _send_to_browser(known)


def replace_all(named: Mapping[str, Collection[str]]) -> None:
    """Replace the URL's whole query; widgets take their values from it in the next run."""
    known = _get_url_state()
    _reset_widgets(known)
    known.values = {name: list(texts) for name, texts in named.items() if texts}
    _send_to_browser(known)


def get_all() -> dict[str, list[str]]:
    """Return the URL's whole query, for `replace_all`."""
    return _copy(_get_url_state().values)


def seed_widget(key: str, first: Any) -> Any:
    """Set a widget's value when its page is opened or navigated to; afterwards it has the visitor's value.

    Return its start value. Pass that to the widget as its default: a browser that draws a widget late, after another run, does not get
    the session's value in another way.
    """
    seeded = _get_url_state().seeded
    if key not in st.session_state:
        st.session_state[key] = seeded[key] = first
    return seeded.setdefault(key, st.session_state[key])


def bind_widget(
    name: str,
    draw: Callable[[str, Any], Widget],
    *,
    default: Any,
    options: Collection[Any] | None = None,
    is_carried: bool = False,
) -> Widget:
    """Draw a widget whose value is in the URL under its key, unless it is the default; return the result of `draw`.

    draw: takes the key and the start value. default: a list if several options can be chosen. options: the possible values, None for
    any text. is_carried: the value goes along to other pages that have this widget, if they are opened from the menu.
    """
    known = _get_url_state()
    if is_carried and known.is_from_menu and name in known.carried:
        known.values.setdefault(name, known.carried[name])
    bond = known.bound[name] = _Binding(default, options)
    known.names_read.add(name)
    if options is not None and name in known.values:
        _note_unknown(name, sorted({*known.values[name]} - {_text(option) for option in (*options, default)}))
    from_url = _parse_value(known.values.get(name, []), bond)
    first = seed_widget(name, from_url)
    if not _is_option(st.session_state[name], bond):
        st.session_state[name] = from_url
    drawn = draw(name, first if _is_option(first, bond) else from_url)
    _store_widget_value(known, name)
    _send_to_browser(known)
    if is_carried:
        known.is_from_menu = False
        if name in known.values or name in known.carried:  # a default that was never changed is the page's own
            known.carried[name] = known.values.get(name) or [_text(default)]
    return drawn


def show_tabs(name: str, tabs: Mapping[str, Callable[[], None]]) -> None:
    """Draw tabs by their titles, and fill the open one; the URL has it unless it is the first."""
    titles = list(tabs)
    drawn = bind_widget(
        name,
        lambda key, first: st.tabs(titles, key=key, default=first, on_change="rerun"),
        default=titles[0],
        options=titles,
    )
    for tab, fill in zip(drawn, tabs.values(), strict=True):
        if tab.open:
            with tab:
                fill()


def bind_select(label: str, name: str, options: Sequence[str], *, default: str | None = None, **settings: Any) -> str:
    """Draw a selection box whose option is in the URL; the default is the first one. settings: of `st.selectbox`. Return the option."""
    chosen: str = bind_widget(
        name,
        lambda key, first: st.selectbox(label, options, options.index(first), key=key, **settings),
        default=default or options[0],
        options=options,
    )
    return chosen


def bind_pages(name: str, last: int) -> int:
    """Draw a control to turn pages if there are several; return the number of the page to show."""
    if last < 2:
        return 1
    return bind_widget(
        name,
        lambda key, first: st.pagination(last, key=key, default=first),
        default=1,
        options=range(1, last + 1),
    )


def get_number(name: str, last: int, default: int = 1) -> int:
    """Return the URL's whole number of this name, from 1 to `last` (which may be 0), or the default."""
    number = parse_number(get_value(name))
    check_value(name, is_known=number is not None and 1 <= number <= max(last, 1))
    return max(1, min(default if number is None else number, last))


def parse_number(text: str) -> int | None:
    """Return a whole number that is written in digits, None for other text. Only the first nine digits count: URLs may have thousands.

    >>> parse_number("46"), parse_number("-1"), parse_number("9" * 5000)
    (46, None, 999999999)
    """
    return int(text[:9]) if text.isascii() and text.isdigit() else None


def build_url(page: str, query: Mapping[str, str]) -> str:
    """Return the URL of a page of the dashboard with this query, relative to another page.

    >>> build_url("games", {"filter": "board:37"})
    'games?filter=board%3A37'
    """
    return f"{page}?{urlencode(query)}" if query else page


def build_link(label: object, page: str, query: Mapping[str, str]) -> str:
    """Return a link to a page of the dashboard in Markdown; the label is shown unchanged. location.js opens it in place.

    >>> build_link("Ada L.", "players", {"player": "Ada L."})
    '[Ada L\\\\.](players?player=Ada+L.)'
    """
    return f"[{escape_markdown(label)}]({build_url(page, query)})"


def sync_history(shown: str) -> None:
    """Keep one entry per page in the browser's history, and let rows and cards open pages. shown: the path of this page."""
    with st.container(key=HISTORY_KEY):
        _component(key="history of pages", data={"shown": shown, "query": get_query()})


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
    """Return whether a step in the browser's history, or a link, started this run (see location.js)."""
    return bool(getattr(get_script_run_ctx(), "is_history_navigation", False))


def _note_unknown(name: str, texts: list[str]) -> None:
    _get_url_state().checked.setdefault(name, texts)


def _is_lost_navigation(known: _UrlState) -> bool:
    """Return whether the browser has a query that this page never sent, so it comes from a link or a step in the history.

    Streamlit joins the rerun of a navigation with that of a click, or of a component's report, which comes before it began. Then it
    forgets that it was a navigation.
    """
    return _read_browser() not in known.sent


def _read_browser() -> _Values:
    return {name: st.query_params.get_all(name) for name in st.query_params}


def _send_to_browser(known: _UrlState) -> None:
    if _read_browser() != known.values:
        st.query_params.from_dict(known.values)
        known.sent = [*known.sent, _copy(known.values)][-_MAX_SENT:]


def _copy(values: _Values) -> _Values:
    return {name: list(texts) for name, texts in values.items()}


def _set_value(known: _UrlState, name: str, texts: list[str]) -> None:
    known.names_read.add(name)
    if texts:
        known.values[name] = texts
    else:
        known.values.pop(name, None)


def _store_widget_value(known: _UrlState, name: str) -> None:
    """Store a widget's value in the URL; the value of a hidden widget stays unchanged there."""
    if name not in st.session_state:
        return
    shown, bond = st.session_state[name], known.bound[name]
    if _is_option(shown, bond):
        texts = [_text(one) for one in (shown if isinstance(shown, list) else [shown])]
        _set_value(known, name, [] if shown == bond.default else texts)


def _reset_widgets(known: _UrlState) -> None:
    """Make widgets take their values from the URL again."""
    for key in known.seeded:
        st.session_state.pop(key, None)
    known.seeded.clear()
    known.bound.clear()


def _parse_value(written: list[str], bond: _Binding) -> Any:
    default, options = bond
    if options is None:
        return written[-1] if written else default
    known = {_text(option): option for option in options}
    options_in_url = [known[text] for text in dict.fromkeys(written) if text in known]
    if isinstance(default, list):
        return options_in_url
    return options_in_url[-1] if options_in_url else default


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
