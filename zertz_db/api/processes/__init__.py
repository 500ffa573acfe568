"""The processes of a server: the supervisor, the worker that serves, and those that check records and solve positions."""
