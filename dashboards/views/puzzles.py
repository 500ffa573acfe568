"""Page of puzzles: forced wins of the analysed games to find on the board. The solver answers for the defender.

The URL has the puzzle and the moves made, so a puzzle can be shared and reloaded. Which puzzles were seen, and the visitor's rating, last
as long as the session; with `--allow-import` attempts are stored in the database.
"""

from __future__ import annotations

import getpass
from collections.abc import Sequence

import streamlit as st

from zertz_db.dashboards.components import location
from zertz_db.dashboards.components.board import Line, show_replay
from zertz_db.dashboards.sections.forced_win import COMPILE_SECONDS, COMPILING
from zertz_db.dashboards.sections.puzzle_choice import choose_selection, find_next
from zertz_db.dashboards.state.bounded_work import WorkLimitExceeded
from zertz_db.dashboards.state.database import get_database, get_folder, is_writable
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.puzzle_progress import (
    add_seen,
    begin_rating,
    end_try,
    get_current,
    get_progress,
    get_rating,
    set_current,
)
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.dashboards.state.session_work import cache_in_session
from zertz_db.dashboards.state.write_tokens import guard_callback
from zertz_db.edit.attempts import add_attempt
from zertz_db.errors import UserMistake, ZertzError
from zertz_db.plurals import format_count
from zertz_db.queries.errors import QueryError
from zertz_db.queries.openings.line import PlayedLine, play_line
from zertz_db.queries.puzzles.attempts import ESTIMATED, PuzzleRatings, Rated, rate_stored_attempts
from zertz_db.queries.puzzles.one_puzzle import Puzzle, find_puzzle
from zertz_db.queries.puzzles.selection import Selection
from zertz_db.rules.rule_sets import NAMES
from zertz_db.rules.svg.move_marks import trace
from zertz_db.tactics.bounded_search import warm_up
from zertz_db.tactics.puzzles.judge import Judgement, Verdict, ask_try, find_hint, judge_try
from zertz_db.tactics.puzzles.themes import THEMES

BOARD = "puzzle board"
REMEDY = "Try again later."
HELP = (
    "Find the win on the board: pick a colour, click the ring for the marble, then the ring to remove; or click a marble and where it "
    "jumps. The defender answers with the move that delays the win most. Any move that keeps the win is accepted. "
    "Tab and Enter choose rings; arrow keys step through the moves; N shows the next puzzle."
)


def show_page() -> None:
    """Draw the page."""
    st.title("Puzzles")
    selection, level = choose_selection(guard_callback(leave_for_choice) if is_writable() else leave_for_choice)
    ratings = rate_stored_attempts(get_database())
    begin_rating(ratings.solvers.get(getpass.getuser()) if is_writable() else None)
    try:
        puzzle = open_puzzle(selection, level, ratings)
    except QueryError as error:
        st.error(escape_markdown(error), icon=":material/error:")
        st.button(
            "Next puzzle",
            key="next puzzle",
            icon=":material/skip_next:",
            on_click=leave,
            args=(location.get_value("id"),),
        )
        return
    if puzzle is None:
        return
    set_current(puzzle.id)
    try:
        line = play_line(puzzle.position, location.get_value("moves"))
    except QueryError:  # the puzzle is shown in another orientation since a game was added, or the URL was edited
        location.set_values(moves=None)
        line = []
    show_puzzle(puzzle, line, ratings.puzzles.get(puzzle.id) or Rated(puzzle.difficulty, ESTIMATED))


def open_puzzle(selection: Selection, level: str, ratings: PuzzleRatings) -> Puzzle | None:
    """Return the puzzle that the URL names, or the one that the visitor has not left, or else the next one.

    QueryError; None if there is none, which is reported.
    """
    named = location.get_value("id")
    if named:
        return run_query(find_puzzle, named)
    current = get_current()
    found = run_query(find_puzzle, current) if current else find_next(selection, level, ratings.difficulties())
    if found:
        location.set_values(id=found.id)
    return found


def show_puzzle(puzzle: Puzzle, line: Sequence[PlayedLine], rated: Rated) -> None:
    """Show a puzzle after some moves: judge the visitor's last one, and answer it."""
    progress = get_progress(puzzle.id)
    if len(line) != len(puzzle.line):  # a link leads to the puzzle again
        progress.is_shown = False
    above = st.container()
    judged = None
    if len(line) % 2 and not progress.is_shown:
        judged = judge(puzzle, [one.notation for one in line])
        if judged and judged.reply:
            line = play_line(puzzle.position, [*(one.notation for one in line), judged.reply])
            location.set_values(moves=" ".join(one.notation for one in line))
        if judged:
            rate_try(puzzle.id, rated, judged, len(line))
    final = line[-1].after if line else puzzle.position
    is_open = not final.is_over and not progress.is_shown and (judged is None or judged.goes_on)
    moves = [one.notation for one in line]
    if judged:
        progress.judged = moves, judged
    with above:
        show_task(puzzle, rated)
        show_feedback(progress.recall(moves))
        show_tools(puzzle, rated, line, is_open=is_open)
    show_replay(
        [puzzle.position, *(one.after for one in line)],
        [Line(one.before.side, one.notation) for one in line],
        key=f"{BOARD} {puzzle.id}",
        ply=1 if progress.is_shown else len(line),
        names=("You", "Defender") if puzzle.position.side == 1 else ("Defender", "You"),
        in_url=False,
        choices=final.legal_moves() if is_open else None,
        on_move=lambda move: add_move(puzzle.id, moves, move),
    )
    if progress.is_solved is not None:
        show_source(puzzle)
    st.caption(HELP)


