"""Estimate the win chance of the player to move, and the accuracy of players."""

from zertz_db.tactics.win_chance.accuracy import Accuracies, GameAccuracy, accuracies, judge_accuracy
from zertz_db.tactics.win_chance.model import Model, ModelError, read_model, shipped_model
from zertz_db.tactics.win_chance.score import WinChance, chance_states, win_chance

__all__ = [
    "Accuracies",
    "GameAccuracy",
    "Model",
    "ModelError",
    "WinChance",
    "accuracies",
    "chance_states",
    "judge_accuracy",
    "read_model",
    "shipped_model",
    "win_chance",
]
