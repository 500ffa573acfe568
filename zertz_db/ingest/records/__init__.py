"""Records of files on their way into rows."""