def rate_try(puzzle: str, rated: Rated, judged: Judgement, made: int) -> None:
    """Note a solved puzzle whose moves were all clicked in this session, and a move that lets the win go; a URL with moves is no try."""
    clicked = get_progress(puzzle).clicked
    if judged.is_solved and 2 * clicked > made:
        end_try(puzzle, rated, solved=True)
    elif judged.verdict == Verdict.LETS_GO and clicked:
        end_try(puzzle, rated, solved=False)


def judge(puzzle: Puzzle, moves: Sequence[str]) -> Judgement | None:
    """Return the judgement of the last move, searched in a process of its own; None if that fails, which is reported."""
    try:
        question = ask_try(puzzle.position, puzzle.length, moves)
        cache_in_session(("compiled search",), COMPILING, warm_up, seconds=COMPILE_SECONDS, remedy=REMEDY)
        return cache_in_session(
            ("try", puzzle.id, *moves), "The defender is thinking …", judge_try, question, remedy=REMEDY
        )
    except (UserMistake, WorkLimitExceeded) as error:
        st.error(escape_markdown(error), icon=":material/error:")
        return None


def show_task(puzzle: Puzzle, rated: Rated) -> None:
    """Show who is to move, within how many plies the win is, and the ratings of puzzle and visitor."""
    mine = get_rating()
    own = f" Your rating: {mine.rating:.0f} after {format_count(mine.attempts, 'puzzle')}." if mine.attempts else ""
    st.markdown(
        f"**Player {puzzle.position.side} to move: win by force within {puzzle.length} plies.** "
        f":gray[Grade {escape_markdown(puzzle.grade)}, difficulty {rated.rating:.0f}.{own}]"
    )


def show_feedback(judged: Judgement | None) -> None:
    """Show what the last try did."""
    if judged is None:
        return
    played = escape_markdown(trace(judged.move))
    if judged.is_solved:
        st.success(f"{played}: solved!", icon=":material/check_circle:")
    elif judged.goes_on:
        longer = "" if judged.verdict == Verdict.SHORTEST else " It wins, though not as fast as possible."
        reply = f" The defender: {escape_markdown(trace(judged.reply))}." if judged.reply else ""
        left = f" Win within {format_count(judged.plies - 2, 'ply', 'plies')}." if judged.plies else ""
        st.info(f"{played} is right.{longer}{reply}{left}", icon=":material/thumb_up:")
    elif judged.verdict == Verdict.LETS_GO:
        why = (
            f" The defender escapes: {escape_markdown(trace(judged.escapes[0]))}."
            if judged.escapes
            else " It leaves the defender no compulsory capture."
        )
        st.warning(f"{played}: no forced win was found after this.{why}", icon=":material/cancel:")
    elif judged.verdict == Verdict.GONE:
        st.warning("An earlier move has let the win go.", icon=":material/cancel:")
    else:
        st.warning(f"{played}: the search was too short to decide. Try another move.", icon=":material/help:")


def show_tools(puzzle: Puzzle, rated: Rated, line: Sequence[PlayedLine], *, is_open: bool) -> None:
    """Draw the buttons, and the hint."""
    progress = get_progress(puzzle.id)
    moves = [one.notation for one in line]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Next puzzle",
            icon=":material/skip_next:",
            key="next puzzle",
            type="primary" if progress.is_solved is not None else "secondary",
            shortcut="n",
            on_click=guard_callback(store_and_leave) if must_store(puzzle.id) else skip,
            args=(puzzle.id,),
        )
        if moves:
            back = moves[:-1] if len(moves) % 2 else moves[:-2]
            label = "Start again" if progress.is_shown else "Undo"
            to = [] if progress.is_shown else back
            st.button(label, icon=":material/undo:", key="undo", on_click=undo_moves, args=(puzzle.id, to))
        if is_open:
            st.button(
                "Hint" if not progress.hints.get(len(moves)) else "Another hint",
                icon=":material/lightbulb:",
                key="hint",
                disabled=progress.hints.get(len(moves), 0) > 1,
                on_click=take_hint,
                args=(puzzle.id, rated, len(moves)),
            )
        if not progress.is_shown:
            st.button(
                "Show the solution",
                icon=":material/visibility:",
                key="solution",
                on_click=show_solution,
                args=(puzzle.id, rated, puzzle.line),
            )
    if is_open and progress.hints.get(len(moves)):
        show_hint(puzzle, line, progress.hints[len(moves)])


