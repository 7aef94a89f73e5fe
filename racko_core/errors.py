"""Errors that a person may read: one sentence each, ready to be translated.

The core knows no language but English. It raises sentences as a template with values, so that
whoever shows them can look the template up in a catalogue first.
"""

from __future__ import annotations


def N_(template: str) -> str:
    """Mark `template` for the message catalogue and return it unchanged."""
    return template


def figure(value: float) -> str:
    """A number as it stands in an English sentence, with the digits that it needs."""
    return f"{value:g}"


class RackoError(Exception):
    """A sentence for a person: what happened, and what to do.

    `template` is the English sentence with `{named}` places; it is the key of the translation.
    `values` fill the places; a float is told as a `figure`. `str(error)` is the English sentence.
    """

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template, values)
        self.template = template
        self.values = values

    def __str__(self) -> str:
        return self.template.format(
            **{
                name: figure(value) if isinstance(value, float) else value
                for name, value in self.values.items()
            }
        )

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.template, self.values))


def _rebuild(kind: type[RackoError], template: str, values: dict[str, object]) -> RackoError:
    return kind(template, **values)


class RulesError(RackoError):
    """A setting, or a combination of settings, that makes no sense."""


class IllegalAction(RackoError):
    """An action that the rules do not allow now; the game is unchanged."""


class RecordError(RackoError):
    """A game record that cannot be read, or that does not hold; `line` is its line number."""

    def __init__(self, template: str, *, line: int, **values: object) -> None:
        super().__init__(template, line=line, **values)
        self.line = line

    def __reduce__(self) -> tuple[object, ...]:
        values = {key: value for key, value in self.values.items() if key != "line"}
        return (_rebuild_record, (type(self), self.template, self.line, values))


def _rebuild_record(
    kind: type[RecordError], template: str, line: int, values: dict[str, object]
) -> RecordError:
    return kind(template, line=line, **values)
