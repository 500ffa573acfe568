"""The page to check records, and to import them: dropped or pasted, looked at in memory; findings where they are, repairs to accept."""

from __future__ import annotations

from collections import Counter

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboards import location, notices
from dashboards.bounded_work import TooMuch
from dashboards.checking import MOST, Brought, lines_of, look_into, name_of, replace_record
from dashboards.database import folder, may_write
from dashboards.drafts import keep_draft
from dashboards.import_job import ImportJob
from dashboards.listing import PAGE, Column, Pages, Row, listing
from dashboards.notices import Notice
from dashboards.record_reading import Found
from dashboards.record_view import show_record
from dashboards.tiles import Tile, tiles
from dashboards.words import closed, plain
from dashboards.writing import once
from zertz_db.check.checked import VERDICTS
from zertz_db.cli.words import counted
from zertz_db.ingest.balance import Balance
from zertz_db.ingest.reading import Sighted
from zertz_db.ingest.sources import PASTED, SourceError

TEXT = "text to check"
SHORT = 2_000
"""Texts of so many signs at most are kept in the URL."""
ANSWER, JOB = "import", "import that goes on"
EARLIER, DROPPED, VISIT = "files dropped before", "files dropped now", "files of this visit"
"""In the session's state: files of earlier visits to this page, those of this one, whether it has begun."""
MOST_BYTES = 50_000_000
"""Files of so many bytes in all, at most, stay while other pages are visited."""
STEP = 0.2
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


def page() -> None:
    """The page."""
    st.title("Check & import")
    st.caption(
        "Records are read and replayed here, in memory: nothing is written. Any notation that `zertz check` reads will do."
    )
    notices.show(ANSWER)
    progress = st.empty()
    show_all(taken())
    follow_import(progress)


def show_all(brought: list[Brought]) -> None:
    """Everything about the records that were brought."""
    if not brought:
        st.info(
            "Drop files, or paste a record. What is wrong with it is shown where it is.",
            icon=":material/fact_check:",
        )
        return
    try:
        found = look_into(brought)
    except (SourceError, TooMuch) as error:
        st.error(plain(error), icon=":material/error:")
        return
    if not found.records:
        st.warning(f"No record was found in {counted(len(brought), 'file')}.", icon=":material/find_in_page:")
    else:
        show_balance(found)
        show_import(brought)
        show_records(found)
    show_passed(found)


def taken() -> list[Brought]:
    """What was pasted and dropped."""
    first = location.seed(TEXT, location.value("text"))
    paste, drop = st.columns([3, 2], gap="medium")
    with paste:
        text = st.text_area("Paste records", first, key=TEXT, height=210, placeholder=EXAMPLE)
    with drop:
        dropped = files()
        st.button(
            "An example with a fault",
            key="example",
            on_click=set_text,
            args=(EXAMPLE,),
            icon=":material/lightbulb:",
            type="tertiary",
            disabled=bool(text.strip()),
        )
    location.put(text=text if text.strip() and len(text) <= SHORT else None)
    keep_draft("text", text, lambda found: take_draft(text, found), field=f".st-key-{TEXT.replace(' ', '-')} textarea")
    pasted = [Brought(PASTED, text.encode())] if text.strip() else []
    return [*pasted, *dropped]


def files() -> list[Brought]:
    """The files that were dropped. They stay while other pages are visited, though Streamlit's own widget forgets them."""
    state = st.session_state
    if VISIT not in state:
        earlier = [*state.get(EARLIER, []), *state.get(DROPPED, [])]
        state[EARLIER] = earlier if sum(len(file.data) for file in earlier) <= MOST_BYTES else []
    location.seed(VISIT, first=True)
    dropped = st.file_uploader(
        "Or drop files", accept_multiple_files=True, help="Records or archives; they stay on this machine."
    )
    state[DROPPED] = [Brought(file.name, file.getvalue()) for file in dropped or []]
    if state[EARLIER]:
        st.caption(f"Dropped before: {plain(', '.join(file.name for file in state[EARLIER]))}.")
        st.button("Remove these", key="remove", on_click=state.pop, args=(EARLIER,), type="tertiary")
    return [*state[EARLIER], *state[DROPPED]]


def set_text(text: str) -> None:
    """Check this text."""
    st.session_state[TEXT] = text
    location.put(record=None)


def take_draft(shown: str, found: str) -> None:
    """Take up what was typed here before, unless something else than `shown` has been typed since."""
    if st.session_state.get(TEXT, "") == shown:
        st.session_state[TEXT] = found


def show_balance(found: Found) -> None:
    """How many records there are of each verdict."""
    counts = Counter(record.checked.verdict for record in found.records)
    said = {
        "verified": "every ply legal, with an end",
        "unfinished": "every ply legal, no end",
        "illegal": "against the rules",
        "unreadable": "no notation there is",
    }
    more = f"the first {MOST:,}; zertz check takes all" if found.is_cut else "each has one verdict"
    tiles(
        [
            Tile("Records", f"{len(found.records):,}", more),
            *(Tile(name.capitalize(), f"{counts[name]:,}", said[name]) for name in VERDICTS),
        ]
    )


