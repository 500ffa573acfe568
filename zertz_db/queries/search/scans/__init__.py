"""Look through positions for a pattern."""
