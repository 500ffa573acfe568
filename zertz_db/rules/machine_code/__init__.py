"""Store compiled functions as machine code, and call them without numba."""
