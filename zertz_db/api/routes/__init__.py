"""The endpoints: each parses, calls one function of the library, and answers."""
