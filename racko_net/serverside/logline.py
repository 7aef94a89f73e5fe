"""Lines of the server's log: what happened, then `key=value` for each fact."""

from __future__ import annotations

import json


def line(event: str, **facts: object) -> str:
    """One line. Text that is not a plain word is quoted, so that nobody can forge a line."""
    return " ".join([event, *(f"{key}={_word(value)}" for key, value in facts.items())])


def _word(value: object) -> str:
    text = f"{value:.3f}" if isinstance(value, float) else str(value)
    plain = text.isascii() and text and all(each.isalnum() or each in "-_.:/[]%" for each in text)
    return text if plain else json.dumps(text)
