"""Read and write the official notation."""
