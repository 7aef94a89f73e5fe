"""What a program writes to its error output: most of it is for the log, the last for a person."""

from __future__ import annotations

import logging
import re
from collections import deque
from typing import Final

from racko_net.text import harmless

_log = logging.getLogger(__name__)

_SAID: Final = 90
"""Characters of a line in a sentence about its end."""
_LAST: Final = 20
"""Lines among which is the one that tells why it ended."""
_WHY: Final = re.compile(r"error|exception|panic|cannot|can't|no such", re.IGNORECASE)
_MURMUR: Final = 300
"""Characters of a line in the log."""
_MURMURS: Final = 200
"""Lines in the log for one run of a program."""
BREATH: Final = 0.01
"""Seconds for which one does not listen to a program that writes errors without end, and between
two looks at whether one has ended that has nothing more to say."""
CHUNK: Final = 64 * 1024


class Murmurs:
    """What a program writes on its error output, on the way to the log."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._line = bytearray()
        self._count = 0
        self._last: deque[str] = deque(maxlen=_LAST)
        self._again = 0.0  # when to listen again

    def open(self, now: float) -> bool:
        """Whether to listen now."""
        return self._again <= now

    def take(self, data: bytes | None, now: float) -> None:
        """Something was written; nothing more will be where it is empty."""
        if data == b"":
            self._again = float("inf")
        elif data is not None:
            if len(data) == CHUNK:
                self._again = now + BREATH
            *lines, rest = data.split(b"\n")
            for line in lines:
                self._tell(self._line + line[:_MURMUR])
                self._line.clear()
            self._line += rest[: max(0, _MURMUR - len(self._line))]

    def close(self) -> None:
        """Tell what is left."""
        if self._line:
            self._tell(self._line)

    def why(self) -> str:
        """The line that tells, most likely, why it ended; as much of it as a sentence can hold.

        It is the last one, but where an interpreter puts its stack or its version below.
        """
        found = next((line for line in reversed(self._last) if _WHY.search(line)), None)
        line = found or (self._last[-1] if self._last else "")
        return line if len(line) <= _SAID else f"{line[: _SAID // 3]}…{line[-_SAID * 2 // 3 :]}"

    def _tell(self, line: bytes | bytearray) -> None:
        self._count += 1
        text = harmless(line[: 4 * _MURMUR].decode("utf-8", "replace"))[:_MURMUR]
        if text:
            self._last.append(text)
        if self._count <= _MURMURS:
            _log.warning("%s: %s", self._name, text)
        elif self._count == _MURMURS + 1:
            _log.warning("%s: more than %d lines; the rest is left out", self._name, _MURMURS)
