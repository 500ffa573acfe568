"""The review of the game on a page: stored, or analysed for the session; with win chances and lines as soon as they are known.

Each part is computed in a bounded process after the page was drawn; then the page is drawn again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from zertz_db.dashboards.components.board_frames import Continuation
from zertz_db.dashboards.sections.forced_win import COMPILE_SECONDS, COMPILING, NODES, REMEDY
from zertz_db.dashboards.sections.review.sentences import SHOW_MISSED, list_sets
from zertz_db.dashboards.state.bounded_work import WorkLimitExceeded
from zertz_db.dashboards.state.database import get_database
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import get_database_state, run_query
from zertz_db.dashboards.state.session_work import cache_in_session, is_cached, read_cached
from zertz_db.errors import UserMistake
from zertz_db.maintain.analysis.game_search import Findings, Limits, find_obstacle, search_games
from zertz_db.maintain.analysis.game_states import GameStates
from zertz_db.queries.games.one_game import Game
from zertz_db.queries.result import Result
from zertz_db.queries.tactics.review import Review, build_review, review_game, value_review
from zertz_db.rules.position import Position
from zertz_db.store.ids import from_text
from zertz_db.tactics.bounded_search import DEPTH, MAX_DEPTH, MAX_NODES, Question, answer, ask
from zertz_db.tactics.solver import Solution
from zertz_db.tactics.warm_up import warm_up_all

ANALYSE = "Analyse this game"
ANALYSING, VALUING, SEARCHING = "Analysing the game …", "Computing win chances …", "Searching …"
FAILURE = "A part of the review failed ({}). The terminal where the dashboard was started has the details."
FAILURES_KEY = "what a review could not compute"
"""Session state: messages by the key of the work."""
WANTED_KEY = "work that a review waits for"
"""Session state: the ply and the offer that the visitor accepted, by game."""

Key = tuple[Any, ...]


def get_review(game: Game) -> Review:
    """Return what is known about the game now: the stored analysis, or the session's; and win chances if they are computed."""
    review = _get_analysed(game)
    valued: Review | None = read_cached(_chances_key(game, review))
    return valued or review


def _get_analysed(game: Game) -> Review:
    stored: Review = run_query(review_game, game.id)
    obstacle = find_obstacle(game.positions[0])
    if stored.analysis is None and obstacle:
        return replace(stored, analysis={"skipped": obstacle})
    if stored.problem is None:
        return stored
    found: Findings | None = read_cached(_analysis_key(game))
    if found is None:
        return stored
    plies = stored.plies.names.index("sacrifice") + 1
    base = Result(stored.plies.columns[:plies], [row[:plies] for row in stored.plies.rows])
    analysis = {
        "skipped": None,
        "accuracy1": None,
        "accuracy2": None,
        "rated1": None,
        "rated2": None,
        **found.analyses[0],
    }
    analysis.pop("game", None)
    return build_review(game.id, base, analysis, found.tactics, stored.plies.columns)


def is_live(game: Game, review: Review) -> bool:
    """Return whether the analysis is the session's."""
    return (
        review.problem is None
        and is_cached(_analysis_key(game))
        and run_query(review_game, game.id).problem is not None
    )


def want_analysis(game_id: str) -> None:
    """Note that the visitor wants an analysis of this game; for callbacks."""
    _get_wanted()[game_id] = (-1, ANALYSE)


def want_line(game_id: str, accepted: str) -> None:
    """Note the ply and the offer that the visitor accepted; for callbacks."""
    ply, _, offer = accepted.partition(" ")
    _get_wanted()[game_id] = (int(ply), offer)


def get_searched(game: Game, review: Review) -> dict[int, Solution]:
    """Return the solutions that the session knows, by ply."""
    forced = _list_forced(review)
    answers = {ply: read_cached(_search_key(forced[ply], position)) for ply, position in enumerate(game.positions)}
    return {ply: found.solution for ply, found in answers.items() if found is not None}


