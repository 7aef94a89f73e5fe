"""The game record: one game as a text that people can read and programs can verify.

`write` makes the text, `read` takes it apart, `Record.replay` plays it again, and `verify` checks
every rule, result and fair-deal proof in it. NOTATION.md describes the format for readers in other
languages; it and this package change together, with `VERSION`.

Without the seed a record tells only of rounds that have ended, and promises the deck of the round
in play by its commitment. It can be given away while the game goes on.
"""

from racko_core.record.model import HUMAN, CutOffError, Record, RoundRecord, SeatName
from racko_core.record.reader import read
from racko_core.record.verifier import Verification, verify
from racko_core.record.writer import VERSION, write

__all__ = [
    "HUMAN",
    "VERSION",
    "CutOffError",
    "Record",
    "RoundRecord",
    "SeatName",
    "Verification",
    "read",
    "verify",
    "write",
]
