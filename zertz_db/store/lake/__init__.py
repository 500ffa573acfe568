"""A database in a DuckLake."""
