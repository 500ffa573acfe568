"""Show games that may be one, side by side; the reader decides if the dashboard may write."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Any

import streamlit as st

from zertz_db.dashboards.components.gallery import show_gallery
from zertz_db.dashboards.components.listing import Column, Row, show_listing
from zertz_db.dashboards.sections.decisions.pair_controls import (
    LATER,
    Choice,
    Decision,
    choose_page,
    show_choices,
    show_decisions,
)
from zertz_db.dashboards.sections.game_cards import build_cards
from zertz_db.dashboards.sections.running_job import follow_job, show_job, start_job
from zertz_db.dashboards.state.database import WRITE_WAIT, get_database, is_writable
from zertz_db.dashboards.state.import_job import ThreadJob
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.edit.merge_games import merge_game, postpone_games, separate_games, split_game, undo_separation
from zertz_db.queries.duplicates import list_decisions, list_duplicates
from zertz_db.queries.games.comparison import GamePair, compare_games

LIKENESSES: dict[str, Any] = {
    "bytes": ("the same record", "green"),
    "game": ("the same game", "green"),
    "moves": ("the same moves", "orange"),
    "contained": ("one has the other's moves and more", "blue"),
}
"""The tiers of duplicates in words, with a colour."""
FACTS = ("date", "event", "site", "round", "board", "rule_set", "plies", "result", "records")
FACT_NAMES = {"site": "Place", "rule_set": "Rules"}
COLUMNS = (Column("", "quiet"), Column("First game"), Column("Second game"), Column("", "badge"))
VERDICTS: dict[str, Any] = {"accepted": "One game", "rejected": "Two games", "later": "Later"}


def show_game_pairs(filters: str) -> None:
    """Show pairs of games that may be one, and earlier decisions."""
    st.caption(
        "Games that may be one, the surest first. “One game” merges the two; all records stay, and the longest one counts. "
        "“Two games” takes the pair off the list, “Later” puts it off. Each decision is stored and can be undone."
    )
    progress = show_job()
    decisions = run_query(list_decisions).dicts()
    later = {frozenset((one["game"], one["other"])) for one in decisions if one["verdict"] == "later"}
    found_pairs = run_query(list_duplicates, filters).dicts()
    pairs = [row for row in found_pairs if frozenset((row["game"], row["other"])) not in later]
    if pairs:
        shown = choose_page("pairs", pairs)
        found = run_query(compare_games, tuple((row["game"], row["other"]) for row in shown))
        for row in shown:
            if (row["game"], row["other"]) in found:
                show_pair(row, found[row["game"], row["other"]])
    else:
        st.info(
            "Every pair is decided or put off." if found_pairs else "No two games look alike.", icon=":material/check:"
        )
    show_decisions("games", [build_decision(row) for row in decisions])
    if not is_writable():
        st.caption(
            "To decide here, start the dashboard with `--allow-import`; or run `zertz duplicates --merge ID --into ID`, `--split ID`."
        )
    follow_job(progress)


def show_pair(row: dict[str, Any], found: GamePair) -> None:
    """Show two games side by side: boards, facts, where they differ, and the buttons."""
    label, colour = LIKENESSES[row["tier"]]
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(label, color=colour)
            st.caption(escape_markdown(row["evidence"]))
        boards, facts = st.columns([2, 3], gap="medium")
        with boards:
            cards = build_cards(get_database(), [found.first, found.second])
            show_gallery(cards, key=f"boards {_key(row)}", width=150, label="The last positions of both games")
        with facts:
            show_listing(COLUMNS, build_facts(found), key=f"facts {_key(row)}", label="Facts of both games")
            st.write(escape_markdown(" ".join(found.sentences)))
        show_choices(_key(row), build_choices(row))
        if note := explain_lengths(found):
            st.caption(escape_markdown(note))


def build_facts(found: GamePair) -> list[Row]:
    """Return the facts of both games, those that differ with a badge."""
    one, two = found.first, found.second
    rows = [("Players", *(f"{game['player1'] or '?'} – {game['player2'] or '?'}" for game in (one, two)))]
    rows += [(FACT_NAMES.get(name, name.capitalize()), _text(one[name]), _text(two[name])) for name in FACTS]
    rows.append(("File", *("; ".join(Path(file).name for file in game["files"]) for game in (one, two))))
    return [
        Row(name, (name, first, second, "differs" if first != second else None))
        for name, first, second in rows
        if first or second
    ]


def build_choices(row: dict[str, Any]) -> list[Choice]:
    """Return the buttons of a pair."""
    values = (row["game"], row["other"], row["evidence"])
    return [
        Choice("One game", "merge", merge_pair, values),
        Choice("Two games", "call_split", separate_pair, values),
        Choice(LATER, "schedule", postpone_pair, values),
    ]


def explain_lengths(found: GamePair) -> str:
    """Return which of two games of unequal length stays if they are merged, or "" for equal lengths."""
    shorter, longer = sorted((found.first, found.second), key=lambda game: game["plies"])
    if shorter["plies"] == longer["plies"]:
        return ""
    return (
        f"“One game” keeps {longer['id']}, which goes on after ply {shorter['plies']}. "
        f"{shorter['id']} becomes a record of it and no longer counts as a game."
    )


def build_decision(row: dict[str, Any]) -> Decision:
    """Return an earlier decision about two games."""
    is_one = row["verdict"] == "accepted"
    about = ", ".join(str(part) for part in (row["players"], row["date"]) if part)
    return Decision(
        f"{VERDICTS[row['verdict']]}: {row['game']} and {row['other']}{f' ({about})' if about else ''}",
        f"{row['author']}, {row['made_at']:%Y-%m-%d %H:%M} UTC{': ' + row['evidence'] if row['evidence'] else ''}",
        split_pair if is_one else reopen_pair,
        (row["game"],) if is_one else (row["game"], row["other"]),
    )


def merge_pair(game: str, other: str, evidence: str) -> None:
    """Start to merge a game into another one."""
    folder, author = get_database().folder, getpass.getuser()
    start_job(
        lambda: ThreadJob(
            folder, "Merging the games …", lambda: merge_game(folder, game, other, author, evidence, WRITE_WAIT)
        )
    )


def separate_pair(game: str, other: str, evidence: str) -> str:
    """Note that two games are two; return the answer."""
    separate_games(get_database().folder, game, other, getpass.getuser(), evidence)
    return f"Two games: {game} and {other}."


def postpone_pair(game: str, other: str, evidence: str) -> str:
    """Note that the decision about two games is put off; return the answer."""
    postpone_games(get_database().folder, game, other, getpass.getuser(), evidence)
    return f"Put off: {game} and {other}."


def split_pair(game: str) -> None:
    """Start to split off a merged game."""
    folder, author = get_database().folder, getpass.getuser()
    start_job(lambda: ThreadJob(folder, "Splitting the games …", lambda: split_game(folder, game, author, WRITE_WAIT)))


def reopen_pair(game: str, other: str) -> str:
    """Undo that two games are two or put off; return the answer."""
    undo_separation(get_database().folder, game, other, getpass.getuser())
    return f"{game} and {other} are open again."


def _key(row: dict[str, Any]) -> str:
    return f"{row['game']} {row['other']}"


def _text(value: object) -> str:
    return "" if value is None else str(value)
