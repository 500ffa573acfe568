"""Play against people and programs: choose moves, run matches, speak with engines of others."""

from zertz_db.engine.choose import Choice, choose_move, warm_up
from zertz_db.engine.strengths import STRENGTHS, NoSuchStrength, Strength

__all__ = ["STRENGTHS", "Choice", "NoSuchStrength", "Strength", "choose_move", "warm_up"]
