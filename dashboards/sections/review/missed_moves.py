"""What did I miss? Positions of a game in which its player missed a win or blundered, as questions to the visitor.

The answer, the marks and the rest of the game are hidden until asked for. A tried move is judged live.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from zertz_db.dashboards.components.board import Line, show_replay
from zertz_db.dashboards.components.board_frames import Continuation
from zertz_db.dashboards.components.location import get_value, parse_number, set_values
from zertz_db.dashboards.sections.forced_win import REMEDY
from zertz_db.dashboards.sections.review.game_review import compile_all
from zertz_db.dashboards.state.bounded_work import WorkLimitExceeded
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.session_work import cache_in_session
from zertz_db.plurals import format_count
from zertz_db.queries.games.one_game import Game
from zertz_db.queries.tactics.review import Review
from zertz_db.tactics.bounded_judgement import DEPTH, MAX_NODES, Judgement, ask_judgement, judge
from zertz_db.tactics.bounded_search import MAX_DEPTH

MODE = "missed"
"""Name in the URL: the ply of the question."""
TITLE = "What did I miss?"
JUDGING = "Judging the move …"
TRIED_KEY, SOLUTION_KEY = "move tried at", "solution shown at"


def list_questions(review: Review) -> list[int]:
    """Return the plies before which the game's player had something to find: a win that was missed, or a way round a blunder."""
    return [ply["ply"] for ply in review.plies.dicts() if has_missed(ply) or ply["blunder"] is not None]


def has_missed(ply: dict[str, Any]) -> bool:
    """Return whether a ply let a forced win go."""
    return bool(ply["missed"]) or (ply["forced"] is not None and ply["kept"] is False)


def find_question(review: Review) -> int | None:
    """Return the ply of the question that the URL names, None without one."""
    ply = parse_number(get_value(MODE))
    return ply if ply in list_questions(review) else None


def show_start(review: Review) -> None:
    """Show a button that begins with the first question, if the game has any."""
    questions = list_questions(review)
    if questions:
        st.button(
            TITLE,
            key="what did i miss",
            icon=":material/help:",
            on_click=open_question,
            args=(questions[0],),
            help=f"{format_count(len(questions), 'position')} in which a win was missed or a blunder was played: find the better move.",
        )


def open_question(ply: int | None) -> None:
    """Go to a question, or back to the game; for callbacks."""
    set_values(**{MODE: "" if ply is None else str(ply), "ply": "" if ply is None else str(ply)})


def show_question(game: Game, review: Review, ply: int, lines: Sequence[Line]) -> None:
    """Show a question: the judgement of the move that was tried, the ways on, and the board after `ply` plies to try a move on.

    lines: the moves of the game; those from the position on are not shown.
    """
    fact = review.plies.dicts()[ply]
    position = game.positions[ply]
    questions = list_questions(review)
    place = f"{game.id} {ply}"
    st.markdown(f"**{escape_markdown(describe_task(fact))}**")
    if st.session_state.get(f"{SOLUTION_KEY} {place}"):
        continuation = build_solution(fact, _judge(position.text, fact["notation"], fact))
        st.info(escape_markdown(describe_solution(fact, continuation)), icon=":material/lightbulb:")
    else:
        continuation = _show_judgement(_judge(position.text, st.session_state.get(f"{TRIED_KEY} {place}"), fact), fact)
    _show_ways(place, questions, questions.index(ply))
    show_replay(
        game.positions[: ply + 1],
        [Line(line.mover, line.text, line.clock) for line in lines[:ply]],
        key=f"question {place}",
        ply=ply,
        names=(game.row["player1"] or "Player 1", game.row["player2"] or "Player 2"),
        in_url=False,
        choices=position.legal_moves(),
        on_move=lambda move: try_move(place, move),
        continuation=continuation,
    )


