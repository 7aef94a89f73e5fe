"""Whoever wants to end the process ends one app: the others in it want to go on."""

from __future__ import annotations

import builtins
import sys
from typing import Final, NoReturn


class AppExit(Exception):
    """In the place of `SystemExit`: an error like any other, which ends the app that it is in.

    The real one passes by whatever catches `Exception`, and ends the event loop of everybody.
    """


_REAL: Final = SystemExit


def contain() -> None:
    """Take the word away from the process. What is raised in C alone still ends it."""
    setattr(sys, "exit", _exit)  # noqa: B010  # mypy takes the plain assignment for an error
    setattr(builtins, "SystemExit", AppExit)  # noqa: B010
    for name, module in list(sys.modules.items()):
        if name.startswith("asyncio."):  # it lets pass what it knows by that name
            setattr(module, "SystemExit", _REAL)  # noqa: B010


def _exit(status: object = None) -> NoReturn:
    raise AppExit(f"sys.exit({status!r}) in an app that is hosted with others")
