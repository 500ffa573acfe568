"""The dashboard: plain pages over `zertz_db.queries`."""
