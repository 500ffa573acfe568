"""The processes of a server: the supervisor, the worker that serves, and the one that checks records."""
