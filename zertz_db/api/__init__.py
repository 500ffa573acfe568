"""The database over HTTP: each endpoint calls one function of the library. Needs the extra `api`."""
