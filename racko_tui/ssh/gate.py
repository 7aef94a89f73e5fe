"""Who is let in, and who they are then."""

from __future__ import annotations

import asyncio
from typing import Final

import asyncssh

from racko_core.errors import N_, RackoError
from racko_net.files import read_plain
from racko_net.reasons import reason
from racko_tui.ssh.options import Options
from racko_tui.ssh.passwords import ANYBODY, Passwords
from racko_tui.ssh.visit import Identity, player_name

_AT_ONCE: Final = 2  # passwords checked at the same time: each takes a core and 16 MB


class GateError(RackoError):
    """A way to log in that is not complete, or a file of keys that cannot be read."""


class Gate:
    """Lets people in as `--ssh-auth` says. Raises `RackoError` if that cannot work.

    - `open`: anybody. A key that the client offers becomes the player's identity.
    - `password`: who knows a password of the file. One's own password is an identity, the one for
      anybody is not.
    - `keys`: who has one of the keys in the file.
    """

    def __init__(self, options: Options) -> None:
        self.auth = options.auth
        self._keys_file = options.authorized_keys
        self._password_file = options.password_file
        self._checking = asyncio.Semaphore(_AT_ONCE)
        if self.auth == "keys":
            self._keys = self._read_keys()
        elif self.auth == "password":
            self._passwords = self._read_passwords()

    def admits_key(self, key: asyncssh.SSHKey, address: str) -> bool:
        """Whether its owner may come in from that address."""
        if self.auth == "open":
            return True
        return self.auth == "keys" and self._keys.validate(key, address, address) is not None

    async def admits_password(self, name: str, password: str) -> Identity | None:
        """Who that is; None for a wrong password."""
        async with self._checking:
            owner = await asyncio.to_thread(self._passwords.admits, name, password)
        if owner is None:
            return None
        if owner == ANYBODY:
            return Identity(player_name(name))
        return Identity(player_name(name), "password", f"account:{name}")

    def refresh(self) -> None:
        """Read the file anew, so that its owner need not restart the server."""
        if self.auth == "keys":
            self._keys = self._read_keys()
        elif self.auth == "password":
            self._passwords = self._read_passwords()

    def _read_passwords(self) -> Passwords:
        if self._password_file is None:
            raise GateError(N_("“--ssh-auth password” needs a file: add “--ssh-password-file”."))
        return Passwords.read(self._password_file)

    def _read_keys(self) -> asyncssh.SSHAuthorizedKeys:
        path = self._keys_file
        if path is None:
            raise GateError(N_("“--ssh-auth keys” needs a file: add “--ssh-authorized-keys”."))
        try:
            return asyncssh.import_authorized_keys(read_plain(path).decode())
        except (OSError, ValueError) as error:
            refused = isinstance(error, ValueError) and not isinstance(error, UnicodeError)
            raise GateError(
                N_("The authorized keys in “{path}” cannot be read ({reason})."),
                path=path,
                reason=RackoError(N_("that is no list of public keys"))
                if refused
                else reason(error),
            ) from error


def key_identity(user: str, key: asyncssh.SSHKey) -> Identity:
    """Who somebody is that has proved to hold `key`."""
    return Identity(player_name(user), "key", f"key:{key.get_fingerprint()}")
