"""Hosts on the local network, by mDNS: announce one, or keep a live list of them.

zeroconf is imported when one of the two begins. An announcement says where a server is and what
it is called; it proves nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from racko_core.errors import N_, RackoError
from racko_net.clientside.line import Address
from racko_net.protocol import VERSION
from racko_net.reasons import reason
from racko_net.serverside.doors import own_addresses
from racko_net.text import harmless

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange, Zeroconf

_log = logging.getLogger(__name__)

SERVICE: Final = "_racko._tcp.local."
_NAME_BYTES: Final = 63
"""Of a name in mDNS."""
_ANSWER_MS: Final = 3000


class DiscoveryError(RackoError):
    """A network on which hosts can be neither announced nor found."""


@dataclass(frozen=True, slots=True)
class FoundHost:
    """A server that announced itself."""

    name: str
    address: Address
    """What to dial."""
    server_id: str
    locked: bool
    """Whether it has a password."""
    tls: bool
    version: int
    """Of the protocol."""


@contextlib.asynccontextmanager
async def advertised(
    name: str,
    port: int,
    *,
    server_id: str,
    host: str | None = None,
    locked: bool = False,
    tls: bool = False,
    interfaces: Sequence[str] | None = None,
) -> AsyncIterator[None]:
    """Announce a server while inside. Raises `DiscoveryError`.

    `host` is the address it listens at, None for all; `interfaces` are addresses of the networks
    to speak on, None for all.
    """
    from zeroconf.asyncio import AsyncServiceInfo

    name = harmless(name)[:100] or "racko"
    label = name.encode()[: _NAME_BYTES - 8].decode(errors="ignore").replace(".", " ")
    addresses = [host] if host else own_addresses()
    packed = [_packed(each) for each in addresses]
    info = AsyncServiceInfo(
        SERVICE,
        f"{label}.{SERVICE}",
        port=port,
        addresses=[each for each in packed if each],
        server=f"racko-{server_id}.local.",
        properties={
            "name": name,
            "id": server_id,
            "version": str(VERSION),
            "password": "yes" if locked else "no",
            "tls": "yes" if tls else "no",
        },
    )
    async with _zeroconf(interfaces) as zeroconf:
        try:
            await zeroconf.async_register_service(info, allow_name_change=True)
        except Exception as error:  # zeroconf raises what it likes
            raise _failure(error) from error
        try:
            yield
        finally:
            with contextlib.suppress(Exception):
                await (await zeroconf.async_unregister_service(info))  # until it has been said


async def browse(interfaces: Sequence[str] | None = None) -> AsyncIterator[tuple[FoundHost, ...]]:
    """The hosts on the network, again whenever the list changes. Raises `DiscoveryError`.

    It begins with an empty list and never ends; leave the loop to stop.
    """
    from zeroconf.asyncio import AsyncServiceBrowser

    async with _zeroconf(interfaces) as zeroconf:
        listing = _Listing()
        browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[listing.changed])
        try:
            yield ()
            async for hosts in listing.lists():
                yield hosts
        finally:
            await browser.async_cancel()
            listing.cancel()


class _Listing:
    """Collects what the browser tells."""

    def __init__(self) -> None:
        self._hosts: dict[str, FoundHost] = {}
        self._news = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    def changed(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        """A host came, went or changed; called on the event loop."""
        if state_change.name == "Removed":
            if self._hosts.pop(name, None) is not None:
                self._news.set()
            return
        task = asyncio.create_task(self._ask(zeroconf, service_type, name))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def lists(self) -> AsyncIterator[tuple[FoundHost, ...]]:
        """The list, whenever it has changed."""
        while True:
            await self._news.wait()
            self._news.clear()
            hosts = {(host.server_id, host.address.port): host for host in self._hosts.values()}
            yield tuple(sorted(hosts.values(), key=lambda host: (host.name.casefold(), host.name)))

    def cancel(self) -> None:
        """Ask nobody any more."""
        for task in self._tasks:
            task.cancel()

    async def _ask(self, zeroconf: Zeroconf, service_type: str, name: str) -> None:
        from zeroconf.asyncio import AsyncServiceInfo

        info = AsyncServiceInfo(service_type, name)
        if not await info.async_request(zeroconf, _ANSWER_MS):
            return
        host = _host(info)
        if host is not None:
            self._hosts[name] = host
            self._news.set()


def _host(info: Any) -> FoundHost | None:
    """What an announcement says; None if it cannot be dialled."""
    facts = {
        key.decode("utf-8", "replace"): (value or b"").decode("utf-8", "replace")
        for key, value in info.properties.items()
    }
    addresses = info.parsed_scoped_addresses()
    if not addresses or not info.port:
        return None
    version = facts.get("version", "")
    return FoundHost(
        name=harmless(facts.get("name", ""))[:60] or addresses[0],
        address=Address(addresses[0], info.port),
        server_id=harmless(facts.get("id", ""))[:40],
        locked=facts.get("password") == "yes",
        tls=facts.get("tls") == "yes",
        version=int(version) if version.isascii() and version.isdigit() else 0,
    )


@contextlib.asynccontextmanager
async def _zeroconf(interfaces: Sequence[str] | None) -> AsyncIterator[Any]:
    from zeroconf import InterfaceChoice
    from zeroconf.asyncio import AsyncZeroconf

    try:
        zeroconf = AsyncZeroconf(interfaces=list(interfaces) if interfaces else InterfaceChoice.All)
    except Exception as error:  # no network, no multicast
        raise _failure(error) from error
    try:
        yield zeroconf
    finally:
        await zeroconf.async_close()


def _failure(error: Exception) -> DiscoveryError:
    return DiscoveryError(
        N_("Hosts on this network cannot be announced or found ({reason})."), reason=reason(error)
    )


def _packed(address: str) -> bytes | None:
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(address.partition("%")[0]).packed
    return None
