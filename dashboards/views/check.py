"""The page to check records, and to import them: dropped or pasted, looked at in memory; findings where they are, repairs to accept."""

from __future__ import annotations

from collections import Counter

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboards.components import location
from dashboards.components.drafts import save_draft
from dashboards.components.listing import PAGE_SIZE, Column, Pages, Row, show_listing
from dashboards.components.tiles import Tile, show_tiles
from dashboards.sections.record_view import show_record
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
from dashboards.state.uploaded_records import ReadResult
from dashboards.state.write_tokens import guard_callback
from zertz_db.check.checked_record import VERDICTS
from zertz_db.ingest.records.read_records import SourceRecord
from zertz_db.ingest.sources.discover import PASTED_NAME
from zertz_db.ingest.sources.place import SourceError
from zertz_db.ingest.tally import Tally
from zertz_db.plurals import format_count

TEXT_KEY = "text to check"
MAX_URL_TEXT = 2_000
"""Texts of so many signs at most are kept in the URL."""
IMPORT_NOTICE, IMPORT_JOB = "import", "import that goes on"
EARLIER_FILES, NEW_FILES, VISIT_KEY = "files dropped before", "files dropped now", "files of this visit"
"""In the session's state: files of earlier visits to this page, those of this one, whether it has begun."""
MAX_UPLOAD_BYTES = 50_000_000
"""Files of so many bytes in all, at most, stay while other pages are visited."""
POLL_SECONDS = 0.2
"""Seconds between two looks at how far an import is."""
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
    Column("Gravest finding", "long"),
)


def show_page() -> None:
    """The page."""
    st.title("Check & import")
    st.caption(
        "Records are read and replayed here, in memory: nothing is written. Any notation that `zertz check` reads will do."
    )
    notices.show_notice(IMPORT_NOTICE)
    progress = st.empty()
    show_all(get_input())
    follow_import(progress)


def show_all(brought: list[Upload]) -> None:
    """Everything about the records that were brought."""
    if not brought:
        st.info(
            "Drop files, or paste a record. What is wrong with it is shown where it is.",
            icon=":material/fact_check:",
        )
        return
    try:
        found = read_uploads(brought)
    except (SourceError, WorkLimitExceeded) as error:
        st.error(escape_markdown(error), icon=":material/error:")
        return
    if not found.records:
        st.warning(f"No record was found in {format_count(len(brought), 'file')}.", icon=":material/find_in_page:")
    else:
        show_tally(found)
        show_import(brought)
        show_records(found)
    show_skipped(found)


def get_input() -> list[Upload]:
    """What was pasted and dropped."""
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
    """The files that were dropped. They stay while other pages are visited, though Streamlit's own widget forgets them."""
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
        st.caption(f"Dropped before: {escape_markdown(', '.join(file.name for file in state[EARLIER_FILES]))}.")
        st.button("Remove these", key="remove", on_click=state.pop, args=(EARLIER_FILES,), type="tertiary")
    return [*state[EARLIER_FILES], *state[NEW_FILES]]


def set_text(text: str) -> None:
    """Check this text."""
    st.session_state[TEXT_KEY] = text
    location.set_values(record=None)


def restore_draft(shown: str, found: str) -> None:
    """Take up what was typed here before, unless something else than `shown` has been typed since."""
    if st.session_state.get(TEXT_KEY, "") == shown:
        st.session_state[TEXT_KEY] = found


def show_tally(found: ReadResult) -> None:
    """How many records there are of each verdict."""
    counts = Counter(record.checked.verdict for record in found.records)
    said = {
        "verified": "every ply legal, with an end",
        "unfinished": "every ply legal, no end",
        "illegal": "against the rules",
        "unreadable": "no notation there is",
    }
    more = f"the first {MAX_RECORDS:,}; zertz check takes all" if found.is_truncated else "each has one verdict"
    show_tiles(
        [
            Tile("Records", f"{len(found.records):,}", more),
            *(Tile(name.capitalize(), f"{counts[name]:,}", said[name]) for name in VERDICTS),
        ]
    )


def show_records(found: ReadResult) -> None:
    """The records as a list, and the one that is chosen."""
    numbers = list(range(len(found.records)))
    if len(numbers) > 1:
        present = [name for name in VERDICTS if any(record.checked.verdict == name for record in found.records)]
        wanted = (
            location.bind_widget(
                "only",
                lambda key, first: st.pills("Only", present, default=first, key=key, label_visibility="collapsed"),
                default=None,
                options=present,
            )
            if len(present) > 1
            else None
        )
        numbers = [number for number in numbers if wanted in (None, found.records[number].checked.verdict)]
        show_list(found, numbers)
    if not location.get_value("record") and len(numbers) != 1:
        st.caption("Choose a record to see what there is to say about it.")
        return
    number = location.get_number("record", len(found.records), numbers[0] + 1) - 1
    st.subheader(f"Record {number + 1}" if len(found.records) > 1 else "The record")
    show_record(
        found.records[number],
        f"{number} {hash(found.records[number].data)}",
        lambda text: insert_repair(found.records[number], text),
    )


