"""The commands that serve: `zertz dashboard` and `zertz serve`."""
