"""Add up decision trees over rows of features: on lists, or compiled on arrays.

The nodes of all trees are numbered. A leaf has the feature LEAF and its score as the threshold. From another node the way leads to the
next node if the feature is at most the threshold, else to the node `right`.
"""

from __future__ import annotations

from zertz_db.rules.kernel import Integers
from zertz_db.tactics.search_moves import Rows

LEAF = -1


def add_trees(
    roots: Integers, features: Integers, thresholds: Integers, right: Integers, rows: Rows, scores: list[int]
) -> None:
    """Write the sum of the scores of all trees for each row."""
    for number in range(len(rows)):
        row = rows[number]
        total = 0
        for tree in range(len(roots)):
            node = roots[tree]
            feature = features[node]
            while feature >= 0:
                node = node + 1 if row[feature] <= thresholds[node] else right[node]
                feature = features[node]
            total += thresholds[node]
        scores[number] = total