def show_list(found: ReadResult, numbers: list[int]) -> None:
    """The records; choosing one shows it."""
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
    """A record in the list."""
    checked = found.checked
    said = list_findings(found)
    players = f"{close_directions(checked.record.player1 or '?')} – {close_directions(checked.record.player2 or '?')}"
    where = f"{get_display_name(found.place)}:{checked.record.span.line}"
    gravest = f"{said[0][0].code} {said[0][0].message}" if said else None
    return Row(
        str(number + 1), (str(number + 1), checked.verdict, where, players, checked.board, str(checked.plies), gravest)
    )


def insert_repair(found: SourceRecord, text: str) -> None:
    """Put a repaired record into the text field: in its place where it was pasted, else behind what is there."""
    pasted = st.session_state.get(TEXT_KEY, "")
    span = found.checked.record.span
    if get_display_name(found.place) == PASTED_NAME and pasted.strip():
        changed = replace_record(pasted, span.start, found.text[span.start : span.end], text)
        if changed is None:
            st.toast("The text was changed since: look at its repairs again.", icon=":material/edit:")
        else:
            set_text(changed)
    else:
        set_text(f"{pasted.rstrip()}\n\n{text}" if pasted.strip() else text)


def show_skipped(found: ReadResult) -> None:
    """Files that are no records."""
    if found.skipped:
        with st.expander(f"{format_count(len(found.skipped), 'other file')} passed over"):
            for one in found.skipped:
                st.caption(f"{escape_markdown(get_display_name(one.place))}: {escape_markdown(one.message)}")


def show_import(brought: list[Upload]) -> None:
    """Into the database, where the dashboard may write."""
    if not is_writable():
        st.caption("To import from here, start the dashboard with `--allow-import`; or use `zertz import FILES`.")
        return
    st.checkbox(
        "Replace earlier versions",
        key="replace",
        help="Withdraw stored records of earlier files of the same names that these no longer hold.",
    )
    st.button(
        "Import into the database",
        icon=":material/download:",
        type="primary",
        key="import",
        on_click=guard_callback(start_import),
        args=(brought,),
        disabled=IMPORT_JOB in st.session_state,
    )


def start_import(brought: list[Upload]) -> None:
    """Begin an import, unless one is going on."""
    if IMPORT_JOB not in st.session_state:
        notices.remove_notice(IMPORT_NOTICE)
        st.session_state[IMPORT_JOB] = ImportJob(brought, get_folder(), replace=bool(st.session_state.get("replace")))


def follow_import(place: DeltaGenerator) -> None:
    """Show how far the import is that was begun here; at its end, leave its answer."""
    job: ImportJob | None = st.session_state.get(IMPORT_JOB)
    if job is None:
        return
    bar = place.progress(0.0, "Importing …")
    while not job.wait(POLL_SECONDS):
        if job.seen is not None:
            bar.progress(min(1.0, job.seen.done / max(1, job.seen.places)), f"{job.seen.read:,} records")
    notices.set_notice(IMPORT_NOTICE, build_notice(job))
    del st.session_state[IMPORT_JOB]
    st.rerun()


def build_notice(job: ImportJob) -> Notice:
    """What an import did."""
    balance = job.balance
    if balance is None:
        return Notice(job.failure, is_error=True)
    sums = f"{balance.read:,} records read = {balance.stored:,} stored + {balance.duplicate:,} duplicate + {balance.rejected:,} rejected."
    text, names = f"{sums} {describe_missing(balance)}".rstrip(), tuple(one.name for one in balance.missing)
    if balance.run is None:
        return Notice(text, names=names)
    return Notice(text, page="views/imports.py", label="What it did", query={"run": str(balance.run)}, names=names)


def describe_missing(balance: Tally) -> str:
    """Return what to say of stored records that the files no longer hold; nothing if there are none."""
    if not balance.missing:
        return ""
    games = format_count(len({one.game for one in balance.missing if one.is_last}), "game")
    records = format_count(len(balance.missing), "stored record")
    if balance.withdrawn:
        return f"Withdrew {records} that the files no longer hold, and {games}."
    return (
        f"The files no longer hold {records}; {games} would go with them. "
        "To withdraw them, tick “Replace earlier versions” and import again."
    )


show_page()
