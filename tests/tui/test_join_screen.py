"""The list of hosts on the network."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from racko_net import discovery
from racko_net.clientside.line import Address
from racko_net.discovery import FoundHost
from racko_tui.app import RackoApp
from racko_tui.lan.joining import Join
from racko_tui.screens.join import JoinScreen
from tests.tui.steering import shown, still


def found(name: str, number: int, *, locked: bool, tls: bool) -> FoundHost:
    """A host that announced itself."""
    address = Address.parse(f"192.168.1.{number}:7225")
    return FoundHost(name, address, f"id-{number}", locked, tls, 1)


async def test_a_row_tells_of_a_password_and_of_encryption(monkeypatch: pytest.MonkeyPatch) -> None:
    async def browse() -> AsyncIterator[list[FoundHost]]:
        yield [
            found("Attic", 1, locked=False, tls=False),
            found("Barn", 2, locked=True, tls=False),
            found("Cellar", 3, locked=False, tls=True),
            found("Den", 4, locked=True, tls=True),
        ]

    monkeypatch.setattr(discovery, "browse", browse)
    app = RackoApp(still())
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(JoinScreen(Join(name="Ana")))
        await app.workers.wait_for_complete()
        await pilot.pause()
        lines = shown(app).splitlines()
        told = {
            name: [
                word
                for word in ("password", "encrypted")
                if any(name in line and word in line for line in lines)
            ]
            for name in ("Attic", "Barn", "Cellar", "Den")
        }
        assert any("Attic  192.168.1.1" in line for line in lines)
        assert told == {
            "Attic": [],
            "Barn": ["password"],
            "Cellar": ["encrypted"],
            "Den": ["password", "encrypted"],
        }
