"""A page that gives each text to each element whose text is Markdown. It is run by Streamlit, for a test: TEXTS holds the texts as JSON."""

import json
import os

import streamlit as st

from zertz_db.dashboards.state.markdown_text import escape_markdown

for number, text in enumerate(json.loads(os.environ["TEXTS"])):
    shown = escape_markdown(text)
    with st.container(key=f"shown-{number}"):
        st.title(shown)
        st.markdown(f"**{shown}**")
        st.caption(shown)
        st.error(shown)
        st.button(shown, key=f"button {number}")
        st.checkbox(shown, key=f"checkbox {number}")
        st.pills(shown, [text], format_func=escape_markdown, key=f"pills {number}", label_visibility="collapsed")
        st.expander(shown)
        st.page_link("https://localhost", label=shown)
