"""Search the stored games for forced wins."""
