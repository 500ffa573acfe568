"""The store: tables, generations, opening and bulk load. docs/storage.md describes a database on disk."""
