"""Page of one game: its board to step through, its moves, and all facts about it. The URL has its id and the ply."""

from __future__ import annotations

from typing import Any

import streamlit as st

from zertz_db.dashboards.components.board import Line, show_replay
from zertz_db.dashboards.components.location import (
    check_value,
    get_value,
    open_page,
    parse_number,
    set_values,
    show_tabs,
    show_title,
)
from zertz_db.dashboards.components.tables import show_table
from zertz_db.dashboards.sections.forced_win import show_forced_win
from zertz_db.dashboards.sections.game_corrections import TITLE, show_corrected_tags, show_corrections
from zertz_db.dashboards.sections.game_page.explorer_rows import show_explorer
from zertz_db.dashboards.sections.game_page.heading import describe_game, show_heading
from zertz_db.dashboards.sections.game_page.known_lines import show_novelty
from zertz_db.dashboards.sections.game_page.list_steps import show_list_steps
from zertz_db.dashboards.sections.game_page.position_games import show_position_games
from zertz_db.dashboards.sections.game_page.source import show_source
from zertz_db.dashboards.sections.mark_form import save_mark, show_fields
from zertz_db.dashboards.sections.possible_moves import show_moves
from zertz_db.dashboards.sections.review.board_marks import build_badges, build_chart, build_legend, list_stops
from zertz_db.dashboards.sections.review.game_review import (
    finish,
    get_continuation,
    get_review,
    get_searched,
    show_failures,
    want_line,
)
from zertz_db.dashboards.sections.review.missed_moves import find_question, show_question, show_start
from zertz_db.dashboards.sections.review.sentences import list_comments
from zertz_db.dashboards.sections.review.summary import show_summary
from zertz_db.dashboards.state.database import get_database, is_writable, stop_page
from zertz_db.dashboards.state.markdown_text import escape_markdown, format_clock
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.dashboards.state.record_notes import list_notes
from zertz_db.dashboards.state.write_tokens import guard_callback
from zertz_db.export.notation import write_notations
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.one_game import Game, find_game
from zertz_db.queries.marks import list_marks
from zertz_db.queries.result import Result
from zertz_db.queries.tactics.review import Review
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import from_text


def show_page() -> None:
    """Draw the page."""
    database = get_database()
    game_id = get_value("id").strip()
    typed = st.sidebar.text_input("Game", value=game_id, help="A game's id, or its first letters (at least 4).").strip()
    if typed != game_id:
        open_page("game", {"id": typed})
    if not typed:
        st.title("Game")
        st.info("Choose a game on the page Games, or type its id on the left.", icon=":material/hexagon:")
        return
    try:
        game = run_query(find_game, typed)
    except QueryError as error:
        st.title("No such game")
        st.page_link("views/games.py", label="All games", icon=":material/view_list:")
        stop_page(error)
    show_title(describe_game(game))
    show_list_steps(game.id)
    show_heading(game)
    show_corrected_tags(game)
    show_board(database, game, run_query(write_notation, game.id))


def write_notation(database: Database, game_id: str) -> str | None:
    """Return a game's record in official notation; None if today's readers don't find the game in it any more."""
    ((_, text),) = write_notations(database, [from_text(game_id)])
    return text if isinstance(text, str) else None


@st.fragment
def show_board(database: Database, game: Game, notation: str | None) -> None:
    """Show the board with its moves and its review, and tabs about its position and about the game."""
    review = get_review(game)
    lines = build_move_list(game, notation, review)
    question = find_question(review)
    if question is not None:
        show_question(game, review, question, lines)
        return
    ply = show_reviewed_board(game, review, lines)
    with st.container():  # always one element, so that the tabs below stay in place, and open
        show_novelty(game)  # below the board, which need not wait for it
        show_explorer(game, ply)
    show_start(review)
    show_failures()
    show_facts(database, game, review, notation, ply)
    finish(game, review)


