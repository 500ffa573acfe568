"""Rows in bulk: staging, sorting, compaction."""
