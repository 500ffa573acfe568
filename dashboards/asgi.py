"""Serve the dashboard as a web application: its pages behind a guard. `streamlit run` finds `app` here.

`zertz dashboard` sets ZERTZ_HOSTS: the server's allowed names, separated by commas; empty for any.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.middleware import Middleware
from streamlit import get_option
from streamlit.cli_util import open_browser
from streamlit.starlette import App

from zertz_db.dashboards.page_guard import PageGuard

HERE = Path(__file__).parent


@asynccontextmanager
async def open_browser_window(_app: App) -> AsyncIterator[dict[str, Any]]:
    """Open a browser window when the server starts, unless it runs without one (`server.headless`)."""
    if not get_option("server.headless"):
        open_browser(f"http://{get_option('browser.serverAddress')}:{get_option('server.port')}")
    yield {}


def build_guard() -> Middleware:
    """Return the guard with the hosts and the permission to write that the environment sets."""
    names = [name for name in os.environ.get("ZERTZ_HOSTS", "").split(",") if name]
    return Middleware(PageGuard, hosts=names, writes=os.environ.get("ZERTZ_ALLOW_IMPORT") == "1")


app = App(HERE / "app.py", middleware=[build_guard()], lifespan=open_browser_window)
