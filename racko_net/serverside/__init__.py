"""The inside of a server: its tables, its connections, and what each of them is told."""
