"""`python -m zertz_db` is the command `zertz`."""

from zertz_db.cli.main import run_program

if __name__ == "__main__":
    run_program()
