"""The official notation."""
