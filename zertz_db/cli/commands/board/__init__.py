"""Commands that play games and draw boards."""
