"""A database in a folder: its generations, and the build of the next one."""
