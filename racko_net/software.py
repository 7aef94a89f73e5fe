"""Which program and version this is, as the two sides tell one another."""

from __future__ import annotations

from importlib import metadata
from typing import Final


def _version() -> str:
    try:
        return metadata.version("racko")
    except metadata.PackageNotFoundError:  # run from a checkout
        return "0"


SOFTWARE: Final = f"racko {_version()}"
