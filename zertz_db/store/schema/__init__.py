"""Tables, views, and facts about the schema."""
