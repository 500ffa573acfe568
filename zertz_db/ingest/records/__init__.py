"""Read the records of files and turn them into rows."""
