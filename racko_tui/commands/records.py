"""`racko serve --export`: the records of the games that were finished on a server, as files."""

from __future__ import annotations

from pathlib import Path

from racko_core.errors import N_, RackoError
from racko_net.files import make_folder
from racko_net.reasons import reason
from racko_net.store import Store
from racko_tui import config
from racko_tui.i18n import ngettext


def export_all(data: Path, folder: Path) -> str:
    """Write the record of every finished game in a server's folder to a file of its own, but none
    that is there already; the server may be running. What was done, as a sentence.
    """
    path = data / "server.sqlite3"
    if not config.is_there(path):
        raise RackoError(
            N_("“{path}” is not the folder of a server; name that with --data."), path=data
        )
    store = Store(path, durable=False)
    try:
        make_folder(folder)
        count = sum(
            _written(folder / f"racko-game-{game.id}.txt", game.record)
            for game in store.every_game()
        )
    except OSError as error:
        raise RackoError(
            N_("The records cannot be written into “{path}” ({reason}); check the folder."),
            path=folder,
            reason=reason(error),
        ) from error
    finally:
        store.close()
    return ngettext(
        "{count} new record is in “{path}”.", "{count} new records are in “{path}”.", count
    ).format(count=count, path=folder)


def _written(path: Path, record: str) -> bool:
    """Whether the record was written: it is not where there is such a file."""
    try:
        with path.open("x", encoding="utf-8") as file:
            try:
                file.write(record)
                file.flush()
            except OSError:
                path.unlink()  # half a record would be taken for a whole one the next time
                raise
    except FileExistsError:
        return False
    return True
