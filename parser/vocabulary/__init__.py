"""Define the words that readers, rules and queries share: terms of the game, names of boards and rule sets. Imports nothing of ours."""
