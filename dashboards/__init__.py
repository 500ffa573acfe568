"""The dashboard: plain pages over `zertz_db.queries`."""

from __future__ import annotations

from pathlib import Path

import zertz_db  # noqa: F401 - it names packages that are missing

APPLICATION = Path(__file__).with_name("asgi.py")
"""The file that Streamlit runs."""
