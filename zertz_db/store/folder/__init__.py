"""A database in a folder: its generations, and the building of the next."""