def show_records(found: Found) -> None:
    """The records as a list, and the one that is chosen."""
    numbers = list(range(len(found.records)))
    if len(numbers) > 1:
        present = [name for name in VERDICTS if any(record.checked.verdict == name for record in found.records)]
        wanted = (
            location.bound(
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
    if not location.value("record") and len(numbers) != 1:
        st.caption("Choose a record to see what there is to say about it.")
        return
    number = location.number("record", len(found.records), numbers[0] + 1) - 1
    st.subheader(f"Record {number + 1}" if len(found.records) > 1 else "The record")
    show_record(
        found.records[number],
        f"{number} {hash(found.records[number].data)}",
        lambda text: accept(found.records[number], text),
    )


def show_list(found: Found, numbers: list[int]) -> None:
    """The records; choosing one shows it."""
    at = location.number("page", -(-len(numbers) // PAGE))
    listing(
        COLUMNS,
        [row(number, found.records[number]) for number in numbers[(at - 1) * PAGE : at * PAGE]],
        key="records",
        pages=Pages(at, len(numbers)),
        label="Records",
        height=420,
        on_row=lambda number: location.put(record=number),
    )


def row(number: int, found: Sighted) -> Row:
    """A record in the list."""
    checked = found.checked
    said = lines_of(found)
    players = f"{closed(checked.record.player1 or '?')} – {closed(checked.record.player2 or '?')}"
    where = f"{name_of(found.place)}:{checked.record.span.line}"
    gravest = f"{said[0][0].code} {said[0][0].message}" if said else None
    return Row(
        str(number + 1), (str(number + 1), checked.verdict, where, players, checked.board, str(checked.plies), gravest)
    )


def accept(found: Sighted, text: str) -> None:
    """Put a repaired record into the text field: in its place where it was pasted, else behind what is there."""
    pasted = st.session_state.get(TEXT, "")
    span = found.checked.record.span
    if name_of(found.place) == PASTED and pasted.strip():
        changed = replace_record(pasted, span.start, found.text[span.start : span.end], text)
        if changed is None:
            st.toast("The text was changed since: look at its repairs again.", icon=":material/edit:")
        else:
            set_text(changed)
    else:
        set_text(f"{pasted.rstrip()}\n\n{text}" if pasted.strip() else text)


def show_passed(found: Found) -> None:
    """Files that are no records."""
    if found.passed:
        with st.expander(f"{counted(len(found.passed), 'other file')} passed over"):
            for one in found.passed:
                st.caption(f"{plain(name_of(one.place))}: {plain(one.message)}")


def show_import(brought: list[Brought]) -> None:
    """Into the database, where the dashboard may write."""
    if not may_write():
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
        on_click=once(start_import),
        args=(brought,),
        disabled=JOB in st.session_state,
    )


def start_import(brought: list[Brought]) -> None:
    """Begin an import, unless one is going on."""
    if JOB not in st.session_state:
        notices.dismiss(ANSWER)
        st.session_state[JOB] = ImportJob(brought, folder(), replace=bool(st.session_state.get("replace")))


def follow_import(place: DeltaGenerator) -> None:
    """Show how far the import is that was begun here; at its end, leave its answer."""
    job: ImportJob | None = st.session_state.get(JOB)
    if job is None:
        return
    bar = place.progress(0.0, "Importing …")
    while not job.wait(STEP):
        if job.seen is not None:
            bar.progress(min(1.0, job.seen.done / max(1, job.seen.places)), f"{job.seen.read:,} records")
    notices.leave(ANSWER, answer(job))
    del st.session_state[JOB]
    st.rerun()


def answer(job: ImportJob) -> Notice:
    """What an import did."""
    balance = job.balance
    if balance is None:
        return Notice(job.failure, is_error=True)
    sums = f"{balance.read:,} records read = {balance.stored:,} stored + {balance.duplicate:,} duplicate + {balance.rejected:,} rejected."
    text, names = f"{sums} {missing_text(balance)}".rstrip(), tuple(one.name for one in balance.missing)
    if balance.run is None:
        return Notice(text, names=names)
    return Notice(text, page="imports.py", label="What it did", query={"run": str(balance.run)}, names=names)


def missing_text(balance: Balance) -> str:
    """Return what to say of stored records that the files no longer hold; nothing if there are none."""
    if not balance.missing:
        return ""
    games = counted(len({one.game for one in balance.missing if one.is_last}), "game")
    records = counted(len(balance.missing), "stored record")
    if balance.withdrawn:
        return f"Withdrew {records} that the files no longer hold, and {games}."
    return (
        f"The files no longer hold {records}; {games} would go with them. "
        "To withdraw them, tick “Replace earlier versions” and import again."
    )


page()
