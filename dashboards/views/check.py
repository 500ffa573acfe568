"""Page to check and import records: dropped or pasted, checked in memory. Findings point at their place; repairs can be accepted."""

from __future__ import annotations

from collections import Counter

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboards.components import location
from dashboards.components.drafts import save_draft
from dashboards.components.listing import PAGE_SIZE, Column, Pages, Row, show_listing
from dashboards.components.tiles import Tile, show_tiles
from dashboards.sections.record_view import VERDICT_MEANINGS, show_record
from dashboards.state import notices
from dashboards.state.bounded_work import WorkLimitExceeded
from dashboards.state.check_uploads import (
    MAX_RECORDS,
    Upload,
    get_display_name,
    list_findings,
    read_uploads,
    replace_record,
)
from dashboards.state.database import get_folder, is_writable
from dashboards.state.import_job import ImportJob
from dashboards.state.markdown_text import close_directions, escape_markdown
from dashboards.state.notices import Notice
from dashboards.state.session_work import build_disconnection_check
from dashboards.state.uploads import ReadResult
from dashboards.state.write_tokens import guard_callback
from parser.vocabulary.terms import Verdict
from zertz_db.ingest.records.read_records import SourceRecord
from zertz_db.ingest.sources.discover import PASTED_NAME
from zertz_db.ingest.sources.place import SourceError
from zertz_db.ingest.tally import Tally
from zertz_db.plurals import format_count

TEXT_KEY = "text to check"
MAX_URL_TEXT = 2_000
"""Maximum characters of a text that is stored in the URL."""
IMPORT_NOTICE, IMPORT_JOB = "import", "running import"
EARLIER_FILES, NEW_FILES, VISIT_KEY = "files dropped before", "files dropped now", "files of this visit"
"""Session state: files of earlier visits to this page, those of this visit, whether it has begun."""
MAX_UPLOAD_BYTES = 50_000_000
"""Maximum bytes of all files that stay while other pages are visited."""
POLL_SECONDS = 0.2
"""Seconds between two checks of an import's progress."""
EXAMPLE = """[Player1 "Ada"]
[Player2 "Ben"]
[Board "37"]

1. Wd4,d1 Bd3,a1 2. x d3Wd6 Ba2,b1
"""
COLUMNS = (
    Column("No.", "number"),
    Column("Verdict", "badge"),
    Column("Where", "quiet", wide=True),
    Column("Players"),
    Column("Board", "number", wide=True),
    Column("Plies", "number", wide=True),
    Column("Most severe finding", "long"),
)
VERDICT_NAMES = tuple(verdict.value for verdict in Verdict)
"""Plain texts: a widget would make its own of an enum."""


def show_page() -> None:
    """Draw the page."""
    st.title("Check & import")
    st.caption(
        "Records are read and replayed here, in memory: nothing is written. Every notation that `zertz check` reads works."
    )
    notices.show_notice(IMPORT_NOTICE)
    progress = st.empty()
    show_all(get_input())
    follow_import(progress)


def show_all(uploads: list[Upload]) -> None:
    """Show all about the uploaded records."""
    if not uploads:
        st.info(
            "Drop files, or paste a record. Errors are shown in place.",
            icon=":material/fact_check:",
        )
        return
    try:
        found = read_uploads(uploads)
    except (SourceError, WorkLimitExceeded) as error:
        st.error(escape_markdown(error), icon=":material/error:")
        return
    if not found.records:
        st.warning(f"No records in {format_count(len(uploads), 'file')}.", icon=":material/find_in_page:")
    else:
        show_tally(found)
        show_import(uploads)
        show_records(found)
    show_skipped(found)


def get_input() -> list[Upload]:
    """Return the pasted text and the dropped files."""
    first = location.seed_widget(TEXT_KEY, location.get_value("text"))
    paste, drop = st.columns([3, 2], gap="medium")
    with paste:
        text = st.text_area("Paste records", first, key=TEXT_KEY, height=210, placeholder=EXAMPLE)
    with drop:
        dropped = list_uploads()
        st.button(
            "An example with a fault",
            key="example",
            on_click=set_text,
            args=(EXAMPLE,),
            icon=":material/lightbulb:",
            type="tertiary",
            disabled=bool(text.strip()),
        )
    location.set_values(text=text if text.strip() and len(text) <= MAX_URL_TEXT else None)
    save_draft(
        "text", text, lambda found: restore_draft(text, found), field=f".st-key-{TEXT_KEY.replace(' ', '-')} textarea"
    )
    pasted = [Upload(PASTED_NAME, text.encode())] if text.strip() else []
    return [*pasted, *dropped]


