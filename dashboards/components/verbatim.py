"""Show text verbatim: records, positions, excerpts, with a button that copies it.

Streamlit's own element loads and runs a syntax highlighter, which costs the browser more than the rest of a page.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

FRONTEND = Path(__file__).parent / "frontend"


def show_verbatim(text: str, *, key: str, wraps: bool = True) -> None:
    """Show a text. wraps: wrap long lines; otherwise the text scrolls sideways."""
    _component(key=key, data={"text": text, "wraps": wraps})


_component = st.components.v2.component(
    "zertz_verbatim",
    html='<pre tabindex="0"></pre><button title="Copy" aria-label="Copy">'
    '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M9 9h10v11H9zM15 9V4H5v11h4"/></svg></button>',
    css=(FRONTEND / "verbatim.css").read_text("utf-8"),
    js=(FRONTEND / "verbatim.js").read_text("utf-8"),
)
