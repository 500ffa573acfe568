"""The store: tables, generations, opening and bulk load. Its README says what a database looks like on disk."""
