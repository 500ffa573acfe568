"""Read dialects that are never written."""
