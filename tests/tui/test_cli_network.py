"""`racko serve`, `racko status` and `racko join` on the command line."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from racko_net.store import Store
from racko_tui.cli import FAILURE, WRONG_USAGE, main
from tests.tui.terminals import MAIN, free_port

HERE = ["--host", "127.0.0.1", "--no-discovery"]


class Served:
    """A `racko serve` in a process of its own, once it has said that it is open."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.port = free_port()
        self.process = subprocess.Popen(
            [sys.executable, "-c", MAIN, "serve", *HERE, "--port", str(self.port), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "RACKO_HOME": str(home)},
        )
        assert self.process.stdout is not None
        self.lines = [self.process.stdout.readline().rstrip() for _ in range(5)]

    @property
    def address(self) -> str:
        """What to join."""
        return f"127.0.0.1:{self.port}"

    def stop(self, number: int) -> tuple[int, str]:
        """Its exit status and its log after a signal."""
        self.process.send_signal(number)
        _, log = self.process.communicate(timeout=20)
        return self.process.returncode, log


@pytest.fixture
def served(home: Path) -> Iterator[list[Served]]:
    servers: list[Served] = []
    yield servers
    for server in servers:
        if server.process.poll() is None:
            server.process.kill()
        server.process.communicate()


def test_a_server_says_what_friends_type_and_stops_cleanly(
    served: list[Served], home: Path
) -> None:
    served.append(server := Served(home, "--name", "Living room"))
    assert server.lines[0] == f"“Living room” is open on port {server.port}."
    assert f"  racko join 127.0.0.1:{server.port}" in server.lines
    assert f"Every table is kept in “{home}/server”." in server.lines
    status, log = server.stop(signal.SIGINT)
    assert status == 0
    assert "started" in log
    assert log.rstrip().endswith("stopped")


