"""Find forced wins, and judge played moves by them.

>>> from zertz_db.tactics import solve
>>> solve("37 standard ..../...../....../ooWWo../....../...../.... 6/8/10 3/0/0 0/0/0 1").line
('x d3Wd5',)
"""

from zertz_db.tactics.analysis import PlyVerdict, judge_ply, judge_states, solve_states
from zertz_db.tactics.limits import SearchError
from zertz_db.tactics.move_classes import MoveClass, class_of
from zertz_db.tactics.search_kernel import SOLVER_VERSION
from zertz_db.tactics.solver import Refutation, Reply, Solution, WinningClass, refute, solve

__all__ = [
    "SOLVER_VERSION",
    "MoveClass",
    "PlyVerdict",
    "Refutation",
    "Reply",
    "SearchError",
    "Solution",
    "WinningClass",
    "class_of",
    "judge_ply",
    "judge_states",
    "refute",
    "solve",
    "solve_states",
]
