"""`zertz insights`: a metric by a dimension."""
