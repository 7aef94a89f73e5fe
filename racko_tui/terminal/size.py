"""How large a terminal may say that it is."""

from __future__ import annotations

from typing import Final

LARGEST: Final = (500, 150)
"""Columns and rows beyond which nothing is drawn: a size is only a claim, and memory is ours."""
_USUAL: Final = (80, 24)


def clamped(width: int, height: int) -> tuple[int, int]:
    """A size that can be drawn; 0 means that the terminal does not know."""
    return (
        min(width, LARGEST[0]) if width > 0 else _USUAL[0],
        min(height, LARGEST[1]) if height > 0 else _USUAL[1],
    )
