"""The inside of a client: its connection, its memory of a table, and its seats on disk."""
