"""Page to enter a game: legal moves are clicked on the board; tags, comments and the result make it a record.

The URL has all of it, so the page can be left and revisited. The browser stores a draft, so the game survives the window.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import parse_qs

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from zertz_db import check_text
from zertz_db.dashboards.components import location
from zertz_db.dashboards.components.board import Line, show_replay
from zertz_db.dashboards.components.drafts import save_draft
from zertz_db.dashboards.components.verbatim import show_verbatim
from zertz_db.dashboards.sections.running_job import follow_job, is_running, is_saved, show_job, start_job
from zertz_db.dashboards.state.database import get_folder, is_writable
from zertz_db.dashboards.state.entered_game import (
    GAME_ENDS,
    TAGS,
    Scoresheet,
    build_file_name,
    parse_legal_moves,
    write_record,
)
from zertz_db.dashboards.state.import_job import EntryJob
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.write_tokens import guard_callback
from zertz_db.plurals import format_count
from zertz_db.queries.errors import QueryError
from zertz_db.queries.openings.line import play_line, split_moves, start_of
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.move import PASS
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import RULE_SETS

BOARD = "entering"
COMMENTS_FIELD = "said"
FIELDS = ("start", "board", "rules", "moves", COMMENTS_FIELD, *TAGS, "ended")
"""URL parameters that make a game."""
DISCARDED_KEY = "game that was discarded"
"""Session state: the URL query of that game."""
TYPING_DELAY = "500ms"
"""Delay after a key until typed text counts: a page may be left amid a field."""
COMMENT_KEY_PREFIX = "comment "
"""Start of the keys of ply comments."""
LABELS = {"player1": "Player 1 (moved first)", "player2": "Player 2"}
HELP = (
    "Pick a colour, then click the ring for the marble and the ring to remove. To capture, click the marble and each landing. "
    "Only legal moves can be clicked. Arrow keys step back and forward."
)


def show_page() -> None:
    """Draw the page."""
    st.title("Enter a game")
    browser = st.container()
    progress = show_job()
    show_game()
    with browser:
        query = location.get_query()
        save_draft("game", query if has_input() else "", restore_draft, is_safe=is_saved(query))
    follow_job(progress)


def show_game() -> None:
    """Show the game as far as it was entered, with the tools to continue it."""
    try:
        start = get_start()
    except QueryError as error:
        st.error(f"The URL can't be played: {escape_markdown(error)}", icon=":material/error:")
        st.button("Start over", on_click=start_over, key="start over")
        return
    try:
        line = play_line(start, location.get_value("moves"))
    except QueryError as error:
        st.error(f"The URL can't be played: {escape_markdown(error)}", icon=":material/error:")
        legal = parse_legal_moves(start, location.get_value("moves"))
        if legal:
            st.button(
                f"Continue with the first {format_count(len(legal), 'ply', 'plies')}",
                on_click=set_moves,
                args=(legal,),
                key="legal part",
            )
        st.button("Start over", on_click=start_over, key="start over")
        return
    moves = [one.notation for one in line]
    positions = [start, *(one.after for one in line)]
    st.caption(HELP)
    ply = show_replay(
        positions,
        [Line(one.before.side, one.notation, notes=get_comment(number)) for number, one in enumerate(line)],
        key=BOARD,
        ply=len(moves),
        names=(get_player_label("player1") or "Player 1", get_player_label("player2") or "Player 2"),
        in_url=False,
        choices=positions[-1].legal_moves(),
        on_move=lambda move: add_move(moves, move),
    )
    show_edit_tools(positions[-1], moves, ply)
    sheet = Scoresheet(
        start, positions[-1], moves, parse_comments(len(moves)), read_tags(), GAME_ENDS[choose_ending(positions[-1])]
    )
    show_draft()
    show_record(sheet)


def get_player_label(player: str) -> str | None:
    """Return the name in its field below; before that field is drawn, the name in the URL."""
    name: str | None = st.session_state.get(player, location.get_value(player))
    return name


def get_start() -> Position:
    """Return the start: an empty board under a rule set, or the position in the URL. QueryError."""
    named = location.get_value("start")
    if named:
        st.sidebar.button("Start with an empty board", key="empty", on_click=start_over)
        return start_of(named, "", "")
    return start_of(
        None, show_start_choice("Board", "board", STANDARD_BOARDS), show_start_choice("Rule set", "rules", [*RULE_SETS])
    )


def show_start_choice(label: str, name: str, options: Sequence[str]) -> str:
    """Draw a choice about the start. Once the game has moves it is fixed: another board might not allow them."""
    if location.get_value("moves"):
        chosen = location.get_value(name)
        option = chosen if chosen in options else options[0]
        st.sidebar.caption(escape_markdown(f"{label}: {option}. Start over to change it."))
        return option
    with st.sidebar:
        return location.bind_select(label, name, options)


def has_input() -> bool:
    """Return whether anything was entered: moves, comments or tags."""
    found = [
        location.list_values(name) for name in ("moves", COMMENTS_FIELD, *TAGS)
    ]  # all, so that the page knows the names
    return any(found)


def restore_draft(text: str) -> None:
    """Restore the game that was being entered in this browser, unless the page has one."""
    if has_input():
        return
    draft = parse_qs(text)
    location.replace_all({name: draft[name] for name in FIELDS if name in draft})
    st.toast("Your unfinished game is restored.", icon=":material/history:")


def show_draft() -> None:
    """Show where the game is stored; draw buttons to start over and to undo that."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if has_input():
            st.button("Start over", icon=":material/delete:", key="over", on_click=start_over)
            st.caption("A draft: this browser stores it until you save the game or start over.")
        elif DISCARDED_KEY in st.session_state:
            st.button("Restore the discarded game", icon=":material/undo:", key="back", on_click=restore_discarded)


