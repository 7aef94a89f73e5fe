"""Style sheets that are parsed once for a theme, whoever shows them and however often.

Textual parses all of them anew for every application, for every change of theme, and whenever a
screen brings a sheet of its own along: that was a third of the work of opening a screen, and over
SSH a fifth of the memory of every player.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path, PurePath
from typing import Any

from textual.cache import LRUCache
from textual.css.model import RuleSet
from textual.css.stylesheet import CssSource, Stylesheet
from textual.css.tokenize import tokenize_values
from textual.css.tokenizer import Token
from textual.style import Style

_SHEETS = 512
"""Style sheets of one theme that are kept; there are some hundred."""
_STYLES = 4096
"""Styles in words (“bold $accent”) of one theme that are kept."""
_ORDERS = 64
"""Sets of rules of one theme that are kept; each player opens the same screens in some order."""


class _Parsed:
    """Everything that has been parsed with the variables of one theme."""

    def __init__(self, variables: dict[str, str]) -> None:
        self.tokens = tokenize_values(variables)
        self.rules: LRUCache[tuple[Any, ...], list[RuleSet]] = LRUCache(_SHEETS)
        self.styles: LRUCache[str, Style] = LRUCache(_STYLES)
        self.together: LRUCache[tuple[Any, ...], tuple[list[RuleSet], dict[str, list[RuleSet]]]]
        self.together = LRUCache(_ORDERS)


@lru_cache(16)
def _parsed(variables: tuple[tuple[str, str], ...]) -> _Parsed:
    return _Parsed(dict(variables))


@lru_cache(_SHEETS)
def _text(path: str) -> str:
    return Path(path).read_text("utf-8")


class SharedStylesheet(Stylesheet):
    """A style sheet that shares with all others what it has parsed."""

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self.set_variables(self._variables)

    def set_variables(self, variables: dict[str, str]) -> None:
        """Use the variables of another theme."""
        self._variables = variables
        self._invalid_css = set()
        self._parsed = _parsed(tuple(variables.items()))
        self._parse_cache = self._parsed.rules
        self._style_parse_cache = self._parsed.styles

    @property
    def _variable_tokens(self) -> dict[str, list[Token]]:
        return self._parsed.tokens

    def copy(self) -> Stylesheet:
        """Another one with the same sources."""
        stylesheet = SharedStylesheet(variables=self._variables)
        stylesheet.source = self.source.copy()
        return stylesheet

    def read(self, filename: str | PurePath) -> None:
        """Add a file."""
        # Under the name that Textual looks for, not its shortest one, or it is added again.
        self.source[str(filename), ""] = CssSource(_text(str(filename)), False, 0)
        self._require_parse = True

    @property
    def rules_map(self) -> dict[str, list[RuleSet]]:
        """The rules by what they are for."""
        if self._require_parse or self._rules_map is None:
            self.parse()
        assert self._rules_map is not None
        return self._rules_map

    def parse(self) -> None:
        """Find the rules of all sources. An error leaves them as they were."""
        together = self._parsed.together
        key = tuple(self.source.items())
        known = together.get(key)
        if known is None:
            super().parse()
            together[key] = self._rules, super().rules_map
            return
        self._rules, self._rules_map = known
        self._require_parse = False

    def reparse(self) -> None:
        """Find the rules once more; the variables may be others."""
        self.parse()