def test_status_tells_a_person_and_a_program(
    served: list[Served], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    served.append(server := Served(home, "--name", "Living room"))
    assert main(["status", server.address]) == 0
    told = capsys.readouterr().out
    assert "Living room" in told
    assert "MiB" in told
    assert main(["status", server.address, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["name"] == "Living room"
    assert found["tables"] == found["players"] == 0
    assert found["connections"] == 1
    assert found["memory"] > 1_000_000
    assert found["trouble"] is None


def test_friends_are_told_what_to_type_for_a_certificate_of_ones_own(
    served: list[Served], home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    (recipe,) = re.findall(r"^openssl req (?:.*\\\n)*.*$", readme, re.MULTILINE)
    recipe = recipe.replace("192.0.2.7", "127.0.0.1")
    subprocess.run(["sh", "-c", recipe], cwd=tmp_path, check=True, capture_output=True)
    certificate = tmp_path / "cert.pem"
    served.append(
        server := Served(
            home, "--tls-cert", str(certificate), "--tls-key", str(tmp_path / "key.pem")
        )
    )
    assert f"  racko join {server.address} --tls-ca cert.pem" in server.lines
    told = f"They need a copy of “{certificate}”, which nobody else vouches for."
    assert told in server.lines
    assert main(["status", server.address, "--tls"]) == FAILURE
    assert "cannot be trusted" in capsys.readouterr().err
    assert main(["status", server.address, "--tls-ca", str(certificate)]) == 0


def test_the_password_comes_from_a_file(
    served: list[Served], home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    password = tmp_path / "password"
    password.write_text("open sesame\n", encoding="utf-8")
    served.append(server := Served(home, "--password-file", str(password)))
    assert f"  racko join 127.0.0.1:{server.port} --password-file …" in server.lines
    assert main(["status", server.address]) == FAILURE
    assert capsys.readouterr().err == "This server has a password.\n"
    assert main(["status", server.address, "--password-file", str(password)]) == 0


def test_the_records_of_a_server_are_taken_out_while_it_runs_and_each_once(
    served: list[Served], home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    served.append(Served(home))
    store = Store(home / "server" / "server.sqlite3", durable=False)
    store.add_game(None, 7.0, "one")
    out = tmp_path / "new" / "records"
    export = ["serve", "--export", str(out)]
    assert main(export) == 0
    assert capsys.readouterr().out == f"1 new record is in “{out}”.\n"
    (out / "racko-game-1.txt").write_text("mine")
    store.add_game(None, 8.0, "two\n")
    store.add_game(None, 9.0, "three")
    store.close()
    assert main(export) == 0
    assert capsys.readouterr().out == f"2 new records are in “{out}”.\n"
    assert [path.read_text() for path in sorted(out.iterdir())] == ["mine", "two\n", "three"]
    assert main([*export, "--data", str(tmp_path)]) == FAILURE
    assert "is not the folder of a server" in capsys.readouterr().err
    assert not (tmp_path / "server.sqlite3").exists()
    assert main(["serve", "--export", str(out / "racko-game-1.txt")]) == FAILURE
    assert "cannot be written into" in capsys.readouterr().err


def test_a_second_server_on_the_same_folder_or_port_says_why_it_cannot_start(
    served: list[Served], home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    served.append(server := Served(home))
    port = ["--port", str(server.port)]
    assert main(["serve", *HERE, *port]) == FAILURE
    assert capsys.readouterr().err.startswith("Another server uses the folder")
    assert main(["serve", *HERE, *port, "--data", str(tmp_path / "other")]) == FAILURE
    assert capsys.readouterr().err.startswith(f"Port {server.port} is taken")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--tls-cert", "nowhere.pem"], "The certificate “nowhere.pem” cannot be used"),
        (["--tls-key", "nowhere.pem"], "A key needs its certificate"),
        (["--password-file", "nowhere.txt"], "The password file “nowhere.txt” cannot be read"),
        (["--turn-limit", "1"], "The time for a turn is 5 to 3600 seconds."),
        (["--name", "x" * 40], "A name has 1 to 24 characters."),
        (
            ["--host", "192.0.2.7"],
            "“192.0.2.7” is no address of this machine (no network here has that address).",
        ),
        (["--data", os.devnull], f"The folder “{os.devnull}” cannot be used (it is no folder)"),
    ],
)
def test_what_keeps_a_server_from_starting_is_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *HERE, "--port", "0", *arguments]) == FAILURE
    told = capsys.readouterr()
    assert told.err.startswith(sentence)
    assert told.err.count("\n") == 1
    assert told.out == ""


def test_what_is_said_of_ssh_without_ssh_is_wrong_usage(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["serve", *HERE, "--port", "0", "--ssh-auth", "password"]) == WRONG_USAGE
    assert "need “--ssh”" in capsys.readouterr().err


def test_a_server_that_is_not_there_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    port = free_port()
    assert main(["status", f"127.0.0.1:{port}"]) == FAILURE
    told = capsys.readouterr().err
    assert told == f"“127.0.0.1:{port}” cannot be reached (the connection was refused).\n"


def test_something_else_that_answers_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        asked = subprocess.Popen(
            [sys.executable, "-c", MAIN, "status", f"127.0.0.1:{port}"],
            stderr=subprocess.PIPE,
            text=True,
        )
        line, _ = other.accept()
        line.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        _, told = asked.communicate(timeout=20)
        line.close()
    assert asked.returncode == FAILURE
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["a b"], FAILURE, "“a b” is no address"),
        (["host:99999"], FAILURE, "“host:99999” is no address"),
        (["host", "--name", "x" * 25], FAILURE, "A name has 1 to 24 characters."),
        (["host", "--password-file", "none"], FAILURE, "The password file “none” cannot be read"),
        (["host", "--tls-ca", "none"], FAILURE, "The certificate “none” cannot be used"),
        (["host"], WRONG_USAGE, "The game needs a terminal"),
    ],
)
def test_what_cannot_be_joined_is_told_before_a_screen_opens(
    arguments: list[str], status: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["join", *arguments]) == status
    assert capsys.readouterr().err.startswith(sentence)
