"""Import slow modules that pages need while the browser starts; then reduce the work of Python's garbage collector."""

from __future__ import annotations

import gc
from types import ModuleType


def warm_up() -> None:
    """Import all of these modules, then freeze all live objects.

    Streamlit runs the collector after each run of a page, and the page waits for it. Frozen objects are not visited.
    """
    _import_modules()
    gc.collect()
    gc.freeze()


def _import_modules() -> tuple[ModuleType, ...]:
    """Import the modules, which takes 2 seconds, and return them."""
    import altair
    import pandas
    import pyarrow
    from streamlit import emojis
    from streamlit.elements import vega_charts

    from zertz_db.edit import marks
    from zertz_db.export import notation
    from zertz_db.ingest import import_paths
    from zertz_db.queries.filters import completion
    from zertz_db.queries.openings import tree
    from zertz_db.queries.search import patterns
    from zertz_db.queries.statistics import registry
    from zertz_db.rules.svg import board_svg

    third_party = altair, pandas, pyarrow, emojis, vega_charts
    return *third_party, marks, notation, import_paths, completion, tree, patterns, registry, board_svg
