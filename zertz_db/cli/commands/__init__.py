"""The commands that ask and change databases and records."""