def show_hint(puzzle: Puzzle, line: Sequence[PlayedLine], level: int) -> None:
    """Show where the next move is, and at the second level its colour, or for a capture its way."""
    rings: tuple[str, ...]
    if not line:
        rings, colours, first = (puzzle.ring,), puzzle.colours, puzzle.line[0]
    else:
        key = ("hint", puzzle.id, *(one.notation for one in line))
        try:
            found = cache_in_session(key, "Searching …", find_hint, line[-1].after, puzzle.length + 4, remedy=REMEDY)
        except WorkLimitExceeded as error:
            st.error(escape_markdown(error), icon=":material/error:")
            return
        if found is None:
            st.info("No forced win is found here any more.", icon=":material/lightbulb:")
            return
        rings, colours, first = found.rings, found.colours, found.line[0]
    where = " or ".join(rings)
    if first.startswith("x "):
        text = f"Capture with the marble on {where}." if level < 2 else f"{trace(first)}."
    else:
        text = f"Place a marble on {where}."
        if level > 1:
            text = f"Place {' or '.join(NAMES[colour] for colour in colours)} on {where}."
    st.info(escape_markdown(text), icon=":material/lightbulb:")


def show_source(puzzle: Puzzle) -> None:
    """Show the game that the puzzle is from, its themes, and what was played."""
    names = " against ".join(escape_markdown(name or "?") for name in (puzzle.player, puzzle.opponent))
    outcome = "let the win go" if puzzle.missed else "kept the win"
    date = f", {escape_markdown(puzzle.date)}" if puzzle.date else ""
    st.markdown(f"From {names}{date}. The move of the game {outcome}: {escape_markdown(trace(puzzle.played))}.")
    st.caption(escape_markdown(f"Themes: {'; '.join(f'{theme} ({THEMES[theme]})' for theme in puzzle.themes)}."))
    if st.button("Open the game at this ply", key="open game", icon=":material/hexagon:"):
        location.open_page("game", {"id": puzzle.game, "ply": str(puzzle.ply)})


def add_move(puzzle: str, moves: Sequence[str], move: str) -> None:
    """Append the clicked move to these, if the puzzle is still at them: a second click may come late."""
    if location.get_value("id") == puzzle and location.get_value("moves") == " ".join(moves):
        get_progress(puzzle).clicked += 1
        location.set_values(moves=" ".join([*moves, move]))


def undo_moves(puzzle: str, moves: Sequence[str]) -> None:
    """Return to an earlier position of the puzzle."""
    get_progress(puzzle).is_shown = False
    location.set_values(moves=" ".join(moves))


def take_hint(puzzle: str, rated: Rated, made: int) -> None:
    """Show one hint more at this position: the puzzle then does not count as solved."""
    hints = get_progress(puzzle).hints
    hints[made] = hints.get(made, 0) + 1
    end_try(puzzle, rated, solved=False)


def show_solution(puzzle: str, rated: Rated, line: Sequence[str]) -> None:
    """Show the solution on the board: the puzzle then does not count as solved."""
    end_try(puzzle, rated, solved=False)
    get_progress(puzzle).is_shown = True
    location.set_values(moves=" ".join(line))


def leave(puzzle: str) -> None:
    """Leave the puzzle for another one."""
    if location.get_value("id") == puzzle:
        set_current(None)
        location.set_values(id=None, moves=None)


def skip(puzzle: str) -> None:
    """Leave the puzzle, and don't show it again."""
    if location.get_value("id") == puzzle:
        add_seen(puzzle)
        leave(puzzle)


def leave_for_choice() -> None:
    """Leave the puzzle that is shown, because the visitor chose others; store the attempt if there was one."""
    store_and_leave(location.get_value("id"))


def must_store(puzzle: str) -> bool:
    """Return whether the database should get the attempt at this puzzle."""
    progress = get_progress(puzzle)
    return is_writable() and progress.is_solved is not None and not progress.is_stored


def store_and_leave(puzzle: str) -> None:
    """Store the attempt in the database if there was one, and leave the puzzle."""
    progress = get_progress(puzzle)
    if must_store(puzzle):
        try:
            add_attempt(get_folder(), puzzle, getpass.getuser(), solved=bool(progress.is_solved))
            progress.is_stored = True
        except ZertzError as error:
            st.toast(escape_markdown(error), icon=":material/error:")
    leave(puzzle)


show_page()
