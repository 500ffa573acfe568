"""Import slow modules that pages need while the browser starts; then reduce the work of Python's garbage collector."""

from __future__ import annotations

import gc
from importlib import import_module

MODULES = (
    "altair",
    "pandas",
    "pyarrow",
    "streamlit.elements.vega_charts",
    "streamlit.emojis",
    "zertz_db",
    "zertz_db.export.notation",
    "zertz_db.ingest.import_paths",
    "zertz_db.edit.marks",
    "zertz_db.queries.filters.completion",
    "zertz_db.queries.openings.tree",
    "zertz_db.queries.search.patterns",
    "zertz_db.queries.statistics.registry",
    "zertz_db.rules.svg.board_svg",
)


def warm_up() -> None:
    """Import all of these modules, then freeze all live objects.

    Streamlit runs the collector after each run of a page, and the page waits for it. Frozen objects are not visited.
    """
    for name in MODULES:
        import_module(name)
    gc.collect()
    gc.freeze()
