"""Repair records; a replay proves each repair."""