def list_uploads() -> list[Upload]:
    """Return the dropped files. They stay while other pages are visited, though Streamlit's own widget forgets them."""
    state = st.session_state
    if VISIT_KEY not in state:
        earlier = [*state.get(EARLIER_FILES, []), *state.get(NEW_FILES, [])]
        state[EARLIER_FILES] = earlier if sum(len(file.data) for file in earlier) <= MAX_UPLOAD_BYTES else []
    location.seed_widget(VISIT_KEY, first=True)
    dropped = st.file_uploader(
        "Or drop files", accept_multiple_files=True, help="Records or archives; they stay on this machine."
    )
    state[NEW_FILES] = [Upload(file.name, file.getvalue()) for file in dropped or []]
    if state[EARLIER_FILES]:
        st.caption(f"Dropped earlier: {escape_markdown(', '.join(file.name for file in state[EARLIER_FILES]))}.")
        st.button("Remove these", key="remove", on_click=state.pop, args=(EARLIER_FILES,), type="tertiary")
    return [*state[EARLIER_FILES], *state[NEW_FILES]]


def set_text(text: str) -> None:
    """Set the text to check."""
    st.session_state[TEXT_KEY] = text
    location.set_values(record=None)


def restore_draft(shown: str, found: str) -> None:
    """Restore the text that was typed here before, unless the field no longer has the text `shown`."""
    if st.session_state.get(TEXT_KEY, "") == shown:
        st.session_state[TEXT_KEY] = found


def show_tally(found: ReadResult) -> None:
    """Show the number of records for each verdict."""
    counts = Counter(record.checked.verdict for record in found.records)
    more = f"the first {MAX_RECORDS:,}; zertz check has no limit" if found.is_truncated else "each has one verdict"
    show_tiles(
        [
            Tile("Records", f"{len(found.records):,}", more),
            *(Tile(name.capitalize(), f"{counts[name]:,}", VERDICT_MEANINGS[name]) for name in Verdict),
        ]
    )


def show_records(found: ReadResult) -> None:
    """Show the records as a list, and the chosen one."""
    numbers = list(range(len(found.records)))
    if len(numbers) > 1:
        present = [name for name in VERDICT_NAMES if any(record.checked.verdict == name for record in found.records)]
        verdict = (
            location.bind_widget(
                "only",
                lambda key, first: st.pills("Only", present, default=first, key=key, label_visibility="collapsed"),
                default=None,
                options=present,
            )
            if len(present) > 1
            else None
        )
        numbers = [number for number in numbers if verdict in (None, found.records[number].checked.verdict)]
        show_list(found, numbers)
    if not location.get_value("record") and len(numbers) != 1:
        st.caption("Choose a record to see its findings.")
        return
    number = location.get_number("record", len(found.records), numbers[0] + 1) - 1
    st.subheader(f"Record {number + 1}" if len(found.records) > 1 else "The record")
    show_record(
        found.records[number],
        f"{number} {hash(found.records[number].data)}",
        lambda text: insert_repair(found.records[number], text),
    )


