"""The review of a game: what forced wins and win chances say about its moves."""
