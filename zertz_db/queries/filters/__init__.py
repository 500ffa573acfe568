"""The filter language."""