def show_reviewed_board(game: Game, review: Review, lines: list[Line]) -> int:
    """Show the board with chart, marks and comments; return the ply shown."""
    last = len(game.moves)
    searched = get_searched(game, review)
    marks = review.marks()
    ply = show_replay(
        game.positions,
        lines,
        key=f"replay {game.id}",
        ply=get_ply(last),
        names=(game.row["player1"] or "Player 1", game.row["player2"] or "Player 2"),
        end=game.end,
        continuation=get_continuation(game, searched),
        chart=build_chart(review),
        legend=build_legend(marks),
        stops=None if review.problem else list_stops(marks),
        comments=list_comments(review, game.positions, searched),
        on_act=lambda accepted: want_line(game.id, accepted),
    )
    if ply != last or get_value("ply"):
        set_values(ply=str(ply))
    return ply


def show_facts(database: Database, game: Game, review: Review, notation: str | None, ply: int) -> None:
    """Show the tabs about the position and about the game."""
    position = game.positions[ply]
    show_tabs(
        "about",
        {
            "Review": lambda: show_summary(game, review),
            "This position elsewhere": lambda: show_position_games(game, position),
            "What can be played": lambda: show_moves(position),
            "Forced win": lambda: show_forced_win(position),
            "Marks": lambda: show_marks(database, game, position, ply),
            "Findings": lambda: show_findings(game),
            "Source": lambda: show_source(game, notation),
            TITLE: lambda: show_corrections(database, game),
        },
    )


def get_ply(last: int) -> int:
    """Return the ply in the URL, by default the last."""
    ply = parse_number(get_value("ply"))
    check_value("ply", is_known=ply is not None and ply <= last)
    return last if ply is None else min(ply, last)


def build_move_list(game: Game, notation: str | None, review: Review) -> list[Line]:
    """Return the list of moves, each with the record's notes, the findings and the marks on it."""
    notes = list_notes(notation, len(game.moves)) if notation else [[] for _ in game.moves]
    for finding in game.findings.dicts():
        if finding["ply"] and finding["ply"] <= len(notes):
            notes[finding["ply"] - 1].append(("finding", f"{finding['code']} {finding['message']}"))
    return [
        Line(played["mover"], played["notation"], format_clock(played["clock"]), comments, build_badges(marks))
        for played, comments, marks in zip(game.plies.dicts(), notes, review.marks(), strict=True)
    ]


def select_columns(result: Result, *names: str) -> Result:
    """Return some columns of a result, those that it has."""
    at = [result.names.index(name) for name in names if name in result.names]
    return Result(
        tuple(result.columns[place] for place in at), [tuple(row[place] for place in at) for row in result.rows]
    )


def show_marks(database: Database, game: Game, position: Position, ply: int) -> None:
    """Show bookmarks, labels and notes on this game, and a form for a new one if the dashboard may write."""
    marks = list_marks(database)
    at = marks.names.index("game")
    mine = Result(marks.columns, [row for row in marks.rows if row[at] == game.id])
    show_table_or_text(select_columns(mine, "label", "note", "ply", "author", "made_at"), "No marks on this game yet.")
    if not is_writable():
        st.caption(f"To mark it, run `zertz mark {game.id} LABEL`, or start the dashboard with `--allow-import`.")
        return
    with st.container(border=True):
        show_fields(game.id)
        st.checkbox(f"About this position (after ply {ply})", key="about position", persist_state="page")
        where = (game.id, ply, position.text)
        st.button(
            "Mark it", icon=":material/bookmark:", key="mark it", on_click=guard_callback(save_game_mark), args=where
        )


def save_game_mark(game_id: str, ply: int, position: str) -> None:
    """Save the mark that the form describes."""
    where: dict[str, Any] = {"ply": ply, "position": position} if st.session_state["about position"] else {}
    save_mark(game_id, game=game_id, **where)


def show_findings(game: Game) -> None:
    """Show the record's result, the result by the moves, and the agreed one; list the findings."""
    names = {"result_claimed": "By the record", "result_computed": "by the moves", "result": "agreed"}
    st.write(" · ".join(f"{label} **{escape_markdown(game.row[name] or '–')}**" for name, label in names.items()))
    show_table_or_text(game.findings, "No findings about its records.")


def show_table_or_text(result: Result, nothing: str) -> None:
    """Show a table, or a sentence if it is empty."""
    if result.rows:
        show_table(result)
    else:
        st.write(nothing)


show_page()
