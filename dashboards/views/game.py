"""The page with one game: its board to step through, its moves, and all that is known of it. Its id and the ply are in the URL."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboards.components.board import Line, show_replay
from dashboards.components.location import bind_tabs, get_value, open_page, set_values
from dashboards.components.tables import choose_row, show_table
from dashboards.components.verbatim import show_verbatim
from dashboards.sections.game_corrections import TITLE, show_corrected_tags, show_corrections
from dashboards.sections.mark_form import save_mark, show_fields
from dashboards.sections.possible_moves import show_moves
from dashboards.state.database import get_database, is_writable, stop_page
from dashboards.state.markdown_text import escape_markdown, format_clock
from dashboards.state.record_notes import list_notes
from dashboards.state.write_tokens import guard_callback
from zertz_db.export.notation import write_notations
from zertz_db.plurals import format_count
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.one_game import Game, find_game
from zertz_db.queries.marks import list_marks
from zertz_db.queries.openings.tree import find_openings
from zertz_db.queries.result import Result
from zertz_db.queries.search.positions import find_position
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import from_text

MAX_MOVES, MAX_GAMES = 10, 30
"""So many continuations of a position, and games with it, are listed."""


def show_page() -> None:
    """The page."""
    opened = get_database()
    wanted = get_value("id").strip()
    typed = st.sidebar.text_input("Game", value=wanted, help="A game's id, or its first letters (at least 4).").strip()
    if typed != wanted:
        open_page("game", {"id": typed})
    if not typed:
        st.title("Game")
        st.info("Choose a game on the page Games, or type its id at the left.", icon=":material/hexagon:")
        return
    try:
        found = find_game(opened, typed)
    except QueryError as error:
        st.title("Game")
        st.page_link("views/games.py", label="All games", icon=":material/view_list:")
        stop_page(error)
    show_heading(found)
    show_corrected_tags(found)
    (notation,) = (text for _, text in write_notations(opened, [from_text(found.id)]))
    show_board(opened, found, notation)


def show_heading(found: Game) -> None:
    """Who played whom, when, with which result."""
    row = found.row
    st.title(f"{escape_markdown(row['player1'] or '?')} – {escape_markdown(row['player2'] or '?')}")
    with st.container(horizontal=True, gap="small"):
        st.badge(found.outcome, color="blue")
        if row["verdict"] == "verified":
            st.badge("verified", color="green", icon=":material/check:")
        else:
            st.badge(row["verdict"], color="orange")
        if found.findings.rows:
            st.badge(format_count(len(found.findings.rows), "finding"), color="gray")
        parts = [
            row["date"],
            row["event"],
            row["site"],
            row["round"] and f"round {row['round']}",
            f"board {row['board']}",
            row["rule_set"],
        ]
        st.caption(
            " · ".join(escape_markdown(part) for part in [*parts, format_count(row["plies"], "ply", "plies")] if part)
        )
    if row["result"] is None and row["result_claimed"] and row["result_computed"]:
        st.warning(f"Who won is disputed: {escape_markdown(found.outcome)}.", icon=":material/balance:")


@st.fragment
def show_board(opened: Database, found: Game, notation: str | None) -> None:
    """The board with its moves, and what there is to know of the position that it shows and of the game."""
    last = len(found.moves)
    ply = show_replay(
        found.positions,
        build_move_list(found, notation),
        key=f"replay {found.id}",
        ply=get_ply(last),
        names=(found.row["player1"] or "Player 1", found.row["player2"] or "Player 2"),
        end=found.end,
    )
    if ply != last or get_value("ply"):
        set_values(ply=str(ply))
    position = found.positions[ply]
    titles = ("This position elsewhere", "What can be played", "Marks", "Findings", "Source", TITLE)
    elsewhere, playable, marked, findings, source, corrections = bind_tabs("about", titles)
    if elsewhere.open:
        with elsewhere:
            show_position_uses(opened, found, position, ply)
    if playable.open:
        with playable:
            show_moves(position)
    if marked.open:
        with marked:
            show_marks(opened, found, position, ply)
    if findings.open:
        with findings:
            show_result(found)
            show_table_or_text(found.findings, "Nothing else to say about its records.")
    if source.open:
        with source:
            show_source(found, notation)
    if corrections.open:
        with corrections:
            show_corrections(opened, found)


def get_ply(last: int) -> int:
    """The ply that the URL names, else the end."""
    named = get_value("ply")
    return min(int(named), last) if named.isascii() and named.isdigit() else last


def build_move_list(found: Game, notation: str | None) -> list[Line]:
    """The list of moves, each with what the record and the findings say of it."""
    notes = list_notes(notation, len(found.moves)) if notation else [[] for _ in found.moves]
    for finding in found.findings.dicts():
        if finding["ply"] and finding["ply"] <= len(notes):
            notes[finding["ply"] - 1].append(("finding", f"{finding['code']} {finding['message']}"))
    return [
        Line(played["mover"], played["notation"], format_clock(played["clock"]), said)
        for played, said in zip(found.plies.dicts(), notes, strict=True)
    ]


def show_position_uses(opened: Database, found: Game, position: Position, ply: int) -> None:
    """What was played from this position in all games, and the games; the position to take along."""
    here = find_openings(opened, position=position, limit=MAX_MOVES)
    others = here.games - 1 if not position.is_over else 0
    if others < 1:
        st.write("No other game has this position (turned and mirrored ones counted).")
    else:
        st.caption(
            f"{format_count(others, 'other game')} with this position, turned or mirrored too. The box before one opens it there."
        )
        continuations, games = st.columns(2, gap="medium")
        with continuations:
            show_continuations(select_columns(here.continuations, "move", "games", "wins", "losses", "score"))
        with games:
            hits = find_position(opened, position, pool=True, captures=True, side=True, limit=MAX_GAMES).hits
            hits = Result(hits.columns, [row for row in hits.rows if row[hits.names.index("id")] != found.id])
            listed = select_columns(hits, "player1", "player2", "date", "result", "ply", "next")
            chosen = choose_row(listed, f"elsewhere {found.id} {ply}")
        if chosen is not None:
            hit = hits.dicts()[chosen]
            open_page("game", {"id": hit["id"], "ply": str(hit["ply"])})
    show_verbatim(position.text, key="position")
    with st.container(horizontal=True):
        st.page_link(
            "views/search.py",
            label="Look for it otherwise",
            icon=":material/search:",
            query_params={"what": position.text},
        )
        if not position.is_over:
            st.page_link(
                "views/enter.py",
                label="Play on from here",
                icon=":material/edit:",
                query_params={"start": position.text},
            )


def show_continuations(result: Result) -> None:
    """What was played next, and how often the side to move won; where the games are enough for a score, that as a bar."""
    frame = result.df().dropna(axis="columns", how="all")
    score = st.column_config.ProgressColumn("score", format="percent", min_value=0, max_value=1)
    st.dataframe(frame, hide_index=True, column_config={"score": score}, placeholder="")


def select_columns(result: Result, *names: str) -> Result:
    """Some columns of a result, as far as it has them."""
    at = [result.names.index(name) for name in names if name in result.names]
    return Result(
        tuple(result.columns[place] for place in at), [tuple(row[place] for place in at) for row in result.rows]
    )


def show_marks(opened: Database, found: Game, position: Position, ply: int) -> None:
    """Bookmarks, labels and notes on this game; a new one where the dashboard may write."""
    kept = list_marks(opened)
    at = kept.names.index("game")
    mine = Result(kept.columns, [row for row in kept.rows if row[at] == found.id])
    show_table_or_text(
        select_columns(mine, "label", "note", "ply", "author", "made_at"), "Nobody has marked this game yet."
    )
    if not is_writable():
        st.caption(f"To mark it: `zertz mark {found.id} LABEL`, or start the dashboard with `--allow-import`.")
        return
    with st.container(border=True):
        show_fields(found.id)
        st.checkbox(f"About this position (after ply {ply})", key="about position", persist_state="page")
        where = (found.id, ply, position.text)
        st.button(
            "Mark it", icon=":material/bookmark:", key="mark it", on_click=guard_callback(save_game_mark), args=where
        )


def save_game_mark(game_id: str, ply: int, position: str) -> None:
    """Keep the mark that the form describes."""
    where: dict[str, Any] = {"ply": ply, "position": position} if st.session_state["about position"] else {}
    save_mark(game_id, game=game_id, **where)


def show_result(found: Game) -> None:
    """The result as the record claims it, as the moves give it, and what of that stands."""
    names = {"result_claimed": "The record says", "result_computed": "the moves give", "result": "agreed"}
    st.write(" · ".join(f"{said} **{escape_markdown(found.row[name] or '–')}**" for name, said in names.items()))


def show_source(found: Game, notation: str | None) -> None:
    """Where the game was found, its tags, and its record in official notation."""
    st.caption(f"Game {found.id}. Found in:")
    show_table(found.sightings)
    if found.tags.rows:
        show_table(found.tags)
    if notation is None:
        st.write(
            "This version of zertz-db reads its record otherwise than the one that stored it: `zertz recheck` settles that."
        )
        return
    st.download_button(
        "Download official notation", notation, f"{found.id}.txt", icon=":material/download:", on_click="ignore"
    )
    show_verbatim(notation, key="notation")


def show_table_or_text(result: Result, nothing: str) -> None:
    """A table, or a sentence where it is empty."""
    if result.rows:
        show_table(result)
    else:
        st.write(nothing)


show_page()
