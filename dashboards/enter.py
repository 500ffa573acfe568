"""The page to enter a game: moves are clicked on the board, only legal ones; tags, comments and the result make it a record.

All of it is in the URL, so that nothing is lost with the window.
"""

from __future__ import annotations

import streamlit as st

from dashboards.board import Line, replay
from dashboards.brought import written
from dashboards.database import database, folder, may_write
from dashboards.entered import ENDS, TAGS, Sheet, file_name, official
from dashboards.verbatim import verbatim
from dashboards.words import plain
from dashboards.writing import once
from zertz_db import check_text, import_paths
from zertz_db.cli.words import counted
from zertz_db.ingest.kept import games_in
from zertz_db.queries.errors import QueryError
from zertz_db.queries.opening_line import played, split_moves, start_of
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.position import PASS, Position
from zertz_db.rules.ruleset import RULE_SETS
from zertz_db.store.errors import StoreError

BOARD = "entering"
COMMENTS = "said"
COMMENT = "comment "
"""With what the key of a ply's comment begins."""
LABELS = {"player1": "Player 1 (moved first)", "player2": "Player 2"}
HOW = (
    "Pick a colour, then click the ring for the marble and the ring to remove; to capture, click the marble and each landing. "
    "Only legal moves can be clicked; arrow keys step back and on."
)


def page() -> None:
    """The page."""
    st.title("Enter a game")
    try:
        start = chosen_start()
        line = played(start, st.query_params.get("moves", ""))
    except QueryError as error:
        st.error(f"What the address says can't be played: {plain(error)}", icon=":material/error:")
        st.button("Begin anew", on_click=begin_anew, key="anew")
        return
    moves = [one.notation for one in line]
    positions = [start, *(one.after for one in line)]
    st.caption(HOW)
    ply = replay(
        positions,
        [Line(one.before.side, one.notation, notes=note(number)) for number, one in enumerate(line)],
        key=BOARD,
        ply=len(moves),
        names=(called("player1") or "Player 1", called("player2") or "Player 2"),
        in_url=False,
        choices=positions[-1].legal_moves(),
        on_move=lambda move: keep([*moves, move]),
    )
    change(positions[-1], moves, ply)
    make_record(Sheet(start, positions[-1], moves, comments(len(moves)), tags(), ENDS[ending(positions[-1])]))


def called(player: str) -> str | None:
    """The name that is typed below; before its field is there, the one in the URL."""
    name: str | None = st.session_state.get(player, st.query_params.get(player))
    return name


def chosen_start() -> Position:
    """The start: an empty board under a rule set, or the position that the URL names. QueryError."""
    named = st.query_params.get("start")
    if named:
        st.sidebar.button("Begin with an empty board", key="empty", on_click=begin_anew)
        return start_of(named, "", "")
    board = st.sidebar.selectbox("Board", STANDARD_BOARDS, key="board", bind="query-params", on_change=keep, args=([],))
    rules = st.sidebar.selectbox(
        "Rule set", list(RULE_SETS), key="rules", bind="query-params", on_change=keep, args=([],)
    )
    return start_of(None, board, rules)


def begin_anew() -> None:
    """An empty scoresheet."""
    st.query_params.clear()


def keep(moves: list[str]) -> None:
    """These are the game's moves from now on."""
    if moves:
        st.query_params["moves"] = " ".join(moves)
    else:
        st.query_params.pop("moves", None)
    keep_comments(comments(len(moves)))
    for field in [name for name in st.session_state if str(name).startswith(COMMENT)]:
        del st.session_state[field]  # a ply may be another one now


def comments(plies: int) -> dict[int, str]:
    """The comments behind the first so many plies, by ply from 0."""
    found = (text.partition(" ") for text in st.query_params.get_all(COMMENTS))
    return {
        int(ply) - 1: said for ply, _, said in found if ply.isascii() and ply.isdigit() and 0 < int(ply[:9]) <= plies
    }


def keep_comments(said: dict[int, str]) -> None:
    """These are the comments from now on: in the URL, each with its ply before it."""
    st.query_params[COMMENTS] = [f"{number + 1} {text}" for number, text in sorted(said.items()) if text]