def describe_task(fact: dict[str, Any]) -> str:
    """Return the task without its answer, as a sentence.

    >>> describe_task({"mover": 2, "missed": True, "forced": 5, "kept": False})
    'Player 2 has a forced win here. Find a move that keeps it.'
    """
    if has_missed(fact):
        return f"Player {fact['mover']} has a forced win here. Find a move that keeps it."
    return f"Player {fact['mover']} is to move. Find a move after which the opponent has no forced win."


def describe_solution(fact: dict[str, Any], continuation: Continuation | None) -> str:
    """Return the answer, and the move that was played in the game. continuation: the line, None if it was not found."""
    played = f"In the game {fact['notation']} was played."
    if has_missed(fact):
        line = "" if continuation else " Its line was not found again within the limits of this page."
        return f"The forced win takes {format_count(fact['forced'], 'ply', 'plies')}.{line} {played}"
    return f"After {fact['better']} no forced win of the opponent was found. {played}"


def describe_judgement(judgement: Judgement, fact: dict[str, Any]) -> tuple[str, bool]:
    """Return what is said about a tried move, and whether it answers the question."""
    is_safe = judgement.allows is None and judgement.keeps is not False
    is_right = judgement.keeps is True if has_missed(fact) else is_safe
    if is_right and judgement.forced is None:
        within = f"{format_count(judgement.depth, 'ply', 'plies')} and {format_count(judgement.nodes, 'position')}"
        return f"{judgement.move}: no forced win of the opponent was found within {within}.", True
    return judgement.verdict, is_right


def build_solution(fact: dict[str, Any], judgement: Judgement | None) -> Continuation | None:
    """Return the solution as a line: the forced win, else the better move alone. judgement: of the move that was played."""
    if has_missed(fact):
        return Continuation(judgement.line, "Solution") if judgement and judgement.line else None
    return Continuation([fact["better"]], "Solution")


def try_move(place: str, move: str) -> None:
    """Note the move that the visitor tries; for callbacks."""
    st.session_state[f"{TRIED_KEY} {place}"] = move
    st.session_state.pop(f"{SOLUTION_KEY} {place}", None)


def show_solution(place: str) -> None:
    """Note that the visitor wants to see the solution; for callbacks."""
    st.session_state[f"{SOLUTION_KEY} {place}"] = True


def _judge(position: str, move: str | None, fact: dict[str, Any]) -> Judgement | None:
    """Return the judgement of a move, None without one or if the work exceeds its limits."""
    if move is None:
        return None
    depth = min(MAX_DEPTH, max(DEPTH, fact["forced"] or 0))
    key = ("judgement", position, move, depth)
    try:
        compile_all()
        question = ask_judgement(position, move, depth, MAX_NODES)
        return cache_in_session(key, JUDGING, judge, question, remedy=REMEDY)
    except WorkLimitExceeded as error:
        st.error(escape_markdown(error), icon=":material/error:")
        return None


def _show_judgement(judgement: Judgement | None, fact: dict[str, Any]) -> Continuation | None:
    """Show what is said about a tried move; return it as a line, with the opponent's forced win. Nothing without a move."""
    if judgement is None:
        return None
    words, is_right = describe_judgement(judgement, fact)
    show = st.success if is_right else st.warning
    show(escape_markdown(words), icon=":material/check:" if is_right else ":material/close:")
    return Continuation([judgement.move, *judgement.reply], "Your move")


def _show_ways(place: str, questions: Sequence[int], number: int) -> None:
    """Draw the buttons: solution, next question, back to the game."""
    last = number == len(questions) - 1
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Show solution", key="show solution", icon=":material/lightbulb:", on_click=show_solution, args=(place,)
        )
        st.button(
            "Next",
            key="next question",
            icon=":material/skip_next:",
            disabled=last,
            on_click=open_question,
            args=(None if last else questions[number + 1],),
        )
        st.button(
            "Back to the game", key="leave questions", icon=":material/close:", on_click=open_question, args=(None,)
        )
        st.caption(f"Position {number + 1} of {len(questions)}")
