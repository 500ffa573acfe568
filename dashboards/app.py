"""The dashboard: its pages. `zertz dashboard` runs it with ZERTZ_DB naming the database."""

from __future__ import annotations

import logging
from pathlib import Path

import duckdb
import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.navigation.page import Page
from streamlit.runtime.scriptrunner import get_script_run_ctx

from zertz_db.dashboards.components.location import begin_run, show_title, show_unknown_values, sync_history
from zertz_db.dashboards.sections.update_notice import watch_database
from zertz_db.dashboards.state.database import SESSION_KEY, is_missing, is_writable
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.errors import ZertzError
from zertz_db.store.errors import explain

HERE = Path(__file__).parent
PAGES = {
    "": [st.Page("views/overview.py", title="Overview", icon=":material/dashboard:", default=True)],
    "Games": [
        st.Page("views/games.py", title="Games", icon=":material/view_list:", url_path="games"),
        st.Page("views/game.py", title="Game", icon=":material/hexagon:", url_path="game"),
        st.Page("views/players.py", title="Players", icon=":material/group:", url_path="players"),
        st.Page("views/bookmarks.py", title="Bookmarks", icon=":material/bookmark:", url_path="bookmarks"),
    ],
    "Explore": [
        st.Page("views/openings.py", title="Openings", icon=":material/account_tree:", url_path="openings"),
        st.Page("views/analysis.py", title="Analysis board", icon=":material/biotech:", url_path="analysis"),
        st.Page("views/search.py", title="Position search", icon=":material/search:", url_path="find"),
        st.Page("views/puzzles.py", title="Puzzles", icon=":material/extension:", url_path="puzzles"),
        st.Page("views/stats.py", title="Win conditions", icon=":material/bar_chart:", url_path="statistics"),
        st.Page("views/insights.py", title="Insights", icon=":material/insights:", url_path="insights"),
        st.Page("views/compare.py", title="A against B", icon=":material/compare_arrows:", url_path="compare"),
    ],
    "Records": [
        st.Page("views/enter.py", title="Enter a game", icon=":material/edit:", url_path="enter"),
        st.Page("views/check.py", title="Check & import", icon=":material/fact_check:", url_path="check"),
        st.Page("views/imports.py", title="Imports", icon=":material/download:", url_path="imports"),
    ],
}
WELCOME = st.Page(
    "views/fallback/welcome.py", title="Welcome", icon=":material/waving_hand:", url_path="welcome", default=True
)
STYLE = """<style>
[data-testid="stMainBlockContainer"] { padding: 2.4rem 2.4rem 4rem; max-width: 1320px; }
[data-testid="stSidebarHeader"] img { height: 2.2rem; }
[data-testid="stSidebarNavSeparator"], [data-testid="stHeaderActionElements"], [class*="st-key-history"] { display: none; }
[data-testid="stMain"] [data-heading-text], [data-testid="stApp"] [data-testid="stMarkdownContainer"] p {
  overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 12; overflow: hidden; }
[data-testid="stMain"] [data-heading-text] { -webkit-line-clamp: 3; }
[data-testid="stApp"] :is(button, a, label) [data-testid="stMarkdownContainer"] p { -webkit-line-clamp: 2; }
[data-testid="stMain"] :is(h1, h2, h3):hover [data-heading-text],
[data-testid="stApp"] [data-testid="stMarkdownContainer"]:hover p { -webkit-line-clamp: none; }
[data-testid="stHeading"] a[href^="players?"] { color: inherit; text-decoration: none; }
[data-testid="stHeading"] a[href^="players?"]:is(:hover, :focus-visible) { text-decoration: underline; text-underline-offset: .15em; }
[data-testid="stCaptionContainer"] { opacity: 1; } /* links and code in it would be too pale */
[data-testid="stCaptionContainer"] > * { color: color-mix(in srgb, currentColor 70%, transparent); }
h1 { letter-spacing: -.01em; padding-bottom: .3rem; }
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] { padding: 3.2rem .8rem 2rem; }
  .st-key-switches { flex-wrap: nowrap !important; overflow-x: auto; scrollbar-width: none; gap: .3rem !important;
    mask-image: linear-gradient(90deg, #000 calc(100% - 2rem), transparent); padding-right: 2rem; }
  .st-key-switches > * { flex: none !important; }
  .st-key-switches button { min-height: 2.1rem; padding: 0 .5rem; }
  .st-key-switches button p { font-size: .86rem; } }
</style>"""


_UNKNOWN_KEY = "path that is no page"
_FAILURE_MESSAGE = (
    "This page failed ({}). The terminal where the dashboard was started has the details; reloading the page may help."
)


def show_page() -> None:
    """Draw the page that the URL names, or the welcome page without a database. Report any error in one sentence, without a traceback."""
    st.set_page_config(page_title="ZÈRTZ games", page_icon=str(HERE / "assets" / "icon.svg"), layout="wide")
    st.logo(HERE / "assets" / "logo.svg", size="large")
    st.html(STYLE)
    missing = is_missing()
    if SESSION_KEY in st.session_state:
        st.sidebar.info("A temporary database: it lasts until this window is closed.", icon=":material/hourglass:")
    try:
        # expanded: Streamlit would hide the last of more than twelve pages behind a link
        page = st.navigation(
            list_pages(missing), position="hidden" if missing and not is_writable() else "sidebar", expanded=True
        )
        begin_run(page.url_path, page.title)
        show_title()
        sync_history(page.url_path)
        if not missing:
            watch_database()
        unknown = st.empty()
        is_complete = False
        try:
            page.run()
            is_complete = any(page in some for some in PAGES.values())
        finally:  # a page may stop early
            with unknown:
                show_unknown_values(is_complete=is_complete)
    except ZertzError as error:
        st.error(escape_markdown(error), icon=":material/error:")
    except duckdb.Error as error:
        logging.getLogger(__name__).exception("a page failed")
        st.error(
            escape_markdown(explain(error) or _FAILURE_MESSAGE.format(type(error).__name__)), icon=":material/error:"
        )
    except Exception as error:
        logging.getLogger(__name__).exception("a page failed")
        st.error(_FAILURE_MESSAGE.format(type(error).__name__), icon=":material/error:")


def list_pages(missing: bool) -> dict[str, list[Page]]:
    """Return the pages. An unknown path in the URL becomes a hidden page, which says so. missing: without a database, one page."""
    pages = choose_pages(missing)
    context = get_script_run_ctx()
    path = (context.pages_manager.intended_page_name if context else None) or ""
    if path and path not in {page.url_path for some in PAGES.values() for page in some}:
        st.session_state[_UNKNOWN_KEY] = path
    path = path or st.session_state.get(_UNKNOWN_KEY, "")
    if path in {page.url_path for some in pages.values() for page in some}:
        return pages
    file, title = ("views/fallback/welcome.py", "Welcome") if missing else ("views/fallback/unknown.py", "No such page")
    try:
        extra = st.Page(file, title=title, url_path=path, visibility="hidden")
    except StreamlitAPIException:  # the path can't be that of a page; Streamlit says so
        return pages
    return {**pages, "": [*pages[""], extra]}


def choose_pages(missing: bool) -> dict[str, list[Page]]:
    """Return the pages to show; without a database those that can create it, if the dashboard may write."""
    if not missing:
        return PAGES
    return {"": [WELCOME], "Records": PAGES["Records"][:2]} if is_writable() else {"": [WELCOME]}


show_page()
