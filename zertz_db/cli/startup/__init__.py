"""Start a command fast: without packages and work that its arguments and its help page don't need."""
