"""Parts of the SSH host that need no connection: counting, names, terminals, files, farewells."""

from __future__ import annotations

import asyncio
import errno
import socket
import stat
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from racko_core.errors import RackoError
from racko_net.serverside.limits import Bucket
from racko_tui.ssh import host
from racko_tui.ssh.census import Census, TurnedAway, network
from racko_tui.ssh.control import Control, pair
from racko_tui.ssh.farewell import farewell
from racko_tui.ssh.hostkey import NAME, host_key
from racko_tui.ssh.options import Limits, Options, Server
from racko_tui.ssh.passwords import Passwords, line
from racko_tui.ssh.visit import Terminal, player_name, table_code
from racko_tui.terminal.size import clamped

# Terminals


@pytest.mark.parametrize(
    ("env", "encoding", "language"),
    [
        ({}, "utf-8", ""),
        ({"LANG": "da_DK.UTF-8"}, "utf-8", "da"),
        ({"LANG": "fr_FR.utf8", "LC_CTYPE": "C"}, "ascii", "fr"),
        ({"LANG": "da_DK"}, "latin-1", "da"),
        ({"LANG": "C"}, "ascii", ""),
        ({"LANG": "fr_FR.ISO-8859-15@euro"}, "latin-1", "fr"),
        ({"LC_ALL": "C.UTF-8", "LANG": "fr_FR"}, "utf-8", ""),
        ({"LC_CTYPE": "UTF-8"}, "utf-8", ""),
        ({"LANG": "ja_JP.eucJP"}, "ascii", ""),
        ({"LANG": "frp_FR.UTF-8"}, "utf-8", ""),
    ],
)
def test_a_locale_says_letters_and_language(
    env: dict[str, str], encoding: str, language: str
) -> None:
    terminal = Terminal.of("xterm", (80, 24), env)
    assert (terminal.encoding, terminal.language) == (encoding, language)


@pytest.mark.parametrize(
    ("kind", "env", "colours", "mono"),
    [
        ("xterm", {}, "standard", False),
        ("xterm-256color", {}, "256", False),
        ("xterm-256color", {"COLORTERM": "24bit"}, "truecolor", False),
        ("xterm-kitty", {}, "truecolor", False),
        ("linux", {}, "standard", False),
        ("vt220", {}, "standard", True),
        ("xterm", {"NO_COLOR": "1"}, "standard", True),
        ("xterm", {"NO_COLOR": ""}, "standard", False),
    ],
)
def test_term_says_which_colours(kind: str, env: dict[str, str], colours: str, mono: bool) -> None:
    terminal = Terminal.of(kind, (80, 24), env)
    assert (terminal.colours, terminal.no_color) == (colours, mono)


@given(st.integers(), st.integers())
def test_any_size_can_be_drawn(width: int, height: int) -> None:
    columns, rows = clamped(width, height)
    assert 1 <= columns <= 500
    assert 1 <= rows <= 150


@given(st.text())
def test_any_user_has_a_name(user: str) -> None:
    assert 1 <= len(player_name(user)) <= 24


@pytest.mark.parametrize(
    ("command", "code"),
    [("k7ab", "K7AB"), (" K7-AB\n", "K7-AB"), ("", None), ("ls /", None), ("$(id)", None),
     ("-x", None), ("a" * 40, None), ("K7AB; id", None), ("K7ÅB", None)],
)  # fmt: skip
def test_only_a_code_is_a_code(command: str, code: str | None) -> None:
    assert table_code(command) == code


# Counting


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@given(st.lists(st.tuples(st.sampled_from(["arrive", "log in", "leave"]), st.integers(0, 9))))
def test_the_census_never_exceeds_its_limits_nor_loses_count(
    steps: list[tuple[str, int]],
) -> None:
    limits = Limits(workers=1, per_worker=5, per_address=3, handshakes=2, logins=1000)
    census = Census(limits, Clock())
    here: dict[int, str] = {}
    for step, (what, number) in enumerate(steps):
        address = f"192.0.2.{number % 3}"
        if what == "arrive":
            try:
                census.arrive(step + 100, address)
                here[step + 100] = address
            except TurnedAway:
                pass
        elif here and what == "log in":
            census.logged_in(list(here)[number % len(here)])
        elif here:
            gone = list(here)[number % len(here)]
            here.pop(gone)
            census.leave(gone)
            census.leave(gone)
        assert census.total == len(here) <= 5
        assert census.waiting <= 2
        assert all(list(here.values()).count(address) <= 3 for address in here.values())
    for gone in here:
        census.leave(gone)
    assert not census._per_address
    assert not census._waiting


def test_logins_are_counted_by_the_minute() -> None:
    clock = Clock()
    census = Census(Limits(logins=2, handshakes=100), clock)
    for number in range(2):
        census.arrive(number, "192.0.2.1")
    with pytest.raises(TurnedAway, match="wait a minute"):
        census.arrive(2, "192.0.2.1")
    census.arrive(3, "192.0.2.2")
    clock.now = 30.0
    census.arrive(4, "192.0.2.1")
    census.failed(4)
    clock.now = 60.0
    census.arrive(5, "192.0.2.1")
    with pytest.raises(TurnedAway):
        census.arrive(6, "192.0.2.1")


