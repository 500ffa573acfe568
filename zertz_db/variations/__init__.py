"""Move trees: moves from a position, with variations, comments and marks."""
