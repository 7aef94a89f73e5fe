"""A sentence for a person on its way over the wire, ready to be translated where it arrives."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from racko_core.errors import RackoError, figure
from racko_net.text import harmless

_LONGEST: Final = 300
"""Characters of a sentence that anybody can read."""


def _told(value: object) -> str | int:
    if type(value) is int:
        return value
    return harmless(figure(value) if isinstance(value, float) else str(value))


class Sentence(Struct, omit_defaults=True):
    """A sentence for a person, ready to be translated."""

    text: str
    """The sentence in English."""
    template: str = ""
    """The same with `{named}` places, the key of a translation."""
    values: dict[str, str | int] = {}
    """What fills the places, in English."""
    parts: dict[str, Sentence] = {}
    """Those of `values` that can be translated themselves."""
    figures: dict[str, float] = {}
    """Those of `values` that are numbers with a fraction, which languages write in their ways."""

    @classmethod
    def of(cls, error: RackoError) -> Sentence:
        """What `error` says."""
        given = error.values.items()
        return cls(
            str(error),
            error.template,
            {name: _told(value) for name, value in given},
            {name: cls.of(value) for name, value in given if isinstance(value, RackoError)},
            {name: value for name, value in given if isinstance(value, float)},
        )

    def error(self, depth: int = 3) -> RackoError:
        """The sentence as an error; what a server sent cannot do more than be read, and parts of
        parts count to a `depth`.
        """
        values: dict[str, object] = {
            harmless(name): harmless(value)[:_LONGEST] if isinstance(value, str) else value
            for name, value in self.values.items()
        }
        values |= {name: it for name, it in self.figures.items() if name in values}
        for name, part in self.parts.items() if depth else ():
            said = part.error(depth - 1)
            if name in values and len(str(said)) <= _LONGEST:  # else they could grow without end
                values[name] = said
        template = harmless(self.template)[:_LONGEST]
        places = re.sub(r"\{([a-z_]+)\}", lambda place: "" if place[1] in values else "{", template)
        if not template or "{" in places or "}" in places:
            return RackoError("{text}", text=harmless(self.text)[:_LONGEST])
        return RackoError(template, **values)
