"""Parts of the page with the analysis board."""
