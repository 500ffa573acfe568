"""Names that are not to be stored."""
