"""Records against the rules: replay, verdicts, findings."""
