"""Compile modules of plain loops: the same source runs as Python in the player, and fast here."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from types import FunctionType, ModuleType
from typing import Any


def plain(modules: Iterable[ModuleType]) -> dict[str, Any]:
    """Everything in these modules by name, as it stands: two hundred times slower, for tests."""
    return {name: value for module in modules for name, value in vars(module).items()}


def compiled(modules: Iterable[ModuleType]) -> dict[str, Any]:
    """Everything in these modules by name, with their functions compiled at their first call.

    Later modules may import from earlier ones. A function sees the compiled form of all others.
    """
    import numba

    space: dict[str, Any] = {"__builtins__": __builtins__}
    for module in modules:
        for name, value in vars(module).items():
            if name.startswith("__") and name != "__name__":
                continue
            if inspect.isfunction(value) and name not in space:
                twin = FunctionType(value.__code__, space, name, value.__defaults__)
                twin.__module__ = module.__name__
                space[name] = numba.njit(twin, fastmath=True, boundscheck=False)
            elif name not in space:
                space[name] = value
    return space
