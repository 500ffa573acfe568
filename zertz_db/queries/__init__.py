"""Answers from a database."""
