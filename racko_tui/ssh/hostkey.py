"""The host's key: made once, kept, and never shown."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import asyncssh

from racko_core.errors import N_, RackoError
from racko_net.files import check_plain, make_folder, read_plain
from racko_net.reasons import reason

NAME: Final = "ssh_host_ed25519_key"


class HostKeyError(RackoError):
    """A host key that cannot be made, read, or trusted."""


def host_key(folder: Path) -> asyncssh.SSHKey:
    """The key in `folder`, made if there is none. Raises `HostKeyError`."""
    path = folder / NAME
    try:
        if not path.exists():
            _make(path)
        mode = check_plain(path).st_mode
        data = read_plain(path)
    except OSError as error:
        raise HostKeyError(
            N_("The SSH host key “{path}” cannot be used ({reason}); check the folder."),
            path=path,
            reason=reason(error),
        ) from error
    if os.name == "posix" and mode & 0o077:
        raise HostKeyError(
            N_("Others can read the SSH host key “{path}”; run “chmod 600” on it, or remove it."),
            path=path,
        )
    try:
        return asyncssh.import_private_key(data)
    except asyncssh.KeyImportError as error:
        raise HostKeyError(
            N_("“{path}” is not an SSH host key; move it away and a new one is made."), path=path
        ) from error


def _make(path: Path) -> None:
    """Write a new key, whole and for the owner's eyes only, or not at all."""
    make_folder(path.parent)
    key = asyncssh.generate_private_key("ssh-ed25519", comment="racko")
    draft = path.with_name(f"{NAME}.{os.getpid()}.new")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(key.export_private_key())
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
