"""Bytes from a terminal, made into events. Sans-I/O.

What arrives is not to be trusted: it may be no text at all, and sequences may be broken, endless,
or claim a size of a million columns. What cannot be read is passed over.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from typing import Final

from textual import events, messages
from textual._xterm_parser import XTermParser
from textual.message import Message

TICK: Final = 0.05
"""Seconds between two looks at whether an Escape stands alone."""
_TICKS: Final = 4
"""Looks after the last byte; Textual waits 100 ms for the rest of a sequence."""
_OLD_REPORT: Final = re.compile(rb"\x1b\[M(.{3})", re.DOTALL)
"""What the mouse did, from a terminal that knows no better (X10): the button, the column and the
row, a byte for each, 32 more than it says. From column 96 on that byte is part of no letter."""
_REPORT_BEGUN: Final = re.compile(rb"\x1b(\[(M.{0,2})?)?\Z", re.DOTALL)
_REPORT_START: Final = len(b"\x1b[")
"""How much of a report is the same in the old form and the new one."""
_MOVES_OR_SCROLLS: Final = 32 | 64
_RELEASED: Final = 3


class _Parser(XTermParser):
    """Textual's parser without its two ways to trust a terminal too much.

    Its cache of key sequences is one for all parsers and keeps them, and with them their apps,
    alive for ever; and a report of the size in pixels makes it divide by what the client said.
    """

    def _parse_extended_key(self, sequence: str) -> list[events.Key] | None:  # type: ignore[override]
        parse = XTermParser._parse_extended_key.__wrapped__
        found: list[events.Key] | None = parse(self, sequence)
        return found

    def parse_mouse_code(self, code: str) -> Message | None:
        self.mouse_pixels = False
        return super().parse_mouse_code(code)


class Keyboard:
    """Turns bytes into events, never one about the terminal's size: that is known from elsewhere.

    `longest` is how many characters may arrive without making an event, and so the longest text
    that can be pasted.
    """

    def __init__(self, encoding: str, *, longest: float) -> None:
        self._decode = codecs.getincrementaldecoder(encoding)("ignore").decode
        self._parser = _Parser()
        self._longest = longest
        self._begun = b""  # what may become a report of the mouse
        self._pressed = 0  # the button: a report in the old form does not say which is released
        self._silent = 0
        self._ticks = 0

    def feed(self, data: bytes) -> list[Message]:
        """The events that `data` completes."""
        self._ticks = _TICKS
        text = self._decode(self._with_new_reports(data))
        if not text:
            return []
        found: list[Message] = []
        for letter in text:
            try:
                found.extend(self._wanted(self._parser.feed(letter)))
            except Exception:  # whatever it stumbled over, the next letter is a new beginning
                self._parser = _Parser()
        self._silent = 0 if found else self._silent + len(text)
        if self._silent > self._longest:
            self._parser = _Parser()
            self._silent = 0
        return found

    def tick(self) -> list[Message]:
        """The events that the passing of time completes: an Escape that stands alone."""
        self._ticks -= 1
        if not self.ticking:
            self._begun = b""
        try:
            return list(self._wanted(self._parser.tick()))
        except Exception:
            self._parser = _Parser()
            return []

    @property
    def ticking(self) -> bool:
        """Whether to call `tick` in another `TICK` seconds."""
        return self._ticks > 0

    @staticmethod
    def _wanted(found: Iterable[Message]) -> Iterable[Message]:
        unwanted = (events.Resize, messages.InBandWindowResize)
        return (event for event in found if not isinstance(event, unwanted))

    def _with_new_reports(self, data: bytes) -> bytes:
        """The data with every report of the mouse in the form that the parser reads.

        A report may arrive in pieces. Its start is passed on at once: it may be an Escape.
        """
        passed_on = len(self._begun[:_REPORT_START])
        data = _OLD_REPORT.sub(self._as_new, self._begun + data)
        begun = _REPORT_BEGUN.search(data)
        self._begun = begun[0] if begun else b""
        kept_back = len(self._begun[_REPORT_START:])
        return data[passed_on : len(data) - kept_back]

    def _as_new(self, report: re.Match[bytes]) -> bytes:
        what, column, row = (byte - 32 for byte in report[1])
        moves = what & _MOVES_OR_SCROLLS
        released = not moves and what & _RELEASED == _RELEASED
        if released:
            what += self._pressed - _RELEASED
        elif not moves:
            self._pressed = what & _RELEASED
        return b"\x1b[<%d;%d;%d%c" % (what, column, row, b"m" if released else b"M")
