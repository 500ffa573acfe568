"""Parts of the page with the list of games: downloads, and what can be done with selected games."""
