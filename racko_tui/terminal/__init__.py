"""The terminal itself: what it can show, what is written to it, and what happens when it goes."""
