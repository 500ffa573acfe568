"""Check every request to the dashboard: refuse foreign hosts, origins and frames. Keep pages from loading anything from outside.

Four things keep a page of another site from writing. It cannot show the dashboard in a frame. Its scripts cannot open the websocket
that carries clicks: Host and Origin are checked. Its links do not open a page that can write: the reader first follows a link of ours.
A click then needs the token that the session got with the page (see `write_tokens`).
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Collection, Mapping
from hashlib import sha256
from html import escape
from pathlib import Path

import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from zertz_db.api.guards.hosts import find_refusal

REFUSAL_STATUS = 421
HEADERS = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
POLICY = {
    "default-src": "'self'",
    "script-src": "'self' blob: 'unsafe-eval' {scripts}",  # page parts are blobs; Vega compiles its charts
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self' ws://{host} wss://{host}",  # some browsers don't apply 'self' to the websocket
    "worker-src": "'self' blob:",
    "object-src": "'none'",
    "frame-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
"""Content-Security-Policy of pages: what they may load, and from where."""
INTERSTITIAL = """<!doctype html><html lang="en"><meta charset="utf-8"><title>ZÈRTZ games</title>
<style>body {{ font: 1rem/1.5 sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem }} code {{ overflow-wrap: anywhere }}</style>
<h1>Open this page?</h1><p>Another site asked for this page. This dashboard may write to its database, so please confirm:</p>
<p><code>{shown}</code></p><p><a href="{address}">Open the page</a></p></html>"""


BASE_SCRIPT = '<script>window.__streamlit = {BACKEND_BASE_URL: new URL(".", location.href).href}</script>'
"""Script that names a page's server: one level up. Without it, Streamlit first asks below the page's own path, and gets error 404."""
_PAGE_PATH = re.compile(r"/[\w-]+")


class PageGuard:
    """Forward requests of the dashboard's own pages; refuse others.

    hosts: the server's names (see `api.guards.hosts`); empty for any. writes: whether pages may write.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] = (), writes: bool = False) -> None:
        self._app = app
        self._hosts = hosts
        self._writes = writes
        self._page = _read_page()
        self._scripts = _hash_inline_scripts(self._page)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def guarded(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                MutableHeaders(scope=message).update({**HEADERS, "Content-Security-Policy": self._policy(headers)})
            await send(message)

        response = self._respond(scope, headers)
        if response is None:
            await self._app(scope, receive, guarded)
        elif scope["type"] == "http":
            await response(scope, receive, guarded)
        elif "websocket.http.response" in scope.get("extensions", {}):
            await WebSocket(scope, receive, guarded).send_denial_response(response)
        else:
            await WebSocket(scope, receive, guarded).close()

    def _respond(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the response to a request that is not forwarded, or None for one that is."""
        refusal = find_refusal(headers.get("host"), headers.get("origin"), self._hosts)
        if refusal:
            return PlainTextResponse(f"{refusal}\n", REFUSAL_STATUS)
        if self._writes and scope["type"] == "http" and is_cross_site_navigation(headers):
            query = scope["query_string"].decode("latin-1")
            path = "/" + scope["path"].lstrip("/")  # two slashes would start a host name
            address = escape(f"{path}?{query}" if query else path)
            return HTMLResponse(
                INTERSTITIAL.format(shown=address, address=address), headers={"Cache-Control": "no-store"}
            )
        if is_page_request(scope, headers):
            return HTMLResponse(self._page, headers={"Cache-Control": "no-cache"})
        return None

    def _policy(self, headers: Headers) -> str:
        host = headers.get("host", "")
        known = {"scripts": self._scripts, "host": host if re.fullmatch(r"[\w.:\[\]-]+", host) else "localhost"}
        return "; ".join(f"{name} {allowed.format_map(known)}" for name, allowed in POLICY.items())


def is_cross_site_navigation(headers: Mapping[str, str]) -> bool:
    """Return whether a browser requests a page because a page of another site or port sent it there.

    Typed addresses, bookmarks and links of our own pages don't count. Browsers report this to servers on the same machine
    and to those with TLS.
    """
    return headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-site") in ("cross-site", "same-site")


def is_page_request(scope: Scope, headers: Mapping[str, str]) -> bool:
    """Return whether a browser requests a page by its name; the start page has none."""
    return (
        scope["type"] == "http"
        and scope["method"] == "GET"
        and _PAGE_PATH.fullmatch(scope["path"]) is not None
        and "text/html" in headers.get("accept", "")
    )


def _read_page() -> str:
    """Return Streamlit's page with the script that names the server."""
    page = Path(streamlit.__file__).parent / "static" / "index.html"
    return page.read_text("utf-8").replace("<head>", f"<head>{BASE_SCRIPT}", 1)


def _hash_inline_scripts(page: str) -> str:
    """Return the hashes of the inline scripts of a page, as a policy lists them."""
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = (b64encode(sha256(script.encode()).digest()).decode() for script in scripts)
    return " ".join(f"'sha256-{digest}'" for digest in hashes)
