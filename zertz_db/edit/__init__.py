"""Changes by users: corrected tags, marks, studies, aliases, merged games."""
