"""The opening tree."""
