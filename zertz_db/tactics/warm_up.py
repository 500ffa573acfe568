"""Compile or load everything that searches and values: solver, judgements of plies, win chances."""

from __future__ import annotations

from functools import cache

from zertz_db.tactics import bounded_search
from zertz_db.tactics.bounded_judgement import ask_judgement, judge


@cache
def warm_up_all() -> None:
    """Call each compiled function once: 40 seconds the first time on a machine, three in each other process."""
    # numpy takes a tenth of a second: only the process that searches needs it
    from zertz_db.tactics.win_chance import win_chance

    bounded_search.warm_up()
    question = ask_judgement(bounded_search.SAMPLE, bounded_search.SAMPLE_MOVE, 3)
    judge(question)
    win_chance(question.position, depth=3)
