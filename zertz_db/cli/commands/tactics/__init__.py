"""Commands about forced wins in games, and about win chances."""
