"""Records that a database has already."""
