"""Repairs of records, proven by replay."""
