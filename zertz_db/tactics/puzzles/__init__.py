"""Make puzzles of forced wins, and judge those who solve them."""
