"""Columns of positions that queries and writers go through, in the order of the kernel's state."""

from __future__ import annotations

SHAPE_MASK = (1 << 24) - 1
"""The bits of a shape's hash that are stored: a search compares the cells of what they find, and all bits would take 5 bytes more."""
COLOURS = ("white", "grey", "black")
RING_SETS = ("rings", *COLOURS)
"""Columns with a set of rings: those on the board, and those with a marble of a colour."""
HOLDERS = ("pool", "captured1", "captured2")
COUNTS = tuple(f"{holder}_{colour}" for holder in HOLDERS for colour in COLOURS)
"""Columns with the number of marbles of a colour in the pool and in the captures of a player; nodes and games have them too."""
