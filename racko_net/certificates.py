"""What is wrong with a certificate, a key, or an encrypted connection, in words of ours.

OpenSSL has hundreds of reasons, in English and for programmers. Those that are likely have words
here; of any other is only told what it concerns.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from racko_core.errors import N_, RackoError
from racko_net.reasons import reason

_UNTRUSTED: Final = {
    9: N_("its certificate is not valid yet"),
    10: N_("its certificate has expired"),
    18: N_("nobody but itself vouches for its certificate"),
    19: N_("nobody known here vouches for its certificate"),
    20: N_("nobody known here vouches for its certificate"),
    21: N_("nobody known here vouches for its certificate"),
    26: N_("its certificate is not for servers"),
    62: N_("its certificate is for another name"),
    64: N_("its certificate is for another address"),
    66: N_("the key of its certificate is too short to be safe"),
    67: N_("the key of who vouches for its certificate is too short to be safe"),
    68: N_("its certificate is signed in a way that is no longer safe"),
}
"""By OpenSSL's code, see its X509_STORE_CTX_get_error(3)."""
_VOUCHED: Final = (18, 19, 20, 21)
"""Codes of a certificate that is good as soon as somebody known here vouches for it."""
_UNUSABLE: Final = {
    "": N_("no certificate with its key, in PEM, is there"),
    "KEY_VALUES_MISMATCH": N_("the key belongs to another certificate"),
    "KEY_TYPE_MISMATCH": N_("the key belongs to another certificate"),
    "EE_KEY_TOO_SMALL": N_("its key is too short to be safe"),
    "CA_KEY_TOO_SMALL": N_("the key of who vouches for it is too short to be safe"),
    "CA_MD_TOO_WEAK": N_("it is signed in a way that is no longer safe"),
}
_CERTIFICATE: Final = re.compile(
    "-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL
)
_VERSION: Final = 0xA0
"""The tag in DER of a certificate's version."""
_NO_AUTHORITY: Final = N_("no certificate in PEM is in it")
_NO_TLS: Final = ("WRONG_VERSION_NUMBER", "PACKET_LENGTH_TOO_LONG", "RECORD_LAYER_FAILURE")
"""What OpenSSL says when what came back was no TLS at all."""


def vouches_for_itself(certificate: Path) -> bool:
    """Whether the first certificate of a PEM file was signed by nobody else, so that only who has
    it as a file can trust it. Raises `OSError`, and `ValueError` for what is no certificate.
    """
    # RFC 5280, section 4.1: a version or none, serial number, algorithm, issuer, validity, subject.
    signed = next(_parts(next(_parts(first_of(certificate)))[1]))[1]
    named = [value for tag, value in _parts(signed) if tag != _VERSION]
    return named[2] == named[4]


def fingerprint(certificate: bytes) -> str:
    """SHA-256, in hex, of a certificate in DER."""
    return hashlib.sha256(certificate).hexdigest()


def first_of(certificate: Path) -> bytes:
    """The first certificate of a PEM file, in DER: the one that a server shows. Raises `OSError`,
    and `ValueError` for what is no certificate.
    """
    import ssl  # a module that not everybody needs

    found = _CERTIFICATE.search(certificate.read_text("ascii", errors="replace"))
    if found is None:
        raise ValueError("no certificate in PEM")
    return ssl.PEM_cert_to_DER_cert(found[0])


def _parts(der: bytes) -> Iterator[tuple[int, bytes]]:
    """What a value in DER is made of: the tag and the content of each part."""
    at = 0
    while at < len(der):
        tag, length, at = der[at], der[at + 1], at + 2
        if length > 127:  # the length of the length
            size = length - 128
            length, at = int.from_bytes(der[at : at + size], "big"), at + size
        yield tag, der[at : at + length]
        at += length


def unusable(error: OSError) -> str | RackoError:
    """Why a certificate with its key, or the certificate of an authority, cannot be used."""
    if not hasattr(error, "library"):  # no `ssl.SSLError`, a module that not everybody needs
        return reason(error)
    openssl = str(getattr(error, "reason", None) or "")
    if error.library == "X509" and not (openssl and openssl in _UNUSABLE):
        return RackoError(_NO_AUTHORITY)
    kind = N_("it is of a kind that cannot be used here")
    return RackoError(_UNUSABLE.get(openssl, kind))


def unsafe(error: OSError, address: object) -> RackoError:
    """Why an `ssl.SSLError` kept us from what answers at an address."""
    code = getattr(error, "verify_code", 0)
    if code in _VOUCHED:
        return RackoError(
            N_(
                "“{address}” cannot be trusted ({reason}); if its certificate was given to you as"
                " a file, name it with --tls-ca."
            ),
            address=address,
            reason=RackoError(_UNTRUSTED[code]),
        )
    if code:
        return RackoError(
            N_("“{address}” cannot be trusted ({reason})."),
            address=address,
            reason=RackoError(_UNTRUSTED.get(code, N_("its certificate is not in order"))),
        )
    if getattr(error, "reason", "") in _NO_TLS:
        return RackoError(N_("“{address}” does not encrypt its connections."), address=address)
    return RackoError(
        N_("No encryption can be agreed on with “{address}”; is it a host of Rack-O games?"),
        address=address,
    )
