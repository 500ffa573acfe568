"""Records in a database."""
