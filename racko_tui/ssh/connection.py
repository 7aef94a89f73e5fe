"""One SSH connection: letting its client in, and opening the one session that it may have."""

from __future__ import annotations

import asyncio
import logging
import socket
import struct
import sys
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, NoReturn, cast

import asyncssh
from asyncssh.packet import SSHPacket
from asyncssh.public_key import decode_ssh_public_key

from racko_core.errors import RackoError
from racko_tui.i18n import _
from racko_tui.ssh.farewell import BY_APPLICATION, VERSION
from racko_tui.ssh.gate import Gate, key_identity
from racko_tui.ssh.options import Limits
from racko_tui.ssh.session import Session
from racko_tui.ssh.visit import (
    ENVIRONMENT,
    LONGEST_VALUE,
    MOST_VARIABLES,
    Identity,
    player_name,
)

_log = logging.getLogger(__name__)

WINDOW: Final = 65536
"""Bytes that a client may send before somebody takes them."""
_UNSENT: Final = 16384
"""Bytes that may wait in the kernel and in this process each: a screen, and no history of it."""
_UNSENT_ON_SLOW_LINES: Final = 4096
"""The same where it would take half a second to get there: a frame, and the next is a newer one."""
_BYTES_PER_SECOND: Final = 256 * 1024
_BYTES_BURST: Final = 1024 * 1024
_ASK_EVERY: Final = 5.0  # seconds between two looks at how long an answer takes
_ANSWERS: Final = 3  # answers of which the quickest counts
_TOO_MANY_TRIES: Final = 14  # SSH_DISCONNECT_NO_MORE_AUTH_METHODS_AVAILABLE
_TCP_NOTSENT_LOWAT: Final = {"linux": 25, "darwin": 0x201}.get(sys.platform)
_RTT: Final = struct.Struct("68xI")  # tcpi_rtt in Linux's struct tcp_info, in microseconds


class Channel(asyncssh.SSHServerChannel[bytes]):
    """A session's channel; of its environment only what is wanted gets in."""

    def _process_env_request(self, packet: SSHPacket) -> bool:
        key, value = packet.get_string(), packet.get_string()
        packet.check_end()
        if not ENVIRONMENT.fullmatch(key) or len(value) > LONGEST_VALUE:
            return False
        if len(self._env) >= MOST_VARIABLES:
            return False
        self._env[key] = value
        return True


