"""Parts of the page of players."""
