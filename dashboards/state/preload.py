"""Import slow modules that pages need while the browser starts; then reduce the work of Python's garbage collector.

The import of this module takes 2 seconds, so only a thread of `zertz dashboard` imports it.
"""

from __future__ import annotations

import gc

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

_THIRD_PARTY = altair, pandas, pyarrow, emojis, vega_charts
MODULES = *_THIRD_PARTY, marks, notation, import_paths, completion, tree, patterns, registry, board_svg
"""The slow modules of the pages."""


def freeze_objects() -> None:
    """Freeze all live objects, those of the imported modules among them.

    Streamlit runs the collector after each run of a page, and the page waits for it. Frozen objects are not visited.
    """
    gc.collect()
    gc.freeze()
