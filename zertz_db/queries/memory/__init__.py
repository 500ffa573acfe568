"""Facts of a database that is asked often, kept in memory."""