def start_over() -> None:
    """Discard the scoresheet; it can be restored."""
    st.session_state[DISCARDED_KEY] = location.get_all()
    location.replace_all({})


def restore_discarded() -> None:
    """Restore the discarded scoresheet."""
    location.replace_all(st.session_state.pop(DISCARDED_KEY))


def add_move(moves: list[str], move: str) -> None:
    """Append the clicked move to these, if they are still the game's: a second click may come late."""
    if split_moves(location.get_value("moves")) == moves:
        set_moves([*moves, move])


def set_moves(moves: list[str]) -> None:
    """Set the game's moves."""
    location.set_values(moves=" ".join(moves))
    set_comments(parse_comments(len(moves)))
    for field in [name for name in st.session_state if str(name).startswith(COMMENT_KEY_PREFIX)]:
        del st.session_state[field]  # a ply may have changed


def parse_comments(plies: int) -> dict[int, str]:
    """Return the comments on the first `plies` plies, by ply from 0."""
    parts = (text.partition(" ") for text in location.list_values(COMMENTS_FIELD))
    numbered = ((location.parse_number(ply) or 0, text) for ply, _, text in parts)
    return {ply - 1: text for ply, text in numbered if 0 < ply <= plies}


def set_comments(comments: dict[int, str]) -> None:
    """Store the comments in the URL, each with its ply before it."""
    texts = [f"{number + 1} {text}" for number, text in sorted(comments.items()) if text]
    location.set_values(**{COMMENTS_FIELD: texts})


def get_comment(number: int) -> list[tuple[str, str]]:
    """Return the comment on a ply as a note in the list of moves."""
    text = parse_comments(number + 1).get(number)
    return [("comment", text)] if text else []


def show_edit_tools(final: Position, moves: list[str], ply: int) -> None:
    """Draw tools: undo moves, comment on the ply shown, take a whole game from a text."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if final.legal_moves() == [PASS]:
            st.button("Pass", icon=":material/skip_next:", key="pass", on_click=set_moves, args=([*moves, str(PASS)],))
        st.button(
            "Undo", icon=":material/undo:", key="undo", disabled=not moves, on_click=set_moves, args=(moves[:-1],)
        )
        shown = f"Continue from ply {ply}" if ply else "Clear"
        st.button(
            shown,
            icon=":material/content_cut:",
            key="cut",
            disabled=ply == len(moves),
            on_click=set_moves,
            args=(moves[:ply],),
        )
        with st.popover("Paste moves", icon=":material/content_paste:"):
            st.text_area("Moves in official notation", key="pasted", placeholder="1. Wd4,d1 Bd3,a1 2. x d3Wd5")
            st.button("Use these", key="paste", on_click=paste_moves)
        if ply:
            key = f"{COMMENT_KEY_PREFIX}{ply}"
            first = location.seed_widget(key, parse_comments(ply).get(ply - 1, ""))
            st.text_input(
                f"Comment on ply {ply}, {escape_markdown(moves[ply - 1])}",
                first,
                key=key,
                live=TYPING_DELAY,
                on_change=save_comment,
                args=(ply,),
            )


def save_comment(ply: int) -> None:
    """Save the typed comment on a ply."""
    plies = len(split_moves(location.get_value("moves")))
    set_comments(parse_comments(plies) | {ply - 1: st.session_state[f"{COMMENT_KEY_PREFIX}{ply}"].strip()})


def paste_moves() -> None:
    """Replace the moves by those of a text."""
    try:
        set_moves(split_moves(st.session_state["pasted"]))
    except QueryError as error:
        st.toast(escape_markdown(error), icon=":material/error:")


def read_tags() -> dict[str, str]:
    """Draw fields for the tags; return their values by name."""
    st.subheader("About the game")
    values = {}
    for row in (TAGS[:2], TAGS[2:]):
        for column, name in zip(st.columns(len(row)), row, strict=True):
            values[name] = show_tag_field(column, name)
    return values


def show_tag_field(column: DeltaGenerator, name: str) -> str:
    """Draw the field of a tag; return its value."""
    label, example = LABELS.get(name, name.capitalize()), "2026.05.01" if name == "date" else ""
    return location.bind_widget(
        name,
        lambda key, first: column.text_input(label, first, key=key, placeholder=example, live=TYPING_DELAY) or "",
        default="",
    )


def choose_ending(final: Position) -> str:
    """Return how the game ended; draw a choice if the moves leave it open."""
    if final.is_over:
        return next(iter(GAME_ENDS))
    return location.bind_select("How it ended", "ended", list(GAME_ENDS))


def show_record(sheet: Scoresheet) -> None:
    """Show the record: its findings, a download, and a button to import it if the dashboard may write."""
    if not sheet.moves:
        return
    text = write_record(sheet)
    (checked,) = check_text(text, "gipf")
    st.subheader("Record")
    findings = "; ".join(f"{finding.code} {finding.message}" for finding in checked.findings)
    st.caption(
        f"{checked.verdict.capitalize()}, {format_count(checked.plies, 'ply', 'plies')}. {escape_markdown(findings)}"
    )
    with st.container(horizontal=True):
        st.download_button(
            "Download official notation", text, "game.txt", icon=":material/download:", on_click="ignore"
        )
        if is_writable():
            st.button(
                "Save into the database",
                icon=":material/save:",
                type="primary",
                key="save",
                on_click=guard_callback(save_record),
                args=(text,),
                disabled=is_running(),
            )
        else:
            st.caption("To save games into the database, start the dashboard with `--allow-import`.")
    show_verbatim(text, key="record")


def save_record(text: str) -> None:
    """Start to import the record into the database."""
    query = location.get_query()
    start_job(lambda: EntryJob(text, build_file_name(), get_folder(), query))


show_page()
