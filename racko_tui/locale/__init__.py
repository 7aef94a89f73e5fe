"""The catalogues: one folder for each language, and what keeps and compiles them."""
