"""Commands about stored games."""
