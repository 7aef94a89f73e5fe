"""Parts of screens: each one a thing that one can point at."""
