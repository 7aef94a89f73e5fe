"""How an SSH host is run: what the command line says, and the limits."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

Auth = Literal["open", "password", "keys"]
AUTHS: Final[tuple[Auth, ...]] = ("open", "password", "keys")
PORT: Final = 2222


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of an SSH host. Times are in seconds."""

    per_worker: int = 50
    """Connections that one worker process serves at the same time."""
    workers: int = 2
    """Worker processes; `workers * per_worker` connections at the same time in total."""
    per_address: int = 20
    """Connections at the same time from one address."""
    handshakes: int = 16
    """Connections at the same time that have not logged in yet."""
    logins: int = 30
    """Logins a minute from one address; a wrong password counts as one more."""
    login_time: float = 30.0
    """Time to log in, and then to ask for a terminal."""
    tries: int = 10
    """Keys and passwords that may be wrong before the connection is closed."""
    idle: float = 1800.0
    """Time without a key after which a session ends."""
    idle_warning: float = 60.0
    """How long before that the player is warned."""
    silence: float = 12.0
    """Time without any sign of life from the other end after which the connection is dropped: a
    seat is to be away within 15 seconds."""
    keys_per_second: float = 120.0
    """Keys that a session takes in the long run; a finger on a key makes 30 to 60."""
    starting: int = 2
    """Sessions of one worker that start at the same time; the others wait for their turn."""
    hang: float = 20.0
    """Time without a sign of life from a worker after which it is ended and started again."""

    @property
    def connections(self) -> int:
        """Connections at the same time in total."""
        return self.workers * self.per_worker


@dataclass(frozen=True, slots=True)
class Server:
    """Where the workers find the game server."""

    host: str = "127.0.0.1"
    port: int = 0
    password: str = ""
    """What the server asks of everybody who joins, if anything."""
    tls: bool = False
    """Whether it encrypts its connections."""
    public: str = ""
    """Where friends find it, as they would type it after `racko join`."""


@dataclass(frozen=True, slots=True)
class Options:
    """What an SSH host is started with."""

    data_dir: Path
    """The server's folder; the host key lies in it."""
    app: str = "racko_tui.ssh.play:build"
    """The module and function that make a `HostedApp` of a `Visit`."""
    server: Server = Server()
    hosts: tuple[str, ...] = ("0.0.0.0", "::")
    """Addresses to listen on."""
    port: int = PORT
    """0 for any that is free."""
    auth: Auth = "open"
    authorized_keys: Path | None = None
    """For `keys`: public keys, one a line, as OpenSSH has them."""
    password_file: Path | None = None
    """For `password`: see `passwords`."""
    limits: Limits = field(default_factory=Limits)

    def packed(self) -> dict[str, Any]:
        """As plain values, for a worker."""
        return {
            name: str(value) if isinstance(value, Path) else value
            for name, value in asdict(self).items()
        }

    @classmethod
    def unpacked(cls, values: dict[str, Any]) -> Options:
        """What `packed` was made of."""
        paths = {
            name: Path(values[name]) if values[name] else None
            for name in ("authorized_keys", "password_file")
        }
        return cls(
            **{
                **values,
                **paths,
                "data_dir": Path(values["data_dir"]),
                "hosts": tuple(values["hosts"]),
                "server": Server(**values["server"]),
                "limits": Limits(**values["limits"]),
            }
        )
