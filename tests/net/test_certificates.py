"""Certificates, keys, and whatever is no encrypted connection: in words of ours, asking nobody."""

from __future__ import annotations

import asyncio
import ssl
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from racko_core.errors import RackoError
from racko_net.certificates import unsafe, vouches_for_itself
from racko_net.client import connect
from racko_net.clientside.line import LinkError, tls_context
from racko_net.serverside import doors
from racko_net.serverside.doors import HostError
from tests.net.conftest import Serve

Make = Callable[..., tuple[Path, Path]]


def openssl(*arguments: object) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Makes a certificate and its key."""

    def made(*more: str, algorithm: str = "ec:P-256") -> tuple[Path, Path]:
        kind, _, size = algorithm.partition(":")
        option = "ec_paramgen_curve" if kind == "ec" else "rsa_keygen_bits"
        key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
        openssl(
            "req", "-x509", "-newkey", kind, "-pkeyopt", f"{option}:{size}", "-nodes", "-days", 2,
            "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", *more,
            "-keyout", key, "-out", certificate,
        )  # fmt: skip
        return certificate, key

    return made


def refused(certificate: Path, key: Path | None = None) -> str:
    """Why a server does not open with these."""
    with pytest.raises(HostError) as told:
        doors.tls_context(certificate, key)
    return str(told.value)


def test_a_key_with_a_password_is_refused_and_nobody_is_asked_for_it(
    make: Make, tmp_path: Path
) -> None:
    certificate, key = make()
    locked, both = tmp_path / "locked.pem", tmp_path / "both.pem"
    openssl("ec", "-in", key, "-aes128", "-passout", "pass:abcd", "-out", locked)
    both.write_text(certificate.read_text() + locked.read_text())
    told = refused(certificate, locked)
    assert f"The key in “{locked}” has a password" in told
    assert "store it without one" in told
    assert f"The key in “{both}” has a password" in refused(both)


def test_certificates_are_refused_in_words(make: Make, tmp_path: Path) -> None:
    (tmp_path / "hello.pem").write_text("hello")
    assert "(no certificate with its key, in PEM, is there)" in refused(tmp_path / "hello.pem")
    assert "(there is no such file or folder)" in refused(tmp_path / "none")
    told = refused(*make(algorithm="rsa:1024"))
    assert "(its key is too short to be safe)" in told
    odd = ssl.SSLError(1, "whatever OpenSSL may say")
    odd.library, odd.reason = "SSL", "SOME_WORDS_OF_OPENSSL"
    assert "words" not in str(unsafe(odd, "host")).lower()


def test_the_file_of_an_authority_needs_no_key(make: Make, tmp_path: Path) -> None:
    certificate, key = make()
    half = tmp_path / "half.pem"
    half.write_text(certificate.read_text()[:300])
    for path in (half, key):
        with pytest.raises(LinkError) as told:
            tls_context(path)
        assert "(no certificate in PEM is in it)" in str(told.value)


@pytest.mark.parametrize(
    ("extension", "why"),
    [
        ("extendedKeyUsage=clientAuth", "(its certificate is not for servers)"),
        ("1.2.3.4=critical,ASN1:UTF8String:x", "(its certificate is not in order)"),
    ],
)
async def test_what_a_certificate_is_not_good_for_is_said_in_words_of_ours(
    serve: Serve, make: Make, extension: str, why: str
) -> None:
    certificate, key = make("-addext", extension)
    server = await serve(tls_cert=certificate, tls_key=key)
    with pytest.raises(LinkError) as told:
        await connect(f"127.0.0.1:{server.port}", name="Ana", tls=tls_context(certificate))
    assert why in str(told.value)


async def test_one_is_told_how_to_trust_a_server_that_vouches_for_itself(
    serve: Serve, make: Make
) -> None:
    certificate, key = make()
    server = await serve(tls_cert=certificate, tls_key=key)
    with pytest.raises(LinkError) as told:
        await connect(f"127.0.0.1:{server.port}", name="Ana", tls=tls_context())
    assert "(nobody but itself vouches for its certificate)" in str(told.value)
    assert "name it with --tls-ca" in str(told.value)


def test_a_certificate_tells_whether_somebody_else_vouches_for_it(
    make: Make, tmp_path: Path
) -> None:
    own, _key = make("-addext", "basicConstraints=critical,CA:FALSE")
    assert vouches_for_itself(own), "even one that may vouch for no other"
    authority, key = make()
    assert vouches_for_itself(authority)
    asked, signed = tmp_path / "asked.pem", tmp_path / "signed.pem"
    openssl("req", "-new", "-key", key, "-subj", "/CN=games", "-out", asked)
    openssl("x509", "-req", "-in", asked, "-CA", authority, "-CAkey", key, "-out", signed,
            "-set_serial", 7)  # fmt: skip
    assert not vouches_for_itself(signed)
    signed.write_text(signed.read_text() + authority.read_text())
    assert not vouches_for_itself(signed), "the first one of a chain is the server's"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"SSH-2.0-OpenSSH_9.2p1\r\n", "does not encrypt its connections"),
        (b"\x16\x03\x03\xff\xff" + bytes(9), "does not encrypt its connections"),
        (b"\x15\x03\x03\x00\x02\x02\x28", "No encryption can be agreed on"),
    ],
)
async def test_what_speaks_no_tls_is_no_matter_of_trust(answer: bytes, why: str) -> None:
    async def speak(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(speak, "127.0.0.1", 0) as stranger:
        port = stranger.sockets[0].getsockname()[1]
        with pytest.raises(LinkError) as told:
            await connect(f"127.0.0.1:{port}", name="Ana", tls=tls_context())
    assert why in str(told.value)
    assert "trusted" not in str(told.value)


def test_a_certificate_that_has_expired_is_named() -> None:
    expired = ssl.SSLCertVerificationError(1, "certificate verify failed")
    expired.verify_code, expired.verify_message = 10, "certificate has expired"
    told = unsafe(expired, "host")
    assert isinstance(told, RackoError)
    assert str(told) == "“host” cannot be trusted (its certificate has expired)."
