"""`python -m zertz_db` is the command `zertz`."""

from zertz_db.cli.main import main

if __name__ == "__main__":
    main()
