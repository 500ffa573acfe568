"""Commands that start a server: `zertz dashboard` and `zertz serve`."""
