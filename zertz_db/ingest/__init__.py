"""Files, folders and archives on their way into verdicts and databases."""
