"""Show names that may be one person's; the reader decides if the dashboard may write."""

from __future__ import annotations

from typing import Any

import streamlit as st

from zertz_db.dashboards.sections.decisions.pair_controls import (
    LATER,
    Choice,
    Decision,
    choose_page,
    show_choices,
    show_decisions,
)
from zertz_db.dashboards.sections.decisions.player_kind import save_kind
from zertz_db.dashboards.sections.filter_bar import build_term
from zertz_db.dashboards.state.database import get_database, is_writable
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.edit.claim_names import set_alias
from zertz_db.plurals import format_count
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.players.identity.proposals import propose_names
from zertz_db.queries.players.identity.score import GRADES
from zertz_db.queries.players.player_list import list_aliases, list_players
from zertz_db.store.annotations.people_file import UNKNOWN_KIND

SAMPLES = 3
"""Games shown of each name."""
COLOURS: dict[str, Any] = dict(zip((grade.name for grade in GRADES), ("green", "orange", "gray"), strict=True))
"""Colours of the grades of proposals."""

VERDICTS = {"accepted": "One person", "rejected": "Two people", "later": "Later"}


def show_name_pairs() -> None:
    """Show pairs of names that may be one person's, and earlier decisions."""
    st.caption(
        "Names that are alike and may be one person's, the likeliest first. The score weighs spelling, years, common opponents, times of "
        "day and first moves; players who met are two people. A decision counts at once, “Later” puts it off; each can be undone."
    )
    claims = run_query(list_aliases).dicts()
    later = {frozenset((row["name"], row["player"])) for row in claims if row["verdict"] == "later"}
    proposed = run_query(propose_names).dicts()
    pairs = [row for row in proposed if frozenset((row["name"], row["player"])) not in later]
    if pairs:
        players = {row["name"]: row for row in run_query(list_players).dicts()}
        for row in choose_page("names", pairs):
            show_pair(row, players)
    else:
        st.info(
            "Every pair is decided or put off." if proposed else "No two names look like one player's.",
            icon=":material/check:",
        )
    show_decisions("names", [build_decision(row) for row in reversed(claims)])
    if not is_writable():
        st.caption(
            "To decide here, start the dashboard with `--allow-import`; or run `zertz players NAME --is OTHER`, `--is-not`, `--undo`."
        )


def show_pair(row: dict[str, Any], players: dict[str, dict[str, Any]]) -> None:
    """Show two names side by side: their profiles, numbers and latest games, and the buttons."""
    names = (row["name"], row["player"])
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(f"{row['grade']}, {row['score']} %", color=COLOURS[row["grade"]])
            st.caption(f"Of 100 {row['grade']} proposals, at least {row['precision']} were right on planted cases.")
        for column, name, years in zip(st.columns(2), names, (row["years"], row["player_years"]), strict=True):
            with column.container(gap=None):
                show_name(name, years, players.get(name))
        st.markdown(list_evidence(row["evidence"]))
        values = (*names, row["evidence"])
        choices = [
            Choice("One person", "check", accept_pair, values),
            Choice("Two people", "close", reject_pair, values),
            Choice(LATER, "schedule", postpone_pair, values),
        ]
        show_choices(_key(row), choices)


def list_evidence(evidence: str) -> str:
    """Return the parts of the evidence as a list in Markdown."""
    return "\n".join(f"- {escape_markdown(part)}" for part in evidence.split("; "))


def show_name(name: str, years: str, player: dict[str, Any] | None) -> None:
    """Show a name with a link to its profile, its numbers, and its latest games with links."""
    st.page_link(
        "views/players.py",
        label=escape_markdown(name),
        icon=":material/person:",
        query_params={"player": name},
    )
    if player:
        results = f"{player['wins']:,} won, {player['ties']:,} tied, {player['losses']:,} lost"
        facts = [format_count(player["games"], "game"), results, years, player["kind"]]
        st.caption(escape_markdown(" · ".join(fact for fact in facts if fact)))
    columns = ("id", "player1", "player2", "date", "result")
    for game in run_query(list_games, build_term("player", name), limit=SAMPLES, columns=columns).dicts():
        label = f"{game['player1'] or '?'} – {game['player2'] or '?'} {game['result'] or ''} {game['date'] or ''}"
        st.page_link("views/game.py", label=escape_markdown(label), query_params={"id": game["id"]})


def build_decision(row: dict[str, Any]) -> Decision:
    """Return an earlier decision about two names, or about the kind of one."""
    note = f"{row['since']}{': ' + row['evidence'] if row['evidence'] else ''}"
    if row["kind"]:
        return Decision(f"Kind: {row['name']} is a {row['kind']}", note, save_kind, (row["name"], UNKNOWN_KIND))
    shown = f", shown as {row['player']}" if row["verdict"] == "accepted" else ""
    return Decision(
        f"{VERDICTS[row['verdict']]}: {row['name']} and {row['player']}{shown}",
        note,
        undo_pair,
        (row["name"], row["player"]),
    )


def accept_pair(name: str, player: str, evidence: str) -> str:
    """Save that two names are one person's; return the answer."""
    set_alias(get_database().folder, name, player, "accepted", evidence)
    return f"One person: {name} is {player}."


def reject_pair(name: str, player: str, evidence: str) -> str:
    """Save that two names are two people's; return the answer."""
    set_alias(get_database().folder, name, player, "rejected", evidence)
    return f"Two people: {name} is not {player}."


def postpone_pair(name: str, player: str, evidence: str) -> str:
    """Save that the decision about two names is put off; return the answer."""
    set_alias(get_database().folder, name, player, "later", evidence)
    return f"Put off: {name} and {player}."


def undo_pair(name: str, player: str) -> str:
    """Undo a decision about two names; return the answer."""
    set_alias(get_database().folder, name, player, "undone")
    return f"{name} and {player} are open again."


def _key(row: dict[str, Any]) -> str:
    return f"{row['name']} {row['player']}"
