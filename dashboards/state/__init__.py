"""State and services of pages: the database, cached results, uploads, jobs, annotations."""
