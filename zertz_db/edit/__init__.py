"""Changes by users: corrected tags, marks, aliases, merged games."""
