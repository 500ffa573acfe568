"""Maintain databases: doctor, recheck, recovery, undo, merge, anonymise."""