def note(number: int) -> list[tuple[str, str]]:
    """The comment behind a ply as the list of moves shows it."""
    text = comments(number + 1).get(number)
    return [("comment", text)] if text else []


def change(final: Position, moves: list[str], ply: int) -> None:
    """Take moves back, comment on the one that is shown, take a whole game from a text."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if final.legal_moves() == [PASS]:
            st.button("Pass", icon=":material/skip_next:", key="pass", on_click=keep, args=([*moves, str(PASS)],))
        st.button(
            "Take back", icon=":material/undo:", key="undo", disabled=not moves, on_click=keep, args=(moves[:-1],)
        )
        shown = f"Go on from ply {ply}" if ply else "Clear"
        st.button(
            shown,
            icon=":material/content_cut:",
            key="cut",
            disabled=ply == len(moves),
            on_click=keep,
            args=(moves[:ply],),
        )
        with st.popover("Paste moves", icon=":material/content_paste:"):
            st.text_area("Moves in official notation", key="pasted", placeholder="1. Wd4,d1 Bd3,a1 2. x d3Wd5")
            st.button("Take these", key="paste", on_click=paste)
        if ply:
            said = f"{COMMENT}{ply}"
            if said not in st.session_state:
                st.session_state[said] = comments(ply).get(ply - 1, "")
            st.text_input(
                f"Comment behind ply {ply}, {plain(moves[ply - 1])}", key=said, on_change=comment, args=(ply,)
            )


def comment(ply: int) -> None:
    """Keep what was typed behind a ply."""
    plies = len(st.query_params.get("moves", "").split())
    keep_comments(comments(plies) | {ply - 1: st.session_state[f"{COMMENT}{ply}"].strip()})


def paste() -> None:
    """Take the moves of a text."""
    try:
        keep(split_moves(st.session_state["pasted"]))
    except QueryError as error:
        st.toast(plain(error), icon=":material/error:")


def tags() -> dict[str, str]:
    """What is typed about the game."""
    st.subheader("About the game")
    found = {}
    for row in (TAGS[:2], TAGS[2:]):
        for column, name in zip(st.columns(len(row)), row, strict=True):
            example = "2026.05.01" if name == "date" else ""
            found[name] = column.text_input(
                LABELS.get(name, name.capitalize()), key=name, placeholder=example, bind="query-params"
            )
    return found


def ending(final: Position) -> str:
    """How the game ended, asked only where the moves leave it open."""
    if final.is_over:
        return next(iter(ENDS))
    return st.selectbox("How it ended", list(ENDS), key="ended", bind="query-params") or next(iter(ENDS))


def make_record(sheet: Sheet) -> None:
    """The record: what the check says of it, to download, and into the database where that is allowed."""
    if not sheet.moves:
        return
    text = official(sheet)
    (checked,) = check_text(text, "gipf")
    st.subheader("Its record")
    said = "; ".join(f"{finding.code} {finding.message}" for finding in checked.findings)
    st.caption(f"{checked.verdict.capitalize()}, {counted(checked.plies, 'ply', 'plies')}. {plain(said)}")
    with st.container(horizontal=True):
        st.download_button(
            "Download official notation", text, "game.txt", icon=":material/download:", on_click="ignore"
        )
        if may_write():
            st.button(
                "Save into the database",
                icon=":material/save:",
                type="primary",
                key="save",
                on_click=once(save),
                args=(text,),
            )
        else:
            st.caption("To save games into the database, start the dashboard with `--allow-import`.")
    if stored := st.session_state.pop("saved", None):
        st.success(f"{plain(stored[1])}.", icon=":material/check:")
        if stored[0]:
            st.page_link("game.py", label="Open it", icon=":material/hexagon:", query_params={"id": stored[0]})
    verbatim(text, key="record")


def save(text: str) -> None:
    """Import the record into the database."""
    with written([("game.txt", text.encode())]) as files:
        [file] = files
        try:
            balance = import_paths([file], folder(), called={file: file_name()})
        except StoreError as error:
            st.toast(plain(error), icon=":material/error:")
            return
        found = games_in(database(), file)
    said = (
        "Stored" if balance.stored else "The database had this game already" if balance.duplicate else "It was rejected"
    )
    st.session_state["saved"] = (found[0] if found else None, said)


page()
