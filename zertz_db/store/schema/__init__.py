"""Tables, views, and facts about a file."""
