"""Dialects that are only read."""
