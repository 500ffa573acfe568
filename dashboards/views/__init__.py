"""The pages, a file each; `app.py` lists them."""
