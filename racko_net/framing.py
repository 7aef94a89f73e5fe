"""Bytes to frames and back: four bytes of length, big-endian, then so many bytes of one message.

Sans-I/O: bytes go in as they arrive, whole payloads come out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from racko_core.errors import N_, RackoError

MAX_FRAME: Final = 64 * 1024
"""Bytes of the largest payload; a longer frame is refused before its payload is read."""
HEADER: Final = 4
"""Bytes of the length that stands before each payload."""


class FrameError(RackoError):
    """Bytes that are no frames; whatever follows them cannot be read either."""


def frame(payload: bytes) -> bytes:
    """The payload with its length before it. Raises `FrameError` if it is empty or too long."""
    if not payload or len(payload) > MAX_FRAME:
        raise _too_long(len(payload))
    return len(payload).to_bytes(HEADER, "big") + payload


class FrameReader:
    """Collects what arrives and gives whole payloads."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Take what arrived and yield each payload that is complete now.

        Raises `FrameError` for an empty or too long frame. Never holds more than one frame and
        what arrived last.
        """
        held = self._bytes
        held += data
        start = 0
        try:
            while len(held) - start >= HEADER:
                length = int.from_bytes(held[start : start + HEADER], "big")
                if not 0 < length <= MAX_FRAME:
                    raise _too_long(length)
                end = start + HEADER + length
                if len(held) < end:
                    break
                payload = bytes(held[start + HEADER : end])
                start = end
                yield payload
        finally:
            del held[:start]

    @property
    def waiting(self) -> int:
        """Bytes of a frame that has not arrived completely."""
        return len(self._bytes)


def _too_long(length: int) -> FrameError:
    return FrameError(
        N_("A message of {length} bytes; one has 1 to {allowed}."), length=length, allowed=MAX_FRAME
    )
