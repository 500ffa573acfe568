"""The dashboard: its pages. `zertz dashboard` runs it with ZERTZ_DB naming the database."""

from __future__ import annotations

import streamlit as st

st.set_page_config(page_title="ZÈRTZ games", page_icon="⬡", layout="wide")
st.navigation(
    [
        st.Page("games.py", title="Games", default=True),
        st.Page("game.py", title="Game", url_path="game"),
        st.Page("stats.py", title="Statistics", url_path="statistics"),
        st.Page("openings.py", title="Openings", url_path="openings"),
        st.Page("search.py", title="Find", url_path="find"),
        st.Page("players.py", title="Players", url_path="players"),
        st.Page("imports.py", title="Imports", url_path="imports"),
    ]
).run()
