"""Parts of the page of one game."""
