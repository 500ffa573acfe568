"""Redaction: replace names that must not be stored."""
