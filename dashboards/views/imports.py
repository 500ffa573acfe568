"""Page of imports: their tallies, undo, the reasons for rejections, and each rejected record, to edit and import."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from zertz_db.check.findings import catalogue
from zertz_db.dashboards.components.listing import PAGE_SIZE, Column, Pages, Row, count_pages, cut_page, show_listing
from zertz_db.dashboards.components.location import (
    bind_widget,
    check_value,
    get_number,
    get_value,
    parse_number,
    set_values,
)
from zertz_db.dashboards.components.tiles import Tile, show_tiles
from zertz_db.dashboards.sections.downloads import group_records, pack_files
from zertz_db.dashboards.sections.record_editor import edit_record
from zertz_db.dashboards.sections.running_job import follow_job, is_running, show_job, start_job
from zertz_db.dashboards.sections.update_notice import format_age
from zertz_db.dashboards.state.database import get_database, get_folder, is_writable, stop_page
from zertz_db.dashboards.state.import_job import ImportJob, RecheckJob, UndoJob
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.dashboards.state.session_work import build_disconnection_check
from zertz_db.dashboards.state.write_tokens import guard_callback
from zertz_db.ingest.stored.rejected_records import list_revised, name_revision, read_rejected
from zertz_db.ingest.stored.source_lookup import read_stored_record
from zertz_db.plurals import format_count
from zertz_db.queries.database_info import list_imports, list_reasons, list_rejects, summarise
from zertz_db.queries.errors import QueryError

RUNS = (
    Column("No.", "number"),
    Column("When (UTC)", "quiet"),
    Column("Files", "number", wide=True),
    Column("Records", "number"),
    Column("Stored", "number"),
    Column("Duplicate", "number", wide=True),
    Column("Rejected", "number"),
    Column("Source", "long", wide=True),
)
REASONS = (
    Column("Code", "code"),
    Column("Meaning", "long"),
    Column("Records", "number"),
    Column("Example", "long", wide=True),
)
REJECTS = (
    Column("Code", "code"),
    Column("Problem", "long"),
    Column("File", "quiet", wide=True),
    Column("Line", "number"),
    Column("Stored as", "code", wide=True, help="the game of its revised text, which was imported later"),
)


class Reject(NamedTuple):
    """A rejected record: its row, and the game of its revised text, None without one."""

    row: dict[str, Any]
    game: str | None

    @property
    def place(self) -> tuple[str, str, int]:
        """Return the path, the member and the number."""
        return self.row["path"], self.row["member"], self.row["index"]


def show_page() -> None:
    """Draw the page."""
    title = st.container(horizontal=True, vertical_alignment="bottom")
    title.title("Imports")
    runs = {row["run"]: row for row in run_query(list_imports).dicts()}
    if not runs:
        st.info("No imports yet. Run `zertz import RECORDS`, or use the page Check & import.", icon=":material/inbox:")
        return
    progress = show_job()
    named = parse_number(get_value("run"))
    check_value("run", is_known=named in runs)
    run = next(iter(runs)) if named is None or named not in runs else named
    show_listing(
        RUNS, [build_row(row) for row in runs.values()], key="runs", label="Imports", height=300, on_row=choose_run
    )
    with title:
        st.space("stretch")
        show_recheck()
    show_import(run, runs[run])
    follow_job(progress)


def show_recheck() -> None:
    """Draw the control to read all records again, if the dashboard may write."""
    if not is_writable():
        return
    records = sum(row["records"] for row in run_query(summarise).records.dicts())
    with st.popover("Read all records again", icon=":material/refresh:", disabled=is_running()):
        st.write(
            f"A newer zertz may read records differently. This reads {format_count(records, 'record')} again and stores "
            "what has changed. A large database takes minutes."
        )
        st.button(
            "Read them again", key="recheck", type="primary", on_click=guard_callback(start_recheck), args=(records,)
        )


def start_recheck(records: int) -> None:
    """Start to read all records again."""
    start_job(lambda: RecheckJob(get_folder(), records, build_disconnection_check()))


def show_import(run: int, row: dict[str, Any]) -> None:
    """Show one import: its tally, and what it rejected."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.subheader(f"Import {run}")
        st.space("stretch")
        show_undo(run, row)
    undone = ", undone since" if row["undone"] else ""
    st.caption(f"{escape_markdown(format_age(row['made_at']).capitalize())}: {escape_markdown(row['what'])}{undone}")
    show_tiles(
        [
            Tile("Records read", f"{row['records']:,}", f"in {format_count(row['sources'], 'file')}"),
            Tile("= stored", f"{row['stored']:,}", "new games"),
            Tile("+ duplicate", f"{row['duplicate']:,}", "of stored games"),
            Tile("+ rejected", f"{row['rejected']:,}", "not games; their bytes are stored"),
        ]
    )
    if row["withdrawn"]:
        st.info(
            f"It withdrew {format_count(row['withdrawn'], 'record')} that the files no longer hold.",
            icon=":material/remove_done:",
        )
    if row["rejected"] and not row["undone"]:
        show_rejects(run)
    elif not row["undone"]:
        st.success("It rejected nothing.", icon=":material/check:")


