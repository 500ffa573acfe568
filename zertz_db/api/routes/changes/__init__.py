"""Endpoints that change the database for who has the token, and what they can change."""
