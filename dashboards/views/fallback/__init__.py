"""Pages shown in place of others: without a database, and for a path that is no page."""
