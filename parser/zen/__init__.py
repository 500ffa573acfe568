"""Read and write ZEN games and ZIP positions."""
