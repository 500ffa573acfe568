"""Statistics of many games."""
