"""Annotations, as text files next to the generations."""
