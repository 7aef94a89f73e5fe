"""Hosts announced and found by mDNS, on loopback alone."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from functools import partial

import pytest

from racko_net import discovery
from racko_net.clientside.line import Address
from racko_net.discovery import DiscoveryError, FoundHost, advertised, browse
from racko_net.protocol import VERSION
from tests.net.conftest import Serve
from tests.net.raw import PATIENCE

LOOPBACK = ("127.0.0.1",)


async def listed(wanted: int, *names: str) -> tuple[FoundHost, ...]:
    """The list, once it holds so many of these hosts."""
    async with asyncio.timeout(PATIENCE):
        hosts = browse(LOOPBACK)
        async for found in hosts:
            ours = tuple(host for host in found if host.name in names)
            if len(ours) == wanted:
                await hosts.aclose()  # type: ignore[attr-defined]
                return ours
    raise AssertionError


async def test_a_host_is_announced_found_and_gone_again() -> None:
    announced = advertised(
        "Bo.s \x1b[31mroom", 4242, server_id="abc", host="127.0.0.1", locked=True,
        interfaces=LOOPBACK,
    )  # fmt: skip
    name = "Bo.s room"
    lists: list[tuple[FoundHost, ...]] = []
    async with asyncio.timeout(PATIENCE):
        hosts = browse(LOOPBACK)
        async with announced:
            async for found in hosts:
                lists.append(found)
                if any(host.name == name for host in found):
                    break
        async for found in hosts:
            lists.append(found)
            if not any(host.name == name for host in found):
                break
        await hosts.aclose()  # type: ignore[attr-defined]
    assert lists[0] == ()
    host = next(host for found in lists for host in found if host.name == name)
    assert host == FoundHost(name, Address("127.0.0.1", 4242), "abc", True, False, VERSION)


async def test_two_hosts_of_one_name_are_both_found() -> None:
    one = partial(advertised, "Twin room", host="127.0.0.1", interfaces=LOOPBACK)
    async with one(port=4243, server_id="aa"), one(port=4244, server_id="bb"):
        found = await listed(2, "Twin room")
    assert {host.address.port for host in found} == {4243, 4244}


async def test_a_server_announces_itself(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "advertised", partial(discovery.advertised, interfaces=LOOPBACK))
    server = await serve(discovery=True, name="Announced room", password="sesame")
    (host,) = await listed(1, "Announced room")
    assert host.address == Address("127.0.0.1", server.port)
    assert host.server_id == server.server_id
    assert host.locked


async def test_a_network_without_multicast_is_said_so_and_no_reason_to_stop(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DiscoveryError, match="cannot be announced or found"):
        async with advertised("x", 1, server_id="x", interfaces=("192.0.2.7",)):
            pass
    monkeypatch.setattr(
        discovery, "advertised", partial(discovery.advertised, interfaces=("192.0.2.7",))
    )
    server = await serve(discovery=True)
    assert server.port


def test_zeroconf_is_imported_only_when_needed() -> None:
    code = (
        "import sys, racko_net.discovery, racko_net.server, racko_net.client;"
        "sys.exit('zeroconf' in sys.modules or 'textual' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
