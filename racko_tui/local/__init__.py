"""Games in this process: planned, started, saved and continued."""
