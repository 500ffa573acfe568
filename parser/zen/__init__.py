"""ZEN games and ZIP positions."""
