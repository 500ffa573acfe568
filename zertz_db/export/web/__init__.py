"""Write a database's games as a static site, which any file host can serve."""
