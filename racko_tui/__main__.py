"""`racko`, and `python -m racko_tui`."""

import sys

_INTERRUPTED = 130


def main() -> int:
    """Run the command; the exit status."""
    try:
        from racko_tui import cli

        return cli.main()
    except KeyboardInterrupt:  # at a moment when no command was there to hear it
        return _INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
