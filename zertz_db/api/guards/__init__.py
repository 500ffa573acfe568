"""What the server refuses: foreign hosts and origins, too many requests, endless questions, large bodies."""