def test_a_home_has_many_ipv6_addresses() -> None:
    assert network("2001:db8:1:2:a::1") == network("2001:db8:1:2:b::2")
    assert network("2001:db8:1:3::1") != network("2001:db8:1:2::1")
    assert network("::ffff:192.0.2.1") == network("192.0.2.1")
    assert network("fe80::1%eth0")


# Files


def test_the_host_key_is_made_once_and_for_the_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "server"
    first = host_key(folder).get_fingerprint()
    assert stat.S_IMODE((folder / NAME).stat().st_mode) == 0o600
    assert host_key(folder).get_fingerprint() == first
    assert [file.name for file in folder.iterdir()] == [NAME]


def test_a_host_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    host_key(tmp_path)
    (tmp_path / NAME).chmod(0o644)
    with pytest.raises(RackoError, match="chmod 600"):
        host_key(tmp_path)


def test_a_broken_host_key_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / NAME
    file.write_text("rubbish")
    file.chmod(0o600)
    with pytest.raises(RackoError, match="move it away"):
        host_key(tmp_path)
    assert file.read_text() == "rubbish"


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RackoError, match="check the folder"):
        host_key(tmp_path / "file" / "below")


def test_passwords_are_not_in_their_file(tmp_path: Path) -> None:
    file = tmp_path / "passwords"
    file.write_text(line("ana:of:x", "sesame: ümlaut"))
    file.chmod(0o600)
    assert "sesame" not in file.read_text()
    assert Passwords.read(file).admits("ana:of:x", "sesame: ümlaut") == "ana:of:x"
    assert Passwords.read(file).admits("ana:of:x", "sesame") is None


@pytest.mark.parametrize("text", ["ana", "ana:plain", ":scrypt$00$00", "ana:scrypt$xx$00"])
def test_a_wrong_line_is_pointed_out(tmp_path: Path, text: str) -> None:
    file = tmp_path / "passwords"
    file.write_text(f"{line('bo', 'x')}\n{text}\n")
    file.chmod(0o600)
    with pytest.raises(RackoError, match="Line 2"):
        Passwords.read(file)


def test_a_password_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "passwords"
    file.write_text(line("bo", "x"))
    file.chmod(0o640)
    with pytest.raises(RackoError, match="chmod 600"):
        Passwords.read(file)


def test_options_reach_a_worker_as_they_are(tmp_path: Path) -> None:
    options = Options(
        tmp_path,
        server=Server("127.0.0.1", 7000, "x"),
        auth="keys",
        authorized_keys=tmp_path / "keys",
        limits=Limits(idle=5.0),
    )
    assert Options.unpacked(options.packed()) == options


# Bytes


@given(st.text(max_size=200))
def test_a_farewell_is_a_packet_as_the_rfc_has_it(reason: str) -> None:
    version, _, packet = farewell(reason, code=11).partition(b"\r\n")
    assert version.startswith(b"SSH-2.0-")
    length, padding = struct.unpack(">IB", packet[:5])
    assert len(packet) == 4 + length
    assert len(packet) % 8 == 0
    assert padding >= 4
    kind, code, size = struct.unpack(">BII", packet[5:14])
    assert (kind, code) == (1, 11)
    assert packet[14 : 14 + size].decode() == reason
    assert packet[14 + size : len(packet) - padding] == b"\0\0\0\2en"


async def test_control_passes_sockets_with_their_lines() -> None:
    heard: asyncio.Queue[tuple[Any, socket.socket | None]] = asyncio.Queue()
    gone = asyncio.Event()
    ours, theirs = pair()
    theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    left = Control(ours, lambda line, passed: None, gone.set)
    right = Control(theirs, lambda line, passed: heard.put_nowait((line, passed)), lambda: None)
    ends = []
    for number in range(50):
        near, far = socket.socketpair()
        ends.append(near)
        left.say({"noise": "x" * 5000})
        left.say({"take": number}, far)
    for number in range(50):
        line, passed = await heard.get()
        assert passed is None
        line, passed = await heard.get()
        assert line == {"take": number}
        assert passed is not None
        passed.setblocking(True)
        passed.send(b"%d" % number)
        passed.close()
        assert ends[number].recv(10) == b"%d" % number
        ends[number].close()
    right.close()
    await asyncio.wait_for(gone.wait(), 10)
    near, far = socket.socketpair()
    left.say({"after": "the end"}, far)
    assert ours.fileno() == theirs.fileno() == far.fileno() == -1, "nothing stays open"
    near.close()


async def test_a_system_without_a_place_for_another_does_not_fill_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(host, "_PAUSE", 0.0)
    asked, many = 0, asyncio.Event()

    async def full(_: socket.socket) -> None:
        nonlocal asked
        asked += 1
        if asked == 100:
            many.set()
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(asyncio.get_running_loop(), "sock_accept", full)
    ssh_host = host.SshHost(Options(tmp_path))
    ssh_host._complaints = Bucket(1.0, 20, lambda: 0.0)
    with socket.socket() as listener:
        accepting = asyncio.create_task(ssh_host._accept(listener))
        await many.wait()
        accepting.cancel()
        await asyncio.gather(accepting, return_exceptions=True)
    assert caplog.text.count("could not be accepted") == 20