def show_undo(run: int, row: dict[str, Any]) -> None:
    """Draw the control to undo an import, if the dashboard may write."""
    if not is_writable() or row["undone"]:
        return
    with st.popover("Undo this import", icon=":material/undo:", disabled=is_running()):
        st.write(
            f"This removes the {format_count(row['records'], 'record')} of import {run}, and the games that only it has. "
            "Its files then count as not read. To restore everything, import them again."
        )
        if row["withdrawn"]:
            st.write(f"The {format_count(row['withdrawn'], 'record')} that it withdrew will not return.")
        st.button(
            f"Undo import {run}", key="undo import", type="primary", on_click=guard_callback(start_undo), args=(run,)
        )


def start_undo(run: int) -> None:
    """Start to undo an import."""
    start_job(lambda: UndoJob(get_folder(), run, build_disconnection_check()))


def build_row(row: dict[str, Any]) -> Row:
    """Return the row of an import."""
    numbers = (f"{row[name]:,}" for name in ("sources", "records", "stored", "duplicate", "rejected"))
    what = f"{row['what']} (undone)" if row["undone"] else row["what"]
    return Row(str(row["run"]), (str(row["run"]), f"{row['made_at']:%Y-%m-%d %H:%M}", *numbers, what))


def show_rejects(run: int) -> None:
    """Show the reasons by code, the rejected records, and the chosen one to edit."""
    kinds = catalogue()
    reasons = run_query(list_reasons, run).dicts()
    st.subheader("Why records were rejected")
    show_listing(
        REASONS,
        [
            Row(
                row["reason"],
                (
                    row["reason"],
                    kinds[row["reason"]].title if row["reason"] in kinds else "",
                    f"{row['records']:,}",
                    row["example"],
                ),
            )
            for row in reasons
        ],
        key="reasons",
        label="Reasons",
        height=300,
        on_row=choose_reason,
    )
    code = get_value("code") or None
    check_value("code", is_known=code in {row["reason"] for row in reasons})
    games = run_query(list_revised)
    found = [Reject(row, None) for row in run_query(list_rejects, run).dicts() if code in (None, row["reason"])]
    found = [one._replace(game=games.get(one.place)) for one in found]
    heading = st.container(horizontal=True, vertical_alignment="bottom")
    heading.subheader(f"Records rejected for {escape_markdown(code)}" if code else "Rejected records")
    numbers = choose_numbers(found)
    with heading:
        st.space("stretch")
        if code:
            st.button(
                "Show all",
                key="all",
                on_click=choose_reason,
                args=(None,),
                icon=":material/filter_alt_off:",
                type="tertiary",
            )
        show_download(run, [found[number - 1] for number in numbers])
    show_list(found, numbers)
    if found and get_value("record"):
        number = get_number("record", len(found))
        show_rejected_record(run, found[number - 1], next((one for one in numbers if one > number), None))
    elif found:
        st.caption("Choose a record to see what is wrong with it, to edit it and to import it.")


def choose_numbers(found: list[Reject]) -> list[int]:
    """Return the numbers (from 1) of the records to list. Those with a stored revised text are left out unless the visitor wants them."""
    done = sum(one.game is not None for one in found)
    if not done:
        return list(range(1, len(found) + 1))
    is_shown = bind_widget(
        "revised",
        lambda key, first: st.checkbox(
            f"Show {format_count(done, 'record')} whose revised text is stored", first, key=key
        ),
        default=False,
        options=(True, False),
    )
    return [number for number, one in enumerate(found, 1) if is_shown or one.game is None]


