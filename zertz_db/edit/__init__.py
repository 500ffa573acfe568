"""What people change: tags, marks, names, games that are one."""
