"""The codes by which tables are called: letters that can be read aloud, such as KAFU."""

from __future__ import annotations

import random
from collections.abc import Container
from itertools import count
from typing import Final

_SONORANTS: Final = "BDFGHJKLMNPRSTVZ"
_VOWELS: Final = "AEIOU"


def new_code(rng: random.Random, *taken: Container[str]) -> str:
    """A code that is in none of `taken`."""
    for tries in count():
        syllables = 2 + tries // 20
        code = "".join(rng.choice(_SONORANTS) + rng.choice(_VOWELS) for _ in range(syllables))
        if not any(code in each for each in taken):
            return code
    raise AssertionError
