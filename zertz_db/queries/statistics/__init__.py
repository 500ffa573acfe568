"""What many games have in common."""
