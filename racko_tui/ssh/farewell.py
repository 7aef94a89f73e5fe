"""Turning a client away before anything is agreed: a version and one unencrypted packet.

It costs the host a hundred bytes and no arithmetic, however many come. OpenSSH prints the reason:
“Received disconnect from 192.0.2.7 port 2222:12: …” (RFC 4253, sections 4.2, 6 and 11.1).
"""

from __future__ import annotations

import os
import struct
from typing import Final

VERSION: Final = "Racko"
"""What the host calls itself: `SSH-2.0-Racko`."""
TOO_MANY_CONNECTIONS: Final = 12
BY_APPLICATION: Final = 11
_DISCONNECT: Final = 1
_BLOCK: Final = 8


def farewell(reason: str, code: int = TOO_MANY_CONNECTIONS) -> bytes:
    """All that a client who cannot come in is told."""
    text = reason.encode()
    payload = (
        struct.pack(">BII", _DISCONNECT, code, len(text)) + text + struct.pack(">I", 2) + b"en"
    )
    padding = _BLOCK - (5 + len(payload)) % _BLOCK
    if padding < 4:  # at least four bytes of it, in whole blocks
        padding += _BLOCK
    head = struct.pack(">IB", 1 + len(payload) + padding, padding)
    return f"SSH-2.0-{VERSION}\r\n".encode() + head + payload + os.urandom(padding)
