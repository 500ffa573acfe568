"""Tries at puzzles: a winning move goes on, the defender delays the win, and a move that lets it go is refuted."""

from __future__ import annotations

import pytest

from zertz_db.rules.position import Position
from zertz_db.tactics import solve
from zertz_db.tactics.limits import LARGEST_DEPTH
from zertz_db.tactics.puzzles import judge
from zertz_db.tactics.puzzles.judge import NODES, PuzzleError, Verdict, ask_try, find_hint, judge_try
from zertz_db.tactics.solver import measure_forced_win

FIVE = Position.parse("37 standard .o.o/.ooo./.ooooo/..oooo./..Booo/..ooo/.... 3/3/2 0/4/5 3/1/2 2")
"""A win in 5 plies: Wd4,a2 and others on d4."""
LINE = ("Wd4,a2", "x e3Wc4", "Wd5,b3", "x c4We5", "Wa4,b4 x Wa4")


def test_the_line_is_followed_to_the_end() -> None:
    moves: list[str] = []
    for plies in (5, 3, 1):
        before = FIVE
        for move in moves:
            before = before.play(move)
        moves.append(solve(before, 5).line[0])
        judged = judge_try(ask_try(FIVE, 5, moves))
        assert (judged.verdict, judged.plies, judged.is_solved) == (Verdict.SHORTEST, plies, plies == 1)
        assert judged.goes_on
        assert (judged.reply is None) == judged.is_solved
        if judged.reply:
            moves.append(judged.reply)
    assert len(moves) == 5


def test_the_defender_delays_the_win_most() -> None:
    """After no reply does the win take longer."""
    judged = judge_try(ask_try(FIVE, 5, [LINE[0]]))
    after = FIVE.play(LINE[0])
    assert judged.reply
    lengths = {reply: solve(after.play(reply), 5).forced for reply in after.legal_moves()}
    assert lengths[after.move(judged.reply)] == max(length or 99 for length in lengths.values()) == 3


@pytest.mark.parametrize("legal", [str(move) for move in FIVE.legal_moves()][::40])
def test_a_try_agrees_with_the_solver(legal: str) -> None:
    """A move wins if the win of its class is among the solver's, and is refuted by a reply that it names."""
    judged = judge_try(ask_try(FIVE, 5, [legal]))
    move = FIVE.move(legal)
    winning = solve(FIVE, 5, slack=4)
    if judged.goes_on:
        assert any((one.kind.colour, one.kind.ring) == (move.colour, move.ring) for one in winning.winning)
    else:
        assert judged.verdict == Verdict.LETS_GO
        assert judged.plies is None
        for escape in judged.escapes:
            escaped = FIVE.play(move).play(escape)
            assert escaped.is_over or solve(escaped, 7).forced is None


def test_after_a_lost_win_nothing_goes_on() -> None:
    quiet = next(move for move in FIVE.legal_moves() if not FIVE.play(move).capture_is_due)
    judged = judge_try(ask_try(FIVE, 5, [str(quiet)]))
    assert (judged.verdict, judged.escapes, judged.reply) == (Verdict.LETS_GO, (), None)
    after = FIVE.play(quiet)
    reply = next(
        reply for reply in after.legal_moves() if not measure_forced_win(after.play(reply), LARGEST_DEPTH, NODES)
    )
    mine = str(after.play(reply).legal_moves()[0])
    assert judge_try(ask_try(FIVE, 5, [str(quiet), str(reply), mine])).verdict == Verdict.GONE


def test_a_try_that_the_limits_do_not_decide_is_not_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NODES", "TOTAL", "MAX_NODES_INTERPRETED"):
        monkeypatch.setattr(judge, name, 1)
    judged = judge_try(ask_try(FIVE, 5, [LINE[0]]))
    assert (judged.verdict, judged.goes_on) == (Verdict.UNDECIDED, False)


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ([], "an odd number of moves"),
        (list(LINE[:2]), "an odd number of moves"),
        (["Wd4,a2"] * 61, "an odd number of moves, at most 59"),
        (["Wd4"], "can't be played from the puzzle"),
        (["x e3Wc4"], "can't be played from the puzzle"),
        ([*LINE, "x a1Wb1", "Wa1"], "can't be played from the puzzle"),
    ],
)
def test_what_is_no_try(moves: list[str], message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        ask_try(FIVE, 5, moves)


def test_hints_are_the_fastest_moves() -> None:
    hint = find_hint(FIVE, 5)
    assert hint is not None
    assert (hint.rings, hint.colours, len(hint.line)) == (("d4",), "W", 5)
    assert find_hint(Position.start("37"), 3) is None
