"""Questions about the rules with their answers, to test any program against."""