def show_list(found: ReadResult, numbers: list[int]) -> None:
    """Show the list of records; a click on one shows it."""
    at = location.get_number("page", -(-len(numbers) // PAGE_SIZE))
    show_listing(
        COLUMNS,
        [build_row(number, found.records[number]) for number in numbers[(at - 1) * PAGE_SIZE : at * PAGE_SIZE]],
        key="records",
        pages=Pages(at, len(numbers)),
        label="Records",
        height=420,
        on_row=lambda number: location.set_values(record=number),
    )


def build_row(number: int, found: SourceRecord) -> Row:
    """Return a record's row in the list."""
    checked = found.checked
    findings = list_findings(found)
    players = f"{close_directions(checked.record.player1 or '?')} – {close_directions(checked.record.player2 or '?')}"
    where = f"{get_display_name(found.place)}:{checked.record.span.line}"
    worst = f"{findings[0][0].code} {findings[0][0].message}" if findings else None
    return Row(
        str(number + 1), (str(number + 1), checked.verdict, where, players, checked.board, str(checked.plies), worst)
    )


def insert_repair(found: SourceRecord, text: str) -> None:
    """Put a repaired record into the text field: in place of the record if it was pasted, otherwise at the end."""
    pasted = st.session_state.get(TEXT_KEY, "")
    span = found.checked.record.span
    if get_display_name(found.place) == PASTED_NAME and pasted.strip():
        changed = replace_record(pasted, span.start, found.text[span.start : span.end], text)
        if changed is None:
            st.toast("The text has changed. Look at its repairs again.", icon=":material/edit:")
        else:
            set_text(changed)
    else:
        set_text(f"{pasted.rstrip()}\n\n{text}" if pasted.strip() else text)


def show_skipped(found: ReadResult) -> None:
    """Show files without records."""
    if found.skipped:
        with st.expander(f"{format_count(len(found.skipped), 'other file')} skipped"):
            for one in found.skipped:
                st.caption(f"{escape_markdown(get_display_name(one.place))}: {escape_markdown(one.message)}")


def show_import(uploads: list[Upload]) -> None:
    """Draw the controls to import into the database, if the dashboard may write."""
    if not is_writable():
        st.caption("To import from here, start the dashboard with `--allow-import`; or use `zertz import FILES`.")
        return
    st.checkbox(
        "Replace earlier versions",
        key="replace",
        help="Withdraw stored records of earlier files of these names that the files no longer hold.",
    )
    st.button(
        "Import into the database",
        icon=":material/download:",
        type="primary",
        key="import",
        on_click=guard_callback(start_import),
        args=(uploads,),
        disabled=IMPORT_JOB in st.session_state,
    )


def start_import(uploads: list[Upload]) -> None:
    """Start an import, unless one is running."""
    if IMPORT_JOB not in st.session_state:
        notices.remove_notice(IMPORT_NOTICE)
        st.session_state[IMPORT_JOB] = ImportJob(
            uploads, get_folder(), bool(st.session_state.get("replace")), build_disconnection_check()
        )


def follow_import(place: DeltaGenerator) -> None:
    """Show the progress of the import that was started here; at its end, show its notice."""
    job: ImportJob | None = st.session_state.get(IMPORT_JOB)
    if job is None:
        return
    bar = place.progress(0.0, "Importing …")
    while not job.wait(POLL_SECONDS):  # Streamlit ends this run at a call of its own
        seen = job.seen or Tally()
        bar.progress(
            min(1.0, seen.done / max(1, seen.places)), f"{seen.read:,} records" if seen.read else "Importing …"
        )
    notices.set_notice(IMPORT_NOTICE, build_notice(job))
    del st.session_state[IMPORT_JOB]
    st.rerun()


def build_notice(job: ImportJob) -> Notice:
    """Return the notice of a finished import."""
    tally = job.tally
    if tally is None:
        return Notice(job.failure, is_error=True)
    sums = f"{tally.read:,} records read = {tally.stored:,} stored + {tally.duplicate:,} duplicate + {tally.rejected:,} rejected."
    text, names = f"{sums} {describe_missing(tally)}".rstrip(), tuple(one.name for one in tally.missing)
    if tally.run is None:
        return Notice(text, names=names)
    return Notice(text, page="views/imports.py", label="Details", query={"run": str(tally.run)}, names=names)


def describe_missing(tally: Tally) -> str:
    """Return a text about stored records that the files no longer hold, "" if there are none."""
    if not tally.missing:
        return ""
    games = format_count(len({one.game for one in tally.missing if one.is_last}), "game")
    records = format_count(len(tally.missing), "stored record")
    if tally.withdrawn:
        return f"Withdrew {records} that the files no longer hold, and {games}."
    return (
        f"The files no longer hold {records}; withdrawing them would remove {games}. "
        "To withdraw them, tick “Replace earlier versions” and import again."
    )


show_page()
