"""Reasons in sentences: the system's words or ours, never those of Python or a library."""

from __future__ import annotations

import errno
import os
import shutil
import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from racko_core.errors import RackoError
from racko_core.rules import Rules
from racko_net import protocol
from racko_net.client import connect
from racko_net.clientside.line import LinkError
from racko_net.codec import convert
from racko_net.reasons import Unfit, reason, unfit
from racko_net.serverside import doors
from racko_net.store import Store, StoreError
from tests.net.cable import Cable

REFUSED = "the connection was refused"


def test_a_failure_of_the_system_is_told_without_what_python_adds() -> None:
    for error in (
        OSError(errno.ECONNREFUSED, "Connect call failed ('127.0.0.1', 1)"),
        OSError(
            f"Multiple exceptions: [Errno {errno.ECONNREFUSED}] Connect call failed"
            f" ('::1', 1, 0, 0), [Errno {errno.ECONNREFUSED}] Connect call failed ('127.0.0.1', 1)"
        ),
    ):
        assert str(reason(error)) == REFUSED
    unknown = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    assert str(reason(unknown)) == "no machine is known by that name"
    again = socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
    assert reason(again) == "Temporary failure in name resolution"


def test_what_often_fails_is_told_in_words_that_are_translated() -> None:
    for number in (
        errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ETIMEDOUT, errno.EACCES,
        errno.EPERM, errno.ENOENT, errno.ENOSPC, errno.EROFS, errno.EADDRINUSE, errno.EISDIR,
        errno.EMFILE, errno.EADDRNOTAVAIL, errno.ECONNRESET, errno.EDQUOT, errno.EEXIST,
        errno.EFBIG, errno.EHOSTDOWN, errno.EIO, errno.ELOOP, errno.ENAMETOOLONG,
        errno.ENETDOWN, errno.ENOEXEC, errno.ENOMEM, errno.ENOTDIR, errno.ENXIO,
    ):  # fmt: skip
        assert isinstance(reason(OSError(number, "raw")), RackoError), os.strerror(number)
    assert reason(OSError(errno.EXDEV, "raw")) == os.strerror(errno.EXDEV)


def test_of_what_python_says_only_the_kind_is_told() -> None:
    assert str(reason(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"))) == "that is not UTF-8"
    assert str(reason(RecursionError("maximum recursion"))) == "it is nested too deep"
    assert reason(KeyError("something raw")) == "KeyError"
    told = RackoError("A sentence.")
    assert reason(told) is told


def test_of_sqlite_the_usual_failures_have_words(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.Error) as failed:
        sqlite3.connect(tmp_path).execute("SELECT 1 FROM sqlite_master")
    assert str(reason(failed.value)) == "it cannot be opened"
    (tmp_path / "file").write_bytes(b"nothing that SQLite knows" * 100)
    with pytest.raises(StoreError, match=r"is damaged \(it is no sound database\)"):
        Store(tmp_path / "file")


@pytest.mark.parametrize(
    ("code", "free", "why"),
    [
        (sqlite3.SQLITE_IOERR_SHMSIZE, 0, "the disk is full"),
        (sqlite3.SQLITE_IOERR_FSYNC, 0, "the disk is full"),
        (sqlite3.SQLITE_IOERR_SHMSIZE, 10**9, "it cannot be written"),
        (sqlite3.SQLITE_IOERR_READ, 0, "the disk does not work"),
    ],
)
def test_a_full_disk_is_not_called_a_broken_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: int, free: int, why: str
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: SimpleNamespace(free=free))
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    assert str(reason(error, tmp_path / "games.sqlite")) == why
    assert "full" not in str(reason(error))


@pytest.mark.parametrize("host", ["a" * 70, "a..b", "\udcff"])
async def test_what_no_machine_can_be_called_is_said_so(host: str) -> None:
    with pytest.raises(LinkError) as join:
        await connect(host, name="Ana")
    with pytest.raises(doors.HostError) as serve:
        doors.listening(host, 0)
    for told in (join, serve):
        shown = r"\udcff" if host == "\udcff" else host  # bytes that are no text
        assert str(told.value) == f"“{shown}” is no name of a machine."


async def test_a_name_with_several_addresses_that_refuse_is_told_in_a_few_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with Cable(1) as cable:
        port = cable.port
    four, six = ("127.0.0.1", port), ("::1", port, 0, 0)
    stream = socket.SOCK_STREAM
    found = [(socket.AF_INET6, stream, 6, "", six), (socket.AF_INET, stream, 6, "", four)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_named: found)
    with pytest.raises(LinkError) as told:
        await connect(f"localhost:{port}", name="Ana")
    assert "Multiple" not in str(told.value)
    assert "Errno" not in str(told.value)


def test_what_does_not_fit_is_named_in_words_of_ours() -> None:
    for plain, complaint in (
        ({"players": "two"}, "the field “players” should be “int”, not “str”"),
        ({"scoring": "what"}, "the field “scoring” holds what it cannot hold"),
        ([], "it should be “object”, not “array”"),
        ({"target": 7}, "target"),
    ):
        with pytest.raises(Unfit) as told:
            convert(plain, Rules)
        assert complaint in str(told.value)
    quoting = RackoError("“{text}” is no action", text="\x1b[2J" + "x" * 1000)
    assert str(unfit(quoting)) == f"“{'x' * 59}…” is no action", "nothing that moves the cursor"
    for payload in (b"", b"\xff", msgspec.msgpack.encode({"type": "hello"}), b"\x91" * 20_000):
        with pytest.raises(protocol.ProtocolError) as refused:
            protocol.from_client(payload)
        assert isinstance(refused.value.values["reason"], Unfit)
        for word in ("Expected", "malformed", "truncated", "recursion", "`"):
            assert word not in str(refused.value)


def test_a_damaged_row_is_told_in_words(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    store = Store(path, durable=False)
    store.add_game(None, 1.0, "a record")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE games SET ended = 'yesterday'")
    with pytest.raises(StoreError, match=r"is damaged \(something in it makes no sense\); move"):
        store.games()
    store.close()
