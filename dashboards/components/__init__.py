"""Parts that pages are made of: the board, lists, charts, tables, and their scripts in the browser."""