def show_download(run: int, wanted: list[Reject]) -> None:
    """Draw a download of the bytes of these records, to edit them elsewhere and import them again."""
    if not wanted:
        return
    database, places = get_database(), {one.place for one in wanted}
    is_one_file = len({(path, member) for path, member, _ in places}) == 1

    def build() -> bytes:
        records = [one for one in read_rejected(database, run) if one[:3] in places]
        files = group_records((one.member or one.path, one.data) for one in records)
        return b"".join(data for _, data in files) if is_one_file else pack_files(files)

    st.download_button(
        f"Download {format_count(len(wanted), 'record')}",
        build,
        "rejected.txt" if is_one_file else "rejected.zip",
        key="download rejected",
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
        help="Their bytes, to edit elsewhere and import again.",
    )


def choose_run(run: str) -> None:
    """Show this import."""
    set_values(run=run, code=None, page=None, record=None)


def choose_reason(code: str | None) -> None:
    """Show the records rejected for this reason; None for all."""
    set_values(code=code, page=None, record=None)


def show_list(found: list[Reject], numbers: list[int]) -> None:
    """Show the list of rejected records; a click on one shows it."""
    at = get_number("page", count_pages(len(numbers), PAGE_SIZE))
    show_listing(
        REJECTS,
        [build_reject_row(number, found[number - 1]) for number in cut_page(numbers, at, PAGE_SIZE)],
        key="rejects",
        pages=Pages(at, len(numbers)),
        label="Rejected records",
        height=420,
        on_row=lambda number: set_values(record=number),
    )


def build_reject_row(number: int, one: Reject) -> Row:
    """Return the row of a rejected record."""
    row = one.row
    line = None if row["line"] is None else str(row["line"])
    return Row(str(number), (row["reason"], row["message"], format_short_place(row), line, one.game))


def format_place(row: dict[str, Any]) -> str:
    """Return the place of a record."""
    return f"{row['path']}!{row['member']}" if row["member"] else str(row["path"])


def format_short_place(row: dict[str, Any]) -> str:
    """Return the place of a record without folders."""
    return format_place({**row, "path": Path(row["path"]).name})


def show_rejected_record(run: int, reject: Reject, following: int | None) -> None:
    """Show a rejected record as today's readers check it, to edit and to import. following: the number of the next one in the list."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.subheader("The record")
        if following is not None:
            st.button(
                "Next record", key="next", on_click=lambda: set_values(record=str(following)),
                icon=":material/arrow_forward:", type="tertiary",
            )  # fmt: skip
    st.caption(escape_markdown(format_place(reject.row)))
    try:
        found = read_stored_record(get_database(), run, *reject.place)
    except QueryError as error:
        stop_page(error)
    if found is None:
        st.warning("Its bytes could not be read, so none are stored.", icon=":material/broken_image:")
        return
    if reject.game:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.success("A revised text of this record was imported.", icon=":material/check:")
            st.page_link(
                "views/game.py",
                label="Open the game",
                icon=":material/arrow_forward:",
                query_params={"id": reject.game},
            )
    if found.checked.is_game:
        st.info(
            "Today's readers accept it as a game. “Read all records again” above, or `zertz recheck`, stores it.",
            icon=":material/update:",
        )
    controls = st.container(horizontal=True, vertical_alignment="center")
    name = name_revision(found)
    edited = edit_record(found, " ".join(map(str, ("reject", run, *reject.place))), name)
    with controls:
        if not is_writable():
            st.caption("To import the edited text from here, start the dashboard with `--allow-import`.")
            return
        st.button(
            f"Import {format_count(len(edited.records), 'game')}" if edited.is_game else "Import",
            key="import revised",
            icon=":material/download:",
            type="secondary" if reject.game else "primary",
            disabled=not (edited.is_changed and edited.is_game) or is_running(),
            on_click=guard_callback(start_import),
            args=(name, edited.text, found.letters),
        )
        st.caption(describe_edit(edited.is_changed, edited.is_game, reject.game is not None))


def describe_edit(is_changed: bool, is_game: bool, is_revised: bool) -> str:
    """Return what the visitor can do with the text."""
    if is_revised:
        return "A revised text is stored. Change it to import another version too."
    if not is_changed:
        return "Edit the text until it has no error. The rejected record stays stored as it was found."
    return (
        "It will be stored. The rejected record stays as it was found." if is_game else "This text would be rejected."
    )


def start_import(name: str, text: str, letters: str | None) -> None:
    """Start to import the revised text of a rejected record."""
    start_job(
        lambda: ImportJob(
            [(name, text.encode())], get_folder(), is_disconnected=build_disconnection_check(), letters=letters
        )
    )


show_page()
