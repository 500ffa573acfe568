"""What pages need and takes long to import is imported while the browser still starts; then Python's collector has less to look through."""

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
    """Import it all. What is alive then stays so: it is taken out of what the collector visits, which Streamlit calls after each run of a
    page and for which the page would wait.
    """
    for name in MODULES:
        import_module(name)
    gc.collect()
    gc.freeze()
