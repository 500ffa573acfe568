"""Start a command fast: without packages that its arguments and its help page don't need."""
