"""The page to check records, and to import them: dropped or pasted, looked at in memory; findings where they are, repairs to accept."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from dashboards import location
from dashboards.bounded_work import TooMuch
from dashboards.brought import written
from dashboards.checking import MOST, Brought, lines_of, look_into, name_of
from dashboards.database import folder, may_write
from dashboards.listing import PAGE, Column, Pages, Row, listing
from dashboards.record_reading import Found
from dashboards.record_view import show_record
from dashboards.tiles import Tile, tiles
from dashboards.words import closed, plain
from dashboards.writing import write_button
from zertz_db import import_paths
from zertz_db.check.checked import VERDICTS
from zertz_db.check.repair_text import replaced
from zertz_db.cli.words import counted
from zertz_db.ingest.balance import Balance
from zertz_db.ingest.reading import Sighted
from zertz_db.ingest.sources import PASTED, SourceError
from zertz_db.store.errors import StoreError

TEXT = "text to check"
SHORT = 2_000
"""Texts of so many signs at most are kept in the URL."""
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

_MOST_NAMED = 20
"""Records that an import names one by one."""


def page() -> None:
    """The page."""
    st.title("Check & import")
    st.caption(
        "Records are read and replayed here, in memory: nothing is written. Any notation that `zertz check` reads will do."
    )
    brought = taken()
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
    """What was dropped and pasted."""
    if TEXT not in st.session_state:
        st.session_state[TEXT] = st.query_params.get("text", "")
    paste, drop = st.columns([3, 2], gap="medium")
    with paste:
        text = st.text_area("Paste records", key=TEXT, height=210, placeholder=EXAMPLE)
    with drop:
        files = st.file_uploader(
            "Or drop files", accept_multiple_files=True, help="Records or archives; they stay on this machine."
        )
        st.button(
            "An example with a fault",
            key="example",
            on_click=put,
            args=(EXAMPLE,),
            icon=":material/lightbulb:",
            type="tertiary",
        )
    if text.strip() and len(text) <= SHORT:
        st.query_params["text"] = text
    else:
        st.query_params.pop("text", None)
    pasted = [Brought(PASTED, text.encode())] if text.strip() else []
    return [*pasted, *(Brought(file.name, file.getvalue()) for file in files or [])]


def put(text: str) -> None:
    """Check this text."""
    st.session_state[TEXT] = text
    st.query_params.pop("record", None)


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
            st.pills("Only", present, key="only", bind="query-params", label_visibility="collapsed")
            if len(present) > 1
            else None
        )
        numbers = [number for number in numbers if wanted in (None, found.records[number].checked.verdict)]
        show_list(found, numbers)
    if "record" not in st.query_params and len(numbers) != 1:
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
    """Put a repaired record into the text field: in its place where it was pasted, else alone."""
    pasted = st.session_state.get(TEXT, "")
    span = found.checked.record.span
    is_pasted = name_of(found.place) == PASTED and found.text == pasted
    put(replaced(pasted, span, text) if is_pasted else text)


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
    replace = st.checkbox(
        "Replace earlier versions",
        key="replace",
        help="Withdraw stored records of earlier files of the same names that these no longer hold.",
    )
    if write_button("Import into the database", icon=":material/download:", type="primary", key="import"):
        bring(brought, replace=replace)


def bring(brought: list[Brought], *, replace: bool) -> None:
    """Import, with a bar that shows the progress, and the balance at the end."""
    bar = st.progress(0.0, "Importing …")

    def watch(balance: Balance) -> None:
        bar.progress(min(1.0, balance.done / max(1, balance.places)), f"{balance.read:,} records")

    with written(brought) as called:
        try:
            balance = import_paths(called, folder(), watch, called=called, replace=replace)
        except (StoreError, SourceError) as error:
            bar.empty()
            st.error(plain(error), icon=":material/error:")
            return
    bar.empty()
    st.success(
        f"{balance.read:,} records read = {balance.stored:,} stored + {balance.duplicate:,} duplicate + {balance.rejected:,} rejected.",
        icon=":material/check:",
    )
    show_missing(balance)
    if balance.run is not None:
        st.page_link(
            "imports.py", label="What it did", icon=":material/download:", query_params={"run": str(balance.run)}
        )


def show_missing(balance: Balance) -> None:
    """Stored records that the files no longer hold."""
    missing = balance.missing
    if not missing:
        return
    games = counted(len({one.game for one in missing if one.is_last}), "game")
    records = counted(len(missing), "stored record")
    if balance.withdrawn:
        st.info(f"Withdrew {records} that the files no longer hold, and {games}.", icon=":material/remove_done:")
    else:
        st.warning(
            f"The files no longer hold {records}; {games} would go with them. "
            "To withdraw them, tick “Replace earlier versions” and import again.",
            icon=":material/rule:",
        )
    with st.expander("These records"):
        for one in missing[:_MOST_NAMED]:
            st.caption(plain(one.name))
        if len(missing) > _MOST_NAMED:
            st.caption(f"… and {len(missing) - _MOST_NAMED:,} more")


page()
