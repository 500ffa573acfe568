"""The review on the page of a game: its parts as tables, and the page run without a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.dashboards.conftest import Boards
from tests.dashboards.opened_pages import html, opened, ran, texts
from tests.queries.sample import record
from tests.queries.tactics.test_review import NOTHING
from tests.reviewed import MOVES, START, build_reviewed
from tests.tactics.test_hostile import large_board
from zertz_db.dashboards.components.board_frames import Comment
from zertz_db.dashboards.sections.review import board_marks, missed_moves, sentences, summary
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.result import Column, Result
from zertz_db.queries.tactics.marks import MINUS, Mark, PlyMark
from zertz_db.queries.tactics.review import Review
from zertz_db.rules.position import Position
from zertz_db.store.open_database import open_database
from zertz_db.tactics import solve
from zertz_db.tactics.bounded_judgement import ask_judgement, judge
from zertz_db.tactics.win_chance.course import CourseChances

ANALYSIS = {
    "solver": 1, "depth": 5, "nodes": 1000, "skipped": None,
    "accuracy1": 81.26, "accuracy2": None, "rated1": 12, "rated2": 3,
}  # fmt: skip
NAMES = ("ply", "mover", "notation", "free", "sacrifice", *NOTHING, "remarks")


def review(*plies: dict[str, Any], analysis: dict[str, Any] | None = ANALYSIS, **more: Any) -> Review:
    """Return a review of made-up plies by both players in turn."""
    base = {**NOTHING, "free": True, "sacrifice": False, "remarks": None, "notation": "Wd4,a1"}
    rows = [
        tuple({**base, "ply": ply, "mover": 1 + ply % 2, **facts}[name] for name in NAMES)
        for ply, facts in enumerate(plies)
    ]
    return Review("3T7K0V9QZ4M1A", analysis, Result(tuple(Column(name, "") for name in NAMES), rows), **more)


MISS = {"forced": 5, "kept": False, "missed": True}
BLUNDER = {"blunder": 3, "better": "Bd3,a1"}


@pytest.mark.parametrize(
    ("share", "is_proven", "words"),
    [
        (1.0, True, "Ply 2: player 1 wins by force"),
        (0.0, True, "Ply 2: player 2 wins by force"),
        (0.5, True, "Ply 2: neither player wins"),
        (0.5, False, "Ply 2: 50 %, estimated"),
        (0.634, False, "Ply 2: 63 %, estimated"),
        (0.998, False, "Ply 2: 99 %, estimated"),
        (0.002, False, "Ply 2: 1 %, estimated"),
    ],
)
def test_a_win_chance_in_words(share: float, is_proven: bool, words: str) -> None:
    assert board_marks.describe_chance(2, share, is_proven) == words


def test_the_chart_has_a_column_for_each_position_and_a_flag_after_each_error() -> None:
    chances = CourseChances((0.5, 1.0, 0.25), (False, True, False), (0.0, 75.0))
    chart = board_marks.build_chart(review({}, MISS, chances=chances))
    assert chart is not None
    rows = [(one.share, one.proven, one.mark) for one in chart.columns]
    assert rows == [(0.5, False, ""), (1.0, True, ""), (0.25, False, "missed")]
    assert board_marks.build_chart(review({}, MISS)) is None


def test_the_legend_explains_the_marks_that_are_there_and_stops_leave_small_ones_out() -> None:
    marks = [
        [PlyMark(mark, "", "")]
        for mark in (Mark.SACRIFICE, Mark.INACCURACY, Mark.MISTAKE, Mark.ONLY_MOVE, Mark.BLUNDER)
    ]
    assert [one.kind for one in board_marks.build_legend(marks)] == [
        "blunder", "only-move", "sacrifice", "mistake", "inaccuracy",
    ]  # fmt: skip
    assert board_marks.build_legend(marks)[-1].sign == f"{MINUS}5"
    assert board_marks.list_stops(marks) == [3, 5]
    assert board_marks.build_legend([[]]) == []


START_POSITION = Position.parse(START)
OPEN = Position.start("37")


@pytest.mark.parametrize(
    ("reviewed", "ply", "comments"),
    [
        (review({}), 0, [Comment("No forced win found within 5 plies and 1,000 nodes a position.")]),
        (
            review({"forced": 5}),
            0,
            [Comment("Player 1 can force a win in 5 plies.", "forced", "Show", "show")],
        ),
        (
            review({"forced": 5, "kept": True}, {}),
            1,
            [Comment("Player 1 has a forced win, whatever player 2 plays.", "forced")],
        ),
        (
            review({"lost": True}),
            0,
            [Comment("Player 2 has a forced win, whatever player 1 plays.", "forced")],
        ),
        (
            review(MISS, {}),
            1,
            [
                Comment(
                    "Wd4,a1: Missed win: let a forced win in 5 plies go.", "proven", "Show the missed win", "missed"
                ),
                Comment("No forced win found within 5 plies and 1,000 nodes a position."),
            ],
        ),
        (
            review(BLUNDER, {"forced": 3}),
            1,
            [
                Comment("Wd4,a1: Blunder: allows a forced win in 3 plies; none was found after Bd3,a1.", "proven"),
                Comment("Player 2 can force a win in 3 plies.", "forced", "Show", "show"),
            ],
        ),
        (
            review({}, analysis=None),
            0,
            [Comment("Not searched for forced wins.", "", "Search this position", "search")],
        ),
        (
            review({}, chances=CourseChances((0.3, 0.4), (False, False), (0.0,))),
            0,
            [
                Comment("No forced win found within 5 plies and 1,000 nodes a position."),
                Comment("Estimate: player 2 wins 70 % of the games from such a position.", "estimated"),
            ],
        ),
        (
            review({"sacrifice": True}, {}, chances=CourseChances((0.6, 0.48, 1), (False, False, True), (12.0, 0.0))),
            1,
            [
                Comment("Wd4,a1: Estimated mistake: the win chance of the player fell from 60 % to 48 %.", "estimated"),
                Comment("No forced win found within 5 plies and 1,000 nodes a position."),
                Comment("Estimate: player 2 wins 52 % of the games from such a position.", "estimated"),
            ],
        ),
    ],
)
def test_the_comments_on_a_position(reviewed: Review, ply: int, comments: list[Comment]) -> None:
    course = [OPEN, OPEN.play("Wd4,a1"), OPEN.play("Wd4,a1").play("Wd3,a2")][: len(reviewed.plies.rows) + 1]
    assert sentences.list_comments(reviewed, course, {})[ply] == comments


@pytest.mark.parametrize(
    ("position", "depth", "sentence"),
    [
        (START_POSITION, 5, "Player 2 can force 2each in 3 plies."),
        (START_POSITION, 1, "None found within 1 ply and 1,000 positions, searched completely."),
    ],
)
def test_a_search_of_the_session_replaces_the_stored_sentence(position: Position, depth: int, sentence: str) -> None:
    found = sentences.list_comments(review({}), [position, OPEN], {0: solve(position, depth, 1000)})
    assert found[0] == [Comment(sentence, "forced")]


def test_the_counts_of_both_players_and_dashes_where_they_are_unknown() -> None:
    rows = summary.build_summary(review(MISS, {"forced": 3, "kept": True, "only_move": True}, BLUNDER))
    assert [(row.label, row.first, row.second) for row in rows] == [
        ("Missed wins", "1", "0"),
        ("Missed wins in 1", "0", "0"),
        ("Blunders", "1", "0"),
        ("Only moves found", "0 of 0", "1 of 1"),
        ("Serious mistakes", "–", "–"),
        ("Mistakes", "–", "–"),
        ("Inaccuracies", "–", "–"),
        ("Accuracy", "81 % of 12 free moves", "– (3 free moves: too few)"),
    ]
    unknown = summary.build_summary(review(MISS, analysis=None))
    assert {value for row in unknown for value in (row.first, row.second)} == {"–"}
    table = summary.write_table(rows, ["<b>", "Ben"])
    assert "<b>" not in table
    assert '<span title="&lt;b&gt;">&lt;b&gt;</span>' in table


def test_a_tried_move_is_right_if_it_keeps_the_win_or_allows_none() -> None:
    missed = {**NOTHING, **MISS, "forced": 3}
    wrong = missed_moves.describe_judgement(judge(ask_judgement(START, MOVES[0], 5, 1000)), missed)
    assert wrong == (
        f"{MOVES[0]} lets the forced win in 3 plies go and allows the opponent a forced win in 3 plies.",
        False,
    )
    right = missed_moves.describe_judgement(judge(ask_judgement(START, "Bd6,a1", 5, 1000)), missed)
    assert right == ("Bd6,a1 keeps the forced win in 3 plies.", True)
    safe = missed_moves.describe_judgement(judge(ask_judgement(OPEN, "Wd4,d1", 3, 1000)), {**NOTHING, **BLUNDER})
    assert safe == ("Wd4,d1: no forced win of the opponent was found within 3 plies and 1,000 positions.", True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_reviewed(tmp_path_factory.mktemp("reviewed"))


@pytest.fixture
def ids(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("ZERTZ_DB", str(folder))
    with open_database(folder) as database:
        return dict(list_games(database, columns=["event", "id"]).rows)


def test_an_analysed_game_is_reviewed_and_a_line_is_shown_on_demand(boards: Boards, ids: dict[str, str]) -> None:
    app = opened("game.py", id=ids["reviewed"], ply="1")
    given = boards.given
    assert [one["proven"] for one in given["chart"]["columns"]] == [True] * 5
    assert [badge["kind"] for badge in given["moves"][0]["badges"]] == ["missed", "blunder"]
    assert given["stops"] == [1]
    assert given["line"] is None
    assert "<td>0</td><td>1</td>" in html(app)
    boards.answers = {"act": "1 missed"}
    ran(app)
    line = boards.given["line"]
    assert (line["title"], line["ply"], line["at"], len(line["plies"])) == ("Missed win: 2each", 0, 1, 3)


def test_a_game_without_an_analysis_is_analysed_for_the_session(boards: Boards, ids: dict[str, str]) -> None:
    app = opened("game.py", id=ids["plain"], ply="0")
    assert boards.given["chart"] is not None
    assert boards.given["moves"][0]["badges"] == []
    assert f"run zertz analyse id:{ids['plain']}" in texts(app).replace("\\", "")
    app.button("analyse game").click()
    ran(app)
    assert [badge["kind"] for badge in boards.given["moves"][0]["badges"]] == ["missed", "blunder"]
    assert "Analysed for this session" in texts(app)


LARGE = f"custom standard {large_board(lambda _: 'o')} 6/8/10 0/0/0 0/0/0 1"


@pytest.mark.parametrize(
    ("tags", "unvalued", "unsearched"),
    [
        (
            {"Board": "37", "RuleSet": "standard+written"},
            "No win chances: written claims can't be searched",
            "games with written claims can't be searched",
        ),
        (
            {"SetUp": "1", "Position": LARGE},
            "No win chances: a win chance is known for boards of up to 63 rings",
            "boards of more than 63 rings can't be searched",
        ),
    ],
)
def test_a_game_that_can_t_be_searched_says_why(
    boards: Boards,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    tags: dict[str, str],
    unvalued: str,
    unsearched: str,
) -> None:
    start = Position.parse(LARGE) if "Position" in tags else OPEN
    move = start.notation(start.legal_moves()[0])
    (tmp_path / "game.txt").write_text(record("w", "A", "B", "2014", f"{move} *", **tags))
    import_paths([tmp_path / "game.txt"], tmp_path / "db")
    monkeypatch.setenv("ZERTZ_DB", str(tmp_path / "db"))
    with open_database(tmp_path / "db") as database:
        ((game,),) = list_games(database, columns=["id"]).rows
    app = opened("game.py", id=game)
    assert boards.given["chart"] is None
    shown = texts(app).replace("\\", "")
    assert unvalued in shown
    assert unsearched in shown
    assert not any(button.key == "analyse game" for button in app.button)
    assert "<table" not in html(app)


def test_a_question_hides_the_game_and_judges_a_move(boards: Boards, ids: dict[str, str]) -> None:
    app = opened("game.py", id=ids["reviewed"])
    app.button("what did i miss").click()
    ran(app)
    assert "Player 2 has a forced win here. Find a move that keeps it." in texts(app).replace("\\", "")
    given = boards.given
    assert (len(given["frames"]), given["chart"], given["comments"], given["moves"]) == (1, None, None, [])
    boards.answers = {"move": MOVES[0]}
    ran(app)
    assert "lets the forced win in 3 plies go" in app.warning[0].value.replace("\\", "")
    assert boards.given["line"]["plies"][0]["text"] == MOVES[0]
    boards.answers = {"move": "Bd6,a1"}
    ran(app)
    assert "keeps the forced win in 3 plies" in app.success[0].value
    app.button("show solution").click()
    ran(app)
    assert f"In the game {MOVES[0]} was played" in app.info[0].value.replace("\\", "")
    assert boards.given["line"]["plies"][0]["text"].startswith("Bd6")
    app.button("leave questions").click()
    ran(app)
    assert boards.given["chart"] is not None
