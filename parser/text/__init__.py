"""What the dialects share: bytes and characters, letters of colours, names of rings, results, time controls."""
