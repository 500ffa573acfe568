"""Databases looked after: the doctor, recheck, recovery, undoing, merging, anonymising."""