def get_continuation(game: Game, searched: dict[int, Solution]) -> Continuation | None:
    """Return the line that the visitor asked for last, if it is found; the board offers it where it came."""
    ply, offer = _get_wanted().get(game.id, (None, ""))
    if ply is None or offer == ANALYSE:
        return None
    start = ply - 1 if offer == SHOW_MISSED else ply
    solution = searched.get(start)
    if solution is None or not solution.forced:
        return None
    position = game.positions[start]
    name = "Missed win" if offer == SHOW_MISSED else "Forced win"
    sets = list_sets(position, solution)
    return Continuation(solution.line, f"{name}{': ' if sets else ''}{sets}", ply=start, offered_at=ply)


def finish(game: Game, review: Review) -> None:
    """Compute what the page lacks, one thing after the other, and draw it again after each."""
    wanted_ply, offer = _get_wanted().get(game.id, (None, ""))
    if offer == ANALYSE and _is_missing(_analysis_key(game)):
        _work(_analysis_key(game), ANALYSING, search_games, build_states(game, review), Limits())
    if wanted_ply is not None and offer != ANALYSE:
        start = wanted_ply - 1 if offer == SHOW_MISSED else wanted_ply
        _search(game, review, start)
    if review.chances is None and review.unvalued is None:
        _work(_chances_key(game, review), VALUING, value_review, review, game.positions)


def _search(game: Game, review: Review, ply: int) -> None:
    if not 0 <= ply < len(game.positions):
        return
    position, forced = game.positions[ply], _list_forced(review)[ply]
    key = _search_key(forced, position)
    if _is_missing(key):
        try:
            question = _ask(forced, position)
        except UserMistake as error:
            _get_failures()[key] = f"It can't be searched: {error}."
            return
        _work(key, SEARCHING, answer, question)


def _ask(forced: int | None, position: Position) -> Question:
    """Return the question about a position: to the depth of the forced win that the analysis found, or to that of the page."""
    return ask(position, min(forced, MAX_DEPTH) if forced else DEPTH, MAX_NODES if forced else NODES)


def _list_forced(review: Review) -> list[int | None]:
    """Return the plies of the forced win in each position of the game, None where none was found."""
    return [*(ply["forced"] for ply in review.plies.dicts()), None]


def build_states(game: Game, review: Review) -> GameStates:
    """Return the game as the search takes it."""
    positions = game.positions
    is_free = [*(bool(ply["free"]) for ply in review.plies.dicts()), False]
    states = np.array([position.state for position in positions], np.int64)
    return GameStates(positions[0].text, [from_text(game.id)], [len(positions)], states, np.array(is_free))


def show_failures() -> None:
    """Show what could not be computed, and why."""
    for message in dict.fromkeys(_get_failures().values()):
        st.caption(escape_markdown(message))


def _work(key: Key, caption: str, work: Callable[..., Any], *values: Any) -> None:
    """Do bounded work once, and draw the page again; note why it failed."""
    if not _is_missing(key):
        return
    try:
        compile_all()
        cache_in_session(key, caption, work, *values, remedy=REMEDY)
    except WorkLimitExceeded as error:
        _get_failures()[key] = str(error)
    except Exception as error:  # the visitor did not ask for it: the rest of the page stays
        logging.getLogger(__name__).exception("a part of a review failed")
        _get_failures()[key] = FAILURE.format(type(error).__name__)
    draw_again()


def compile_all() -> None:
    """Compile or load the search and the win chances, once in a session. Raises WorkLimitExceeded."""
    cache_in_session(("compiled review",), COMPILING, warm_up_all, seconds=COMPILE_SECONDS, remedy=REMEDY)


def draw_again() -> None:
    """Run the page again: only the fragment if only that runs."""
    context = get_script_run_ctx()
    st.rerun(scope="fragment" if context and context.fragment_ids_this_run else "app")


def _is_missing(key: Key) -> bool:
    return not is_cached(key) and key not in _get_failures()


def _analysis_key(game: Game) -> Key:
    return ("analysis", get_database_state(get_database()), game.id)


def _chances_key(game: Game, review: Review) -> Key:
    return ("win chances", get_database_state(get_database()), game.id, review.problem)


def _search_key(forced: int | None, position: Position) -> Key:
    return ("line", position.text, forced)


def _get_failures() -> dict[Key, str]:
    found: dict[Key, str] = st.session_state.setdefault(FAILURES_KEY, {})
    return found


def _get_wanted() -> dict[str, tuple[int, str]]:
    found: dict[str, tuple[int, str]] = st.session_state.setdefault(WANTED_KEY, {})
    return found
