"""The change of the database that this session has started: its start, its progress, its result. One at a time."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from zertz_db.dashboards.state import notices
from zertz_db.dashboards.state.import_job import POLL_SECONDS, DatabaseJob, EntryJob, RecheckTally
from zertz_db.dashboards.state.notices import Notice
from zertz_db.ingest.tally import Tally
from zertz_db.maintain.undo_import import UndoResult
from zertz_db.plurals import format_count
from zertz_db.store.annotations.game_merges import GameMerge

JOB_NOTICE = "change of the database"
"""The place of the result, which is shown on each page that follows the work."""
_JOB_KEY, _LAST_KEY = "running change", "last change"


def is_running() -> bool:
    """Return whether a change that this session has started is running, or has a result that was not shown yet."""
    return _JOB_KEY in st.session_state


def is_saved(query: str) -> bool:
    """Return whether the last change stored the game that was entered on the page with this URL query."""
    job = st.session_state.get(_LAST_KEY)
    return isinstance(job, EntryJob) and bool(job.games) and job.query == query


def start_job(build: Callable[[], DatabaseJob]) -> None:
    """Start a change, unless one is running."""
    if not is_running():
        notices.remove_notice(JOB_NOTICE)
        st.session_state[_JOB_KEY] = build()


def show_job() -> DeltaGenerator:
    """Show the result of the last change; return the place for the progress of a running one (see `follow_job`)."""
    notices.show_notice(JOB_NOTICE)
    return st.empty()


def follow_job(place: DeltaGenerator) -> None:
    """Show the progress of the running change, if there is one; at its end draw the page again with the result. Call it last."""
    job: DatabaseJob | None = st.session_state.get(_JOB_KEY)
    if job is None:
        return
    bar = place.progress(*job.progress)
    while not job.wait(POLL_SECONDS):  # Streamlit ends this run at a call of its own
        bar.progress(*job.progress)
    notices.set_notice(JOB_NOTICE, build_notice(job))
    st.session_state[_LAST_KEY] = st.session_state.pop(_JOB_KEY)
    st.rerun()


def build_notice(job: DatabaseJob) -> Notice:
    """Return the notice of a finished change."""
    result = job.result
    if isinstance(job, EntryJob) and isinstance(result, Tally):
        return _describe_entry(job, result)
    if isinstance(result, GameMerge):
        is_undone = result.verdict == "undone"
        return Notice(
            f"{result.game} is a game of its own again."
            if is_undone
            else f"One game: {result.game} is now {result.of}."
        )
    if isinstance(result, Tally):
        return _describe_import(result)
    if isinstance(result, UndoResult):
        return Notice(_describe_undo(result))
    if isinstance(result, RecheckTally):
        return Notice(_describe_recheck(result))
    return Notice(job.failure, is_error=True)


def _describe_import(tally: Tally) -> Notice:
    sums = f"{tally.read:,} records read = {tally.stored:,} stored + {tally.duplicate:,} duplicate + {tally.rejected:,} rejected."
    text, names = f"{sums} {_describe_missing(tally)}".rstrip(), tuple(one.name for one in tally.missing)
    if tally.run is None:
        return Notice(text, names=names)
    return Notice(text, page="views/imports.py", label="Details", query={"run": str(tally.run)}, names=names)


def _describe_entry(job: EntryJob, tally: Tally) -> Notice:
    if not job.games:
        return Notice("The record was rejected. The page Imports has it.", is_error=True)
    text = "Stored." if tally.stored else "The database already has this game."
    return Notice(text, page="views/game.py", label="Open it", query={"id": job.games[0]})


def _describe_missing(tally: Tally) -> str:
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


def _describe_undo(result: UndoResult) -> str:
    removed = ", ".join(
        format_count(number, noun)
        for number, noun in ((result.records, "record"), (result.games, "game"), (result.files, "file"))
    )
    text = f"Undone. Removed: {removed}. To restore them, import the files again."
    if result.withdrawn:
        text += f" {format_count(result.withdrawn, 'record')} that the import had withdrawn did not return."
    if result.dependent_imports:
        numbers = ", ".join(str(run) for run, _ in result.dependent_imports)
        text += f" Later imports had found some of these files unchanged: {numbers}."
    return text


def _describe_recheck(tally: RecheckTally) -> str:
    if tally.changed:
        sightings = f"{tally.added:,} added, {tally.removed:,} removed"
        text = f"{format_count(tally.changed, 'record')} changed. Records of games: {sightings}."
    else:
        text = "No changes: every record reads as it is stored."
    if tally.failed:
        text += f" zertz failed on {format_count(tally.failed, 'record')}, which stay unchanged; please report it."
    return text
