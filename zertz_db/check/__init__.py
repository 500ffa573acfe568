"""Check records against the rules: replay, verdicts, findings."""
