"""How a server meets its machine: the folder's lock, sockets, certificates, addresses, memory.

Whatever does not work is said in one sentence.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import resource
import socket
import ssl
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Final

from racko_core.errors import N_, RackoError
from racko_net.certificates import unusable
from racko_net.files import check_plain, make_folder, read_plain
from racko_net.reasons import reason
from racko_net.text import harmless, quoted

_BACKLOG: Final = 256
_SEND_BUFFER: Final = 128 * 1024
"""Bytes that the system keeps for a client that does not read; the server counts the rest."""


class HostError(RackoError):
    """Something that keeps a server from starting."""


def lock(folder: Path) -> Callable[[], None]:
    """Keep every other server out of the folder until what is returned is called.

    Raises `HostError`. A killed process lets go by itself.
    """
    try:
        make_folder(folder, mode=0o700)
        file = os.open(folder / "server.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise HostError(
            N_("The folder “{path}” cannot be used ({reason}); choose another with --data."),
            path=folder,
            reason=reason(error),
        ) from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(file)
        raise HostError(
            N_("Another server uses the folder “{path}”; stop it, or choose another with --data."),
            path=folder,
        ) from error
    return lambda: os.close(file)


def listening(host: str | None, port: int) -> list[socket.socket]:
    """Sockets that listen at the port; None listens everywhere, over IPv4 and IPv6.

    With port 0 they share one that is free. Raises `HostError`.
    """
    try:
        found = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except UnicodeError as error:  # too long, or with letters that no name has
        raise HostError(
            N_("“{host}” is no name of a machine."), host=quoted(host or "", 100)
        ) from error
    except OSError as error:
        raise HostError(
            N_("“{host}” is no address of this machine ({reason})."),
            host=host,
            reason=reason(error),
        ) from error
    sockets: list[socket.socket] = []
    failure: OSError | None = None
    for family, kind, number, _, address in dict.fromkeys(found):
        try:
            listener = socket.socket(family, kind, number)
        except OSError as error:  # a machine without IPv6
            failure = error
            continue
        try:
            _bind(listener, family, (address[0], port, *address[2:]))
        except OSError as error:
            listener.close()
            failure = error
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                for each in sockets:
                    each.close()
                raise _refusal(error, host, port) from error
            continue
        sockets.append(listener)
        port = listener.getsockname()[1]
    if not sockets:
        raise _refusal(failure, host, port)
    return sockets


def _bind(listener: socket.socket, family: int, address: tuple[object, ...]) -> None:
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if family == socket.AF_INET6:
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
    listener.bind(address)
    listener.listen(_BACKLOG)
    listener.setblocking(False)


def _refusal(failure: OSError | None, host: str | None, port: int) -> HostError:
    if failure is not None and failure.errno == errno.EADDRINUSE:
        return HostError(
            N_("Port {port} is taken; stop what listens there, or choose another with --port."),
            port=port,
        )
    if failure is not None and failure.errno == errno.EACCES:
        return HostError(
            N_("Port {port} is for the system only; choose one above 1023 with --port."), port=port
        )
    return HostError(
        N_("“{host}” is no address of this machine ({reason})."),
        host=host or "*",
        reason=reason(failure) if failure else "?",
    )


def tls_context(certificate: Path | None, key: Path | None) -> ssl.SSLContext | None:
    """What encrypts connections; None without a certificate. Raises `HostError`."""
    if certificate is None and key is None:
        return None
    if certificate is None:
        raise HostError(N_("A key needs its certificate; add --tls-cert."))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2

    def refuse() -> str:  # OpenSSL would ask at the terminal, and heed no Ctrl+C
        raise HostError(
            N_(
                "The key in “{path}” has a password, which nobody is there to type when a server"
                " starts; store it without one, as “openssl pkey” does."
            ),
            path=key or certificate,
        )

    try:
        for path in filter(None, (certificate, key)):
            check_plain(path)  # OpenSSL would wait at a pipe
        context.load_cert_chain(certificate, key, refuse)
    except (OSError, ssl.SSLError) as error:
        raise HostError(
            N_("The certificate “{path}” cannot be used ({reason}); check it and its key."),
            path=certificate,
            reason=unusable(error),
        ) from error
    return context


def read_password(path: Path) -> str:
    """The first line of a file, without its end. Raises `HostError`."""
    try:
        first, _, _ = read_plain(path, 1000).partition(b"\n")
        password = first.decode().strip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise HostError(
            N_("The password file “{path}” cannot be read ({reason})."),
            path=path,
            reason=reason(error),
        ) from error
    if not password:
        raise HostError(N_("The password file “{path}” is empty."), path=path)
    if any(unicodedata.category(character) == "Cc" for character in password):
        raise HostError(
            N_("The password in “{path}” holds control characters, which nobody can type."),
            path=path,
        )
    return password


def machine_name() -> str:
    """The name of this machine, without its domain."""
    return harmless(socket.gethostname().partition(".")[0]) or "racko"


def own_addresses() -> list[str]:
    """Addresses of this machine on its networks, the likeliest first; loopback if alone."""
    found: dict[str, None] = {}
    probes: tuple[tuple[int, str], ...] = (
        (socket.AF_INET, "192.0.2.1"),
        (socket.AF_INET6, "2001:db8::1"),
    )
    for family, far in probes:  # addresses of documentation: nothing is sent
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            found[str(probe.getsockname()[0])] = None
    with contextlib.suppress(OSError):
        for entry in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM):
            found[str(entry[4][0])] = None
    outside = [each for each in found if not each.startswith(("127.", "::1", "fe80"))]
    return outside or ["127.0.0.1"]


def memory() -> int:
    """Bytes that this process has in main memory."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):  # no Linux: the most there has been
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
    return pages * resource.getpagesize()
