"""The page with one game: its board to step through, its moves, and all that is known of it. Its id is in the URL."""

from __future__ import annotations

import re

import pandas as pd
import streamlit as st

from dashboards.database import database, stop
from dashboards.tables import height, show
from zertz_db.cli.words import counted
from zertz_db.queries.errors import QueryError
from zertz_db.queries.game import Game, game
from zertz_db.rules.picture import svg

BOARD_HEIGHT = 450  # pixels: with what stands above it, the board is seen whole in a window of 860
IN_URL = "ply in the URL"
STEPS = {
    "first_page": "to the start",
    "chevron_left": "one ply back",
    "chevron_right": "one ply on",
    "last_page": "to the end",
}


def page() -> None:
    """The page."""
    opened = database()
    wanted = st.query_params.get("id", "").strip()
    typed = st.sidebar.text_input("Game", value=wanted, help="A game's id, or its first letters (at least 4).").strip()
    if typed != wanted:
        st.query_params.from_dict({"id": typed})
    if not typed:
        st.title("Game")
        st.info("Choose a game on the page Games, or type its id at the left.")
        return
    try:
        found = game(opened, typed)
    except QueryError as error:
        stop(str(error))
    heading(found)
    board, moves = st.columns([3, 2], gap="large")
    key = f"ply of {found.id}"
    with moves:
        list_of_moves(found, key)
    with board:
        board_to_step_through(found, key)
    known(found)


def heading(found: Game) -> None:
    """Who played whom, when, with which result."""
    row = found.row
    st.title(f"{row['player1'] or '?'} – {row['player2'] or '?'}")
    parts = [
        found.outcome,
        row["date"],
        row["event"],
        f"board {row['board']}",
        row["rule_set"],
        counted(row["plies"], "ply", "plies"),
        row["verdict"],
    ]
    st.caption(" · ".join(part for part in parts if part))


def board_to_step_through(found: Game, key: str) -> None:
    """The board after some plies, with buttons and a slider to go on and back."""
    last = len(found.moves)
    if key not in st.session_state or st.query_params.get("ply") != st.session_state.get(IN_URL):
        st.session_state[key] = start_ply(last)  # the page was opened, or the browser went back
    ply = int(st.session_state[key])
    steps = (
        ("first_page", 0),
        ("chevron_left", max(0, ply - 1)),
        ("chevron_right", min(last, ply + 1)),
        ("last_page", last),
    )
    with st.container(horizontal=True):
        for icon, target in steps:
            st.button(
                f":material/{icon}:",
                key=icon,
                help=STEPS[icon],
                on_click=go,
                args=(key, target),
                disabled=target == ply,
                width="stretch",
            )
    if last:
        st.slider("Plies played", 0, last, key=key, label_visibility="collapsed")
    st.query_params["ply"] = st.session_state[IN_URL] = str(ply)
    position = found.positions[ply]
    move = found.moves[ply - 1] if ply else None
    if ply == last and found.row["ending"]:
        turn = f"The game is over: {found.outcome}."
    else:
        turn = f"Player {position.side} {'must capture' if position.capture_is_due else 'is to move'}."
    st.write(f"After ply {ply}, `{move}`. {turn}" if move else f"The start. {turn}")
    picture = svg(position, move)
    st.image(picture, width=width_of(picture))
    holders = ("pool", f"player 1, {found.row['player1'] or '?'}", f"player 2, {found.row['player2'] or '?'}")
    counts = pd.DataFrame((position.pool, *position.captured), index=holders, columns=["white", "grey", "black"])
    st.table(counts)


def width_of(picture: str) -> int:
    """The width at which a drawing is BOARD_HEIGHT high."""
    size = re.search(r'width="(\d+)" height="(\d+)"', picture)
    return BOARD_HEIGHT * int(size[1]) // int(size[2]) if size else BOARD_HEIGHT


def start_ply(last: int) -> int:
    """The ply that the URL names, else the end."""
    named = st.query_params.get("ply", "")
    return min(int(named), last) if named.isascii() and named.isdigit() else last


def go(key: str, ply: int) -> None:
    """Show the board after so many plies."""
    st.session_state[key] = ply


def list_of_moves(found: Game, key: str) -> None:
    """The moves, and what ended the game; choosing a row shows the board after it."""
    plies = found.plies.df()[["ply", "mover", "notation", "clock"]].astype({"ply": "Int64", "mover": "Int64"})
    plies["clock"] = [clock(milliseconds) for milliseconds in found.clocks]
    if found.end:
        plies.loc[len(plies)] = [None, None, found.end, None]
    table = f"moves of {found.id}"

    def follow() -> None:
        rows = st.session_state[table].selection.rows
        if rows:
            go(key, min(rows[0] + 1, len(found.moves)))

    st.dataframe(
        plies.rename(columns={"notation": "move", "mover": "player"}).dropna(axis="columns", how="all"),
        hide_index=True,
        height=height(len(plies)),
        placeholder="",
        on_select=follow,
        selection_mode="single-row",
        key=table,
    )


def clock(milliseconds: int | None) -> str | None:
    """A clock as hours, minutes and seconds."""
    if milliseconds is None:
        return None
    seconds = milliseconds // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def known(found: Game) -> None:
    """Findings, tags, and where the game was found."""
    st.subheader("Findings")
    if found.findings.rows:
        show(found.findings)
    else:
        st.write("Nothing to say about its records.")
    st.subheader("Tags")
    if found.tags.rows:
        show(found.tags)
    else:
        st.write("None but those above.")
    st.subheader("Found in")
    show(found.sightings)
    st.caption(f"Game {found.id}")


page()
