"""Share code between dialects: bytes and characters, letters of colours, names of rings, results, time controls."""
