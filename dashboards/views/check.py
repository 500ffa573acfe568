"""Page to check and import records: dropped or pasted, checked in memory. Findings point at their place; repairs can be accepted."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from zertz_db.dashboards.components import location
from zertz_db.dashboards.components.drafts import save_draft
from zertz_db.dashboards.components.listing import PAGE_SIZE, Column, Pages, Row, count_pages, cut_page, show_listing
from zertz_db.dashboards.components.live_text import follow_typing
from zertz_db.dashboards.components.tiles import Tile, show_tiles
from zertz_db.dashboards.sections.downloads import flatten_name, group_records, pack_files
from zertz_db.dashboards.sections.record_editor import edit_record
from zertz_db.dashboards.sections.record_view import VERDICT_MEANINGS, show_record
from zertz_db.dashboards.sections.running_job import follow_job, is_running, show_job, start_job
from zertz_db.dashboards.state.bounded_work import WorkLimitExceeded
from zertz_db.dashboards.state.check_uploads import (
    MAX_RECORDS,
    Upload,
    get_display_name,
    list_findings,
    read_uploads,
    replace_bytes,
    replace_record,
)
from zertz_db.dashboards.state.database import get_database, get_folder, is_missing, is_writable
from zertz_db.dashboards.state.import_job import ImportJob
from zertz_db.dashboards.state.markdown_text import close_directions, escape_markdown
from zertz_db.dashboards.state.session_work import build_disconnection_check
from zertz_db.dashboards.state.uploads import ReadResult
from zertz_db.dashboards.state.write_tokens import guard_callback
from zertz_db.ingest.records.read_records import SourceRecord
from zertz_db.ingest.sources.discover import PASTED_NAME
from zertz_db.ingest.sources.place import SourceError
from zertz_db.ingest.stored.rejected_records import count_new_games
from zertz_db.parser.vocabulary.terms import Severity, Verdict
from zertz_db.plurals import format_count

TEXT_KEY = "text to check"
MAX_URL_TEXT = 2_000
"""Maximum characters of a text that is stored in the URL."""
MAX_FOLLOWED_TEXT = 20_000
"""Maximum characters of a text that is checked while one types; a longer one is checked at a click."""
EARLIER_FILES, NEW_FILES, VISIT_KEY = "files dropped before", "files dropped now", "files of this visit"
"""Session state: files of earlier visits to this page, those of this visit, whether it has begun."""
EDITED_FILES = "edited files"
"""Session state: the new bytes of dropped files in which records were edited, by the file as it was dropped."""
MAX_UPLOAD_BYTES = 50_000_000
"""Maximum bytes of all files that stay while other pages are visited."""
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
    progress = show_job()
    show_all(get_input())
    follow_job(progress)


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
        show_import(uploads, found)
        show_records(found)
    show_skipped(found)


def get_input() -> list[Upload]:
    """Return the pasted text and the dropped files."""
    first = location.seed_widget(TEXT_KEY, location.get_value("text"))
    paste, drop = st.columns([3, 2], gap="medium")
    with paste:
        text = st.text_area("Paste records", first, key=TEXT_KEY, height=210, placeholder=EXAMPLE)
        if len(text) <= MAX_FOLLOWED_TEXT:
            follow_typing(TEXT_KEY)
        with st.container(horizontal=True):
            st.button("Check", key="check", icon=":material/fact_check:")  # a click hands in the typed text
            st.button(
                "An example with a fault",
                key="example",
                on_click=set_text,
                args=(EXAMPLE,),
                icon=":material/lightbulb:",
                type="tertiary",
                disabled=bool(text.strip()),
            )
    with drop:
        dropped = list_uploads()
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
    return [apply_edits(file) for file in (*state[EARLIER_FILES], *state[NEW_FILES])]


def apply_edits(file: Upload) -> Upload:
    """Return a dropped file with the records that were edited here."""
    edited: dict[Upload, bytes] = st.session_state.get(EDITED_FILES, {})
    return file._replace(data=edited.get(file, file.data))


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
    numbers = sorted(range(len(found.records)), key=lambda number: (*rank_fault(found.records[number]), number))
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
    show_one(found.records[number], number, is_alone=len(found.records) == 1)


def show_one(record: SourceRecord, number: int, *, is_alone: bool) -> None:
    """Show a record; a faulty one has a field for its text, unless it is all of the pasted text."""
    key = f"{number} {hash(record.data)}"
    if record.checked.is_game or (is_alone and is_pasted(record)):
        show_record(record, key, lambda text: use_text(record, text))
        return
    controls = st.container(horizontal=True, vertical_alignment="center")
    edited = edit_record(record, key, get_display_name(record.place), lambda text: use_text(record, text))
    if edited.is_changed:
        controls.button(
            "Use this text", key="use text", type="primary", icon=":material/check:", on_click=use_text,
            args=(record, edited.text), help="It takes the place of the record above and in the import.",
        )  # fmt: skip


def rank_fault(found: SourceRecord) -> tuple[bool, int]:
    """Return a rank by which faulty records come first: whether it is a game, and its worst severity; notes are no faults."""
    severities = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
    worst = min((severities.index(finding.severity) for finding in found.checked.findings), default=2)
    return found.checked.is_game, worst


def show_list(found: ReadResult, numbers: list[int]) -> None:
    """Show the list of records; a click on one shows it."""
    at = location.get_number("page", count_pages(len(numbers), PAGE_SIZE))
    show_listing(
        COLUMNS,
        [build_row(number, found.records[number]) for number in cut_page(numbers, at, PAGE_SIZE)],
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


def is_pasted(found: SourceRecord) -> bool:
    """Return whether a record is part of the pasted text."""
    return get_display_name(found.place) == PASTED_NAME and bool(st.session_state.get(TEXT_KEY, "").strip())


def use_text(found: SourceRecord, text: str) -> None:
    """Put a text in the place of a record: in the pasted text, or in its dropped file, or after the pasted text."""
    pasted = st.session_state.get(TEXT_KEY, "")
    span = found.checked.record.span
    if is_pasted(found):
        changed = replace_record(pasted, span.start, found.text[span.start : span.end], text)
        if changed is None:
            st.toast("The text has changed. Look at its repairs again.", icon=":material/edit:")
        else:
            set_pasted(changed)
    elif not edit_file(found, text):
        set_pasted(f"{pasted.rstrip()}\n\n{text}" if pasted.strip() else text)
        st.toast("The file can't be edited here. The text was added to the pasted records.", icon=":material/edit:")


def edit_file(found: SourceRecord, text: str) -> bool:
    """Replace a record in the dropped file that has it; return whether that is possible."""
    state = st.session_state
    for file in (*state.get(EARLIER_FILES, []), *state.get(NEW_FILES, [])):
        data = apply_edits(file).data
        changed = replace_bytes(data, found, text) if file.name == get_display_name(found.place) else None
        if changed is not None:
            state[EDITED_FILES] = {**state.get(EDITED_FILES, {}), file: changed}
            return True
    return False


def set_pasted(text: str) -> None:
    """Set the pasted text; the chosen record stays chosen."""
    st.session_state[TEXT_KEY] = text


def show_skipped(found: ReadResult) -> None:
    """Show files without records."""
    if found.skipped:
        with st.expander(f"{format_count(len(found.skipped), 'other file')} skipped"):
            for one in found.skipped:
                st.caption(f"{escape_markdown(get_display_name(one.place))}: {escape_markdown(one.message)}")


def show_import(uploads: list[Upload], found: ReadResult) -> None:
    """Draw the controls to import into the database, if the dashboard may write, and a download of what it would reject."""
    rejected = [one for one in found.records if not one.checked.is_game]
    games = [one for one in found.records if one.checked.is_game]
    if is_writable():
        st.checkbox(
            "Replace earlier versions",
            key="replace",
            help="Withdraw stored records of earlier files of these names that the files no longer hold.",
        )
    else:
        st.caption("To import from here, start the dashboard with `--allow-import`; or use `zertz import FILES`.")
    with st.container(horizontal=True, vertical_alignment="center"):
        if is_writable():
            show_import_buttons(uploads, games, rejected, is_truncated=found.is_truncated)
        if rejected:
            show_download(rejected)
    if rejected and is_writable():
        st.caption(
            "An import stores rejected records with their reasons. The page Imports lists them, to edit and to import."
        )


def show_import_buttons(
    uploads: list[Upload], games: list[SourceRecord], rejected: list[SourceRecord], *, is_truncated: bool
) -> None:
    """Draw the buttons that import everything, or the games alone."""
    st.button(
        "Import all records" if is_truncated else describe_import(games, len(rejected)),
        icon=":material/download:",
        type="primary",
        key="import",
        on_click=guard_callback(start_import),
        args=(uploads,),
        disabled=is_running(),
    )
    if games and rejected and not is_truncated:
        files = group_records((flatten_name(get_display_name(one.place)), one.data) for one in games)
        st.button(
            f"Import only {format_count(len(games), 'good record')}",
            key="import games",
            on_click=guard_callback(start_import),
            args=([Upload(*file) for file in files],),
            disabled=is_running(),
            help="Leave out the rejected records.",
        )


def describe_import(games: list[SourceRecord], rejected: int) -> str:
    """Return what an import would do: the numbers of new games, of records of known ones, and of rejected records."""
    checked = [one.checked for one in games]
    new = count_new_games(None if is_missing() else get_database(), checked)
    parts = [f"Import {format_count(new, 'game')}" if new else "Import no new game"]
    if len(games) > new:
        parts.append(f"{format_count(len(games) - new, 'record')} of known games")
    if rejected:
        parts.append(f"{format_count(rejected, 'record')} {'is' if rejected == 1 else 'are'} rejected")
    return "; ".join(parts)


def show_download(rejected: list[SourceRecord]) -> None:
    """Draw a download of the rejected records."""
    files = group_records((flatten_name(get_display_name(one.place)), one.data) for one in rejected)
    is_one = len(files) == 1
    st.download_button(
        f"Download {format_count(len(rejected), 'rejected record')}",
        files[0][1] if is_one else pack_files(files),
        "rejected.txt" if is_one else "rejected.zip",
        key="download rejected",
        on_click="ignore",
        icon=":material/file_save:",
        type="tertiary",
    )


def start_import(uploads: list[Upload]) -> None:
    """Start an import."""
    replace = bool(st.session_state.get("replace"))
    start_job(lambda: ImportJob(uploads, get_folder(), replace, build_disconnection_check()))


show_page()
