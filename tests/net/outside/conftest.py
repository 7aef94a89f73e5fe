"""After every test, nothing that it started is left, not even as a zombie."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest


def children() -> set[str]:
    """The processes that this one has started and not yet forgotten, zombies too."""
    while True:
        tasks = Path(f"/proc/{os.getpid()}/task").iterdir()
        try:
            return {pid for task in tasks for pid in (task / "children").read_text().split()}
        except (FileNotFoundError, ProcessLookupError):
            pass  # a thread has just ended, and left what it started to another one


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    before = children()
    yield
    assert children() <= before
