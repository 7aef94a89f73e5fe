"""Keys: the bindings that a player may change, how keys are called, and which ones are free.

Every binding that can be changed has an id; `Settings.keys` says which keys were given to it
instead of its own.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from textual.binding import Binding, BindingType
from textual.keys import _character_to_key, key_to_character

from racko_core.errors import N_, RackoError
from racko_tui.i18n import _, pgettext

if TYPE_CHECKING:
    from textual.screen import Screen

_log = logging.getLogger(__name__)

RESERVED: Final = ("ctrl+c", "ctrl+q")
"""Keys that always leave, whatever else happens."""


class KeyTaken(RackoError):
    """A key that cannot be given to a binding."""


@dataclass(frozen=True, slots=True)
class Bound:
    """Something that keys do."""

    id: str
    keys: str
    """The keys, as Textual writes them, with commas between."""
    word: str
    """What it does, in a word, in English."""
    tooltip: str
    """The same in a sentence, in English."""


def of_screen(screen: type[Screen[Any]], changed: Mapping[str, str]) -> list[Bound]:
    """What the keys of a screen do, in its order, with the keys as the player changed them."""
    return [
        Bound(
            binding.id or "",
            changed.get(binding.id or "", binding.key),
            binding.description,
            binding.tooltip or binding.description,
        )
        for binding in screen.BINDINGS
        if isinstance(binding, Binding)
    ]


def settled(changed: Mapping[str, str], bindings: Iterable[BindingType]) -> dict[str, str]:
    """The changes without those through which one key would do two things, or not its own.

    People edit the file of settings. Of two that share a key the later one gets its own keys
    again; if it has them already, the earlier one does.
    """
    own = [one for one in bindings if isinstance(one, Binding)]
    left = {id: ",".join(_long(key) for key in keys.split(",")) for id, keys in changed.items()}
    while (loser := _clashing(left, own)) is not None:
        _log.warning("the key %s of %s does something else already", left.pop(loser), loser)
    return left


def _clashing(changed: Mapping[str, str], own: Iterable[Binding]) -> str | None:
    """The id of the first change that cannot stay; None if all can."""
    taken: dict[str, str] = dict.fromkeys(RESERVED, "")
    for binding in own:
        id = binding.id or ""
        for key in changed.get(id, binding.key).split(","):
            if taken.get(key, id) != id:
                return id if id in changed else taken[key]
            taken[key] = id
    return None


def _long(key: str) -> str:
    """A key as Textual calls it: `question_mark` for `?`."""
    key = key.strip()
    return _character_to_key(key) if len(key) == 1 else key


def changeable() -> type[Screen[Any]]:
    """The screen whose keys can be changed: the table."""
    from racko_tui.screens.table import TableScreen

    return TableScreen


def check_free(key: str, id: str, bound: Iterable[Bound]) -> None:
    """Raise `KeyTaken` if `key` cannot be given to the binding `id`."""
    if key in RESERVED:
        raise KeyTaken(N_("{key} always leaves; choose another key."), key=shown(key))
    for other in bound:
        if other.id != id and key in other.keys.split(","):
            raise KeyTaken(
                N_("{key} is taken: it means “{word}”. Choose another key."),
                key=shown(key),
                word=_(other.word),
            )


def short_names(bound: Iterable[Bound], *, ascii_only: bool) -> dict[str, str]:
    """How the keys are called in little room, by what they do (`draw` for `table.draw`); of
    several keys, the first.
    """
    names = {}
    for one in bound:
        key = one.keys.split(",")[0]
        short = key == "enter" and not ascii_only
        names[one.id.rpartition(".")[2]] = "⏎" if short else shown(key)
    return names


def shown(keys: str) -> str:
    """Keys as they are printed on a keyboard: `↑ k`."""
    return " ".join(_one(key) for key in keys.split(","))


def _one(key: str) -> str:
    names = {
        "enter": _("Enter"),
        "escape": _("Esc"),
        "space": _("Space"),
        "tab": _("Tab"),
        "backspace": _("Backspace"),
        "delete": _("Delete"),
        "up": pgettext("key", "↑"),
        "down": pgettext("key", "↓"),
        "left": pgettext("key", "←"),
        "right": pgettext("key", "→"),
        "pageup": _("Page Up"),
        "pagedown": _("Page Down"),
        "home": pgettext("key", "Home"),
        "end": pgettext("key", "End"),
    }
    *modifiers, last = key.split("+") if key != "+" else ["+"]
    name = names.get(last) or key_to_character(last) or last.upper()
    words = {"ctrl": _("Ctrl"), "shift": _("Shift"), "alt": _("Alt")}
    return "+".join([*(words.get(modifier, modifier) for modifier in modifiers), name])


def together(bound: Iterable[Bound]) -> list[Bound]:
    """The same with neighbours that do the same thing in one: the ten digits, say."""
    merged: list[Bound] = []
    for one in bound:
        if merged and merged[-1].tooltip == one.tooltip:
            before = merged[-1]
            merged[-1] = Bound(before.id, f"{before.keys},{one.keys}", one.word, one.tooltip)
        else:
            merged.append(one)
    return merged
