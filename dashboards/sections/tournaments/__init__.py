"""Tournaments on the page of win conditions."""