class Connection(asyncssh.SSHServerConnection):
    """What asyncssh does, and the flow of bytes, which it leaves alone."""

    wire: asyncio.Transport

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        options: asyncssh.SSHServerConnectionOptions,
        limits: Limits,
        failed: Callable[[], None],
    ) -> None:
        super().__init__(loop, options)
        self.clock = loop.time
        self.proven: asyncssh.SSHKey | None = None
        """The key that the client has shown to hold: it has signed with it."""
        self.session: Session | None = None
        self._limits = limits
        self._failed = failed
        self._tries = 0
        self._allowance = float(_BYTES_BURST)
        self._counted = self.clock()
        self._asked = float("-inf")
        self._answered: deque[float] = deque(maxlen=_ANSWERS)
        """Seconds that the last answers took; the quickest of them was delayed the least."""

    # The flow

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep little in the kernel: what waits there is a screen of long ago."""
        self.wire = cast(asyncio.Transport, transport)
        self.counterpart = self.wire.get_extra_info("socket")
        self.show_line(slow=False)
        super().connection_made(transport)

    def show_line(self, *, slow: bool) -> None:
        """Adapt to a line that has become slow, or fast again."""
        if self.wire.is_closing():
            return
        unsent = _UNSENT_ON_SLOW_LINES if slow else _UNSENT
        self.wire.set_write_buffer_limits(high=unsent, low=unsent // 4)
        if _TCP_NOTSENT_LOWAT is not None:
            self.counterpart.setsockopt(socket.IPPROTO_TCP, _TCP_NOTSENT_LOWAT, unsent)

    def data_received(self, data: bytes, datatype: int | None = None) -> None:
        """Take it, and let a client that floods us wait."""
        now = self.clock()
        earned = (now - self._counted) * _BYTES_PER_SECOND
        self._allowance = min(_BYTES_BURST, self._allowance + earned) - len(data)
        self._counted = now
        if self._allowance < 0 and self.wire.is_reading():
            self.wire.pause_reading()
            self._loop.call_later(-self._allowance / _BYTES_PER_SECOND, self._read_on)
        super().data_received(data, datatype)

    def _read_on(self) -> None:
        if not self.wire.is_closing():
            self.wire.resume_reading()

    def pause_writing(self) -> None:
        """The line is full."""
        if self.session:
            self.session.hold("line")

    def resume_writing(self) -> None:
        """The line has room again."""
        if self.session:
            self.session.release("line")

    def round_trip(self) -> float:
        """Seconds to the client and back, as far as they are known.

        TCP measures the way to whoever has the other end of the connection, which may be a machine
        in between; the client's answers come all the way, but a busy worker reads them late.
        """
        answered = min(self._answered, default=0.0)
        if sys.platform != "linux" or self.wire.is_closing():
            return answered
        info = self.counterpart.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _RTT.size)
        return max(answered, float(_RTT.unpack(info)[0]) / 1e6)

    def measure(self) -> None:
        """Ask the client for an answer, if it has not been asked for a while."""
        if self.clock() - self._asked >= _ASK_EVERY and not self.wire.is_closing():
            self._asked = self.clock()
            self.create_task(self._make_keepalive_request())

    async def _make_keepalive_request(self) -> None:
        asked = self.clock()
        await super()._make_keepalive_request()
        self._answered.append(self.clock() - asked)

    # Logging in

    async def validate_public_key(
        self, username: str, key_data: bytes, msg: bytes, signature: bytes
    ) -> bool:
        """Remember the key if the client has signed with it; offering one proves nothing."""
        valid = await super().validate_public_key(username, key_data, msg, signature)
        if valid and msg:
            self.proven = decode_ssh_public_key(key_data)
        return valid

    def send_userauth_failure(self, partial_success: bool) -> None:
        """Count them: a client may not try for ever."""
        self._tries += 1
        if self._tries > self._limits.tries + 1:  # the first only asks what there is
            self.disconnect(_TOO_MANY_TRIES, _("Too many keys and passwords tried."))
        else:
            super().send_userauth_failure(partial_success)

    def wrong_password(self) -> None:
        """Tell the host, who counts them for all connections of an address."""
        self._failed()

    def create_server_channel(
        self,
        encoding: str | None = "",
        errors: str = "",
        window: int = 0,
        max_pktsize: int = 0,
    ) -> asyncssh.SSHServerChannel[bytes]:
        """A channel of ours. It carries bytes: which letters they are, the locale says."""
        return Channel(self, self._loop, True, False, False, 0, 0, None, "strict", WINDOW, 32768)


class Door(asyncssh.SSHServer):
    """Answers what a client asks of the connection: to log in, yes; to play, yes; else no."""

    _connection: Connection

    def __init__(
        self,
        gate: Gate,
        limits: Limits,
        entered: Callable[[Connection], None],
        left: Callable[[Connection], None],
        make_session: Callable[[Connection, Identity], Session],
    ) -> None:
        self._gate = gate
        self._limits = limits
        self._entered = entered
        self._left = left
        self._make_session = make_session
        self._account: Identity | None = None
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:  # noqa: D102
        self._connection = cast(Connection, conn)
        self._address: str = conn.get_extra_info("peername")[0]

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: D102
        if self._deadline:
            self._deadline.cancel()
        if self._connection.session:
            self._connection.session.connection_gone()
        _log.info("%s is gone%s", self._address, f": {exc}" if exc else "")
        self._left(self._connection)

    def begin_auth(self, username: str) -> bool:  # noqa: D102
        try:
            self._gate.refresh()
        except RackoError as trouble:
            _log.warning("%s What it said before holds.", trouble)
        return True

    def public_key_auth_supported(self) -> bool:  # noqa: D102
        return self._gate.auth in ("open", "keys")

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:  # noqa: D102
        return self._gate.admits_key(key, self._address)

    def kbdint_auth_supported(self) -> bool:  # noqa: D102
        return self._gate.auth == "open"

    def get_kbdint_challenge(
        self, username: str, lang: str, submethods: str
    ) -> tuple[str, str, str, list[tuple[str, bool]]]:
        """Ask nothing: clients offer their keys before this, and who has none gets in by it."""
        return "", "", "", []

    def validate_kbdint_response(self, username: str, responses: Sequence[str]) -> bool:  # noqa: D102
        return True

    def password_auth_supported(self) -> bool:  # noqa: D102
        return self._gate.auth == "password"

    async def validate_password(self, username: str, password: str) -> bool:  # noqa: D102
        self._account = await self._gate.admits_password(username, password)
        if self._account is None:
            _log.info("%s: wrong password for %r", self._address, username)
            self._connection.wrong_password()
        return self._account is not None

    def auth_completed(self) -> None:
        """Give the client a moment to ask for a session; nothing else is to be had."""
        loop = asyncio.get_running_loop()
        self._deadline = loop.call_later(self._limits.login_time, self._close_unused)
        self._connection.measure()
        _log.info("%s logged in as %r", self._address, self._identity().name)
        self._entered(self._connection)

    def _identity(self) -> Identity:
        user: str = self._connection.get_extra_info("username")
        if self._account:
            return self._account
        if self._connection.proven:
            return key_identity(user, self._connection.proven)
        return Identity(player_name(user))

    def _close_unused(self) -> None:
        if self._connection.session is None:
            self._connection.disconnect(
                BY_APPLICATION, _("This is a game, and nothing else: log in with a terminal.")
            )

    def session_requested(
        self,
    ) -> tuple[asyncssh.SSHServerChannel[bytes], asyncssh.SSHServerSession[bytes]]:
        """One session for a connection, so that connections are all there is to count."""
        if self._connection.session is not None:
            raise asyncssh.ChannelOpenError(
                asyncssh.OPEN_ADMINISTRATIVELY_PROHIBITED,
                _("One connection has one session here; log in anew."),
            )
        session = self._make_session(self._connection, self._identity())
        self._connection.session = session
        return self._connection.create_server_channel(), session

    def connection_requested(
        self, dest_host: str, dest_port: int, orig_host: str, orig_port: int
    ) -> NoReturn:
        """No forwarding."""
        self._refuse("a connection to another host")

    def unix_connection_requested(self, dest_path: str) -> NoReturn:
        """No forwarding."""
        self._refuse("a connection to a local socket")

    def tun_requested(self, unit: int | None) -> NoReturn:
        """No forwarding."""
        self._refuse("a tunnel")

    def tap_requested(self, unit: int | None) -> NoReturn:
        """No forwarding."""
        self._refuse("a tunnel")

    def server_requested(self, listen_host: str, listen_port: int) -> bool:
        """No forwarding; there is no way to give a reason."""
        _log.info("%s asked for a listening port: refused", self._address)
        return False

    def unix_server_requested(self, listen_path: str) -> bool:
        """No forwarding; there is no way to give a reason."""
        _log.info("%s asked for a listening socket: refused", self._address)
        return False

    def _refuse(self, what: str) -> NoReturn:
        _log.info("%s asked for %s: refused", self._address, what)
        raise asyncssh.ChannelOpenError(
            asyncssh.OPEN_ADMINISTRATIVELY_PROHIBITED, _("This is a game, and nothing else.")
        )


def connection_options(
    key: asyncssh.SSHKey, limits: Limits, door: Callable[[], Door]
) -> asyncssh.SSHServerConnectionOptions:
    """How asyncssh is to run a connection: the game, and nothing else that it could do."""
    return asyncssh.SSHServerConnectionOptions(
        server_factory=door,
        server_host_keys=[key],
        server_version=VERSION,
        gss_host=None,
        host_based_auth=False,
        x509_trusted_certs=None,
        compression_algs=None,  # its buffers would be the largest thing in a session
        x11_forwarding=False,
        agent_forwarding=False,
        allow_scp=False,
        line_editor=False,
        encoding=None,
        login_timeout=limits.login_time,
        keepalive_interval=limits.silence / 3,  # asked twice, then waited for once more
        keepalive_count_max=2,
    )
