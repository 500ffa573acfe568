"""Switches for the frequent terms of a filter, above its text."""
