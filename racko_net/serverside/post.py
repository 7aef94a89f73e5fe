"""What follows from requests, in its order: first written down, then sent.

Rooms hand in writes and frames. Nothing leaves before `flush` has written everything; what
watchers hear is gathered and handed out a little later, so that players never wait for them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from racko_core.errors import N_, RackoError
from racko_net.sentence import Sentence
from racko_net.serverside.logline import line
from racko_net.serverside.peers import Peer
from racko_net.store import DiskError, Store

if TYPE_CHECKING:
    from racko_net.serverside.room import Room

_log = logging.getLogger(__name__)

_UNSAVED: Final = 100_000
"""Writes that may wait for a disk that is full; beyond them nothing more is saved."""
_RETRY: Final = 1.0
"""Seconds between two tries to write to a disk that failed."""
_NOTHING: Final = N_("The server cannot save games now ({reason}); play goes on.")
_THIS_TABLE: Final = N_(
    "The server cannot save this table any more ({reason}); play goes on until the server stops."
)


class Post:
    """Writes and frames on their way out."""

    def __init__(
        self,
        store: Store,
        troubled: Callable[[Sentence | None], None],
        written: Callable[[], None],
    ) -> None:
        """`written` is called whenever something was handed to the store."""
        self.trouble: Sentence | None = None
        """What keeps games from being saved."""
        self._store = store
        self._troubled = troubled
        self._written = written
        self._jobs: list[tuple[Room, Callable[[], None]]] = []
        self._outbox: list[tuple[Peer, bytes] | tuple[Room, int, bytes]] = []
        self._pending: dict[Room, list[tuple[int, bytes]]] = {}
        self._retry_at = 0.0
        self._given_up = False

    def write(self, room: Room, job: Callable[[], None]) -> None:
        """Have `job` write about a room to the store, all of it or nothing, before anything that
        is sent from now on.
        """
        if not self._given_up and not room.unsaved:
            self._jobs.append((room, job))

    def send(self, peer: Peer, frames: bytes) -> None:
        """Send after everything has been written. Who is sent to first is told first."""
        self._outbox.append((peer, frames))

    def broadcast(self, room: Room, number: int, frames: bytes) -> None:
        """Send the room's broadcast of that number to its watchers, later still."""
        self._outbox.append((room, number, frames))

    @property
    def retry_at(self) -> float | None:
        """When a write that failed is to be tried again; None if there is none."""
        return self._retry_at if self._jobs else None

    def flush(self, now: float) -> None:
        """Write down what happened since the last time, then tell it."""
        while self._jobs or self._outbox:
            self._save(now)
            outbox, self._outbox = self._outbox, []
            letters: dict[Peer, list[bytes]] = {}
            for entry in outbox:
                if len(entry) == 2:
                    letters.setdefault(entry[0], []).append(entry[1])
                else:
                    self._pending.setdefault(entry[0], []).append(entry[1:])
            for peer, frames in letters.items():
                peer.send(b"".join(frames))
            if self._jobs and not self._outbox:
                return

    def _save(self, now: float) -> None:
        if not self._jobs or (self.trouble is not None and now < self._retry_at):
            return
        try:
            try:
                with self._store.batch():
                    for _, job in self._jobs:
                        job()
                self._jobs.clear()
            except DiskError:
                raise
            except Exception:  # one of them cannot be done: that must not keep back the others
                self._save_singly()
            self._written()
        except DiskError as error:
            if self.trouble is None:
                _log.error("%s", line("not-saving", reason=str(error)))
            self._retry_at = now + _RETRY
            if len(self._jobs) > _UNSAVED:
                self._given_up = True
                self._jobs.clear()
                _log.error("%s", line("saving-given-up"))
            self._set_trouble(_sentence(_NOTHING, error))
        else:
            if not self._given_up:
                self._set_trouble(None)

    def _save_singly(self) -> None:
        """Do one job after the other. A room whose job cannot be done is saved no longer: its
        journal would have a gap.
        """
        while self._jobs:
            room, job = self._jobs[0]
            try:
                if not room.unsaved:
                    with self._store.batch():
                        job()
            except DiskError:
                raise
            except Exception as error:
                _log.exception("%s", line("table-not-saved", table=room.code))
                room.give_up_saving(_sentence(_THIS_TABLE, error))
            del self._jobs[0]

    def _set_trouble(self, trouble: Sentence | None) -> None:
        if trouble == self.trouble:
            return
        self.trouble = trouble
        if trouble is None:
            _log.info("%s", line("saving-again"))
        self._troubled(trouble)

    @property
    def shouting(self) -> bool:
        """Whether watchers have something to hear."""
        return bool(self._pending)

    def shout(self) -> Iterator[None]:
        """Send to watchers what is pending, one of them with each step.

        They hear of things a little later than the players, who never wait for them.
        """
        pending, self._pending = self._pending, {}
        for room, frames in pending.items():
            first = frames[0][0]
            whole = b"".join([frame for _, frame in frames])
            for peer, since in list(room.watchers.items()):
                if room.watchers.get(peer) != since:
                    continue
                if since <= first:
                    peer.send(whole)
                else:
                    peer.send(b"".join([frame for number, frame in frames if number >= since]))
                yield


def _sentence(template: str, error: Exception) -> Sentence:
    """What players are told of an error: not where the files of the server lie."""
    reason = error.values.get("reason", "") if isinstance(error, RackoError) else "?"
    return Sentence.of(RackoError(template, reason=reason))
