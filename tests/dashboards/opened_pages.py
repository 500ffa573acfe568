"""Open pages without a browser."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import parse_qsl

from streamlit.proto.Block_pb2 import Block
from streamlit.testing.v1 import AppTest

from zertz_db import dashboards

APP = str(Path(dashboards.__file__).parent / "app.py")
OTHER_URLS = {"search.py", "stats.py"}
"""Pages that the URL names differently: Streamlit finds them only after the first page was shown, which takes as long again."""


def opened(shown: str, **query: str) -> AppTest:
    """Open a page of the dashboard with this URL query."""
    app = AppTest.from_file(APP, default_timeout=300)
    if shown in OTHER_URLS:
        app.run()
    if shown != "overview.py":
        app.switch_page(f"views/{shown}")
    for name, value in query.items():
        app.query_params[name] = value
    return ran(app)


def followed(link: str) -> AppTest:
    """Open the page of a link."""
    shown, _, query = link.partition("?")
    return opened({"find": "search.py"}.get(shown, f"{shown}.py"), **dict(parse_qsl(query)))


def ran(app: AppTest) -> AppTest:
    """Run the page again; check that nothing failed, and that the page knows the names in its URL."""
    app.run()
    assert not app.exception
    assert not any("Unknown names" in warning.value for warning in app.warning)
    assert not any("failed" in error.value for error in app.error)
    return app


def texts(app: AppTest) -> str:
    """Return all texts of a page."""
    elements = [
        *app.title,
        *app.header,
        *app.subheader,
        *app.caption,
        *app.markdown,
        *app.info,
        *app.success,
        *app.error,
        *app.warning,
    ]
    return "\n".join(element.value for element in elements)


def rows(app: AppTest) -> list[list[str]]:
    """Return the labels of the elements that stand side by side, for each row of a page."""
    horizontal = Block.FlexContainer.Direction.HORIZONTAL
    blocks = [one for one in app.main if hasattr(getattr(one, "proto", None), "flex_container")]
    return [
        [label for child in block.children.values() if (label := getattr(child, "label", ""))]
        for block in blocks
        if block.proto.flex_container.direction == horizontal
    ]


def verbatim(app: AppTest) -> list[str]:
    """Return the verbatim texts of a page: records, positions, excerpts."""
    data = [json.loads(element.proto.json) for element in app.get("bidi_component") if element.proto.json]
    return [one["text"] for one in data if one.keys() == {"text", "wraps"}]


def html(app: AppTest) -> str:
    """Return the HTML of a page, mainly its tiles."""
    return "\n".join(element.proto.body for element in app.get("html"))
