"""Components of pages: the board, lists, charts, tables, and their scripts for the browser."""
