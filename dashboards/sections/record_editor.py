"""Edit the text of a record that was found faulty. The findings follow the typed text."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from zertz_db.dashboards.components.live_text import follow_typing
from zertz_db.dashboards.sections.record_view import show_record
from zertz_db.dashboards.state.bounded_work import WorkLimitExceeded
from zertz_db.dashboards.state.check_uploads import Upload, read_uploads
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.ingest.records.read_records import SourceRecord
from zertz_db.ingest.sources.place import SourceError
from zertz_db.parser.text.encoding import decode, decode_as

MIN_HEIGHT, MAX_HEIGHT, LINE_HEIGHT = 100, 360, 24
"""Pixels of the field of the text, and of a line in it."""


class EditedText(NamedTuple):
    """The text in the field, whether it was changed, and its records as they are checked now."""

    text: str
    is_changed: bool
    records: tuple[SourceRecord, ...]

    @property
    def is_game(self) -> bool:
        """Return whether all of its records are games."""
        return bool(self.records) and all(record.checked.is_game for record in self.records)


def edit_record(found: SourceRecord, key: str, name: str, use: Callable[[str], None] | None = None) -> EditedText:
    """Draw a field with the text of a record, and what is found in it now.

    name: the name under which the text is checked. use: takes the text of an accepted repair; by default the field has it then.
    """
    original = decode_record(found)
    field = f"text of {key}"
    st.session_state.setdefault(field, original)
    height = min(MAX_HEIGHT, MIN_HEIGHT + LINE_HEIGHT * original.strip().count("\n"))
    text = st.text_area("Its text", key=field, height=height, persist_state="session") or ""
    follow_typing(field)
    if text == original:
        show_record(found, key, use or (lambda repaired: set_text(field, repaired)))
        return EditedText(text, False, (found,))
    st.button(
        "Restore the original text", key=f"restore {key}", on_click=set_text, args=(field, original),
        icon=":material/undo:", type="tertiary",
    )  # fmt: skip
    try:
        records = read_uploads([Upload(name, text.encode())], found.letters).records if text.strip() else ()
    except (SourceError, WorkLimitExceeded) as error:
        st.error(escape_markdown(error), icon=":material/error:")
        return EditedText(text, True, ())
    if not records:
        st.warning("This text has no record.", icon=":material/find_in_page:")
    accept = use or (lambda repaired: set_text(field, repaired))
    for number, record in enumerate(records):
        show_record(record, f"{number} {hash(text)} {key}", accept if len(records) == 1 else None)
    return EditedText(text, True, records)


def decode_record(found: SourceRecord) -> str:
    """Return the text of a record's own bytes."""
    try:
        return decode_as(found.data, found.encoding) if found.encoding else decode(found.data)[0]
    except (UnicodeError, LookupError):
        return decode(found.data)[0]


def set_text(field: str, text: str) -> None:
    """Set the text of a field."""
    st.session_state[field] = text
