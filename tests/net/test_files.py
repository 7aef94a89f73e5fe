"""Files and folders that are something else: refused in words, and never waited for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from racko_core.errors import RackoError
from racko_net.clientside.line import tls_context
from racko_net.files import make_folder, read_plain
from racko_net.reasons import reason
from racko_net.serverside import doors
from racko_net.store import Store

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes with names")


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe"
    os.mkfifo(path)  # nobody writes into it
    return path


def test_a_plain_file_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    link = tmp_path / "link"
    link.symlink_to(path)
    assert read_plain(path) == read_plain(str(link)) == b"0123456789"
    assert read_plain(path, 3) == b"012"


def test_whatever_is_read_is_a_plain_file(pipe: Path, tmp_path: Path) -> None:
    for path, words in (
        (pipe, "it is no plain file"),
        (Path("/dev/zero"), "it is no plain file"),
        (tmp_path, "it is a folder"),
        (tmp_path / "nothing", "there is no such file or folder"),
        (pipe / "below", "a part of its path is no folder"),
    ):
        with pytest.raises(OSError) as refused:
            read_plain(path)
        assert str(reason(refused.value)) == words


def test_a_folder_in_whose_place_something_else_is(pipe: Path, tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")
    for path, words in ((pipe, "it is no folder"), (pipe / "x", "a part of its path is no folder")):
        with pytest.raises(RackoError, match=words):
            doors.lock(path)


def test_a_password_is_a_line_that_somebody_can_type(pipe: Path, tmp_path: Path) -> None:
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(RackoError, match=r"cannot be read \(it is no plain file\)"):
            doors.read_password(path)
    file = tmp_path / "password"
    file.write_bytes(b"\0" * 20)
    with pytest.raises(RackoError, match="holds control characters"):
        doors.read_password(file)
    file.write_bytes("sésame 漢\r\nanother line".encode())
    assert doors.read_password(file) == "sésame 漢"


def test_openssl_is_given_plain_files(pipe: Path, tmp_path: Path) -> None:
    for certificate, key in ((pipe, None), (tmp_path / "none", pipe), (tmp_path, None)):
        with pytest.raises(RackoError, match=r"it is (no plain file|a folder)|no such file"):
            doors.tls_context(certificate, key)
    with pytest.raises(RackoError, match="it is no plain file"):
        tls_context(pipe)


def test_a_file_of_games_that_is_none(pipe: Path, tmp_path: Path) -> None:
    for path, words in ((pipe, "it is no plain file"), (tmp_path, "it is a folder")):
        with pytest.raises(RackoError, match=rf"\({words}\); move it away to start a new one"):
            Store(path)
