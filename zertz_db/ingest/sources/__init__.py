"""Files, archives and standard input, down to the bytes of each member."""
