"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from pathlib import Path
from typing import Any, get_args

import click

from racko_core.errors import RackoError, RulesError, figure
from racko_core.rules import PRESETS, Call, Exhausted, FirstDealer, Rules, Scoring
from racko_tui.i18n import LANGUAGES, _, decimal, sentence


def _refusal(param: click.Parameter | None, allowed: str, value: object) -> click.UsageError:
    """That an option or an argument is something else than was given."""
    return click.UsageError(
        _("“{name}” is {allowed}, not “{value}”.").format(
            name=_called(param), allowed=allowed, value=value
        ),
        click.get_current_context(),
    )


def _called(param: click.Parameter | None) -> str:
    """What the command line calls it."""
    assert param is not None  # there is always one, but the types of click do not know
    if isinstance(param, click.Option):
        return param.opts[0]
    name = param.human_readable_name
    return name[1:-1] if name.startswith("[") else name


class _Given(click.Parameter):
    """What is given on the command line is never empty: that means nothing, anywhere."""

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """The value, and the arguments that are left."""
        given = opts.get(self.name or "")
        for value in given if isinstance(given, list) else [given]:
            if isinstance(value, str) and not value.strip():
                raise click.UsageError(
                    _("“{name}” is empty; give it a value, or leave it out.").format(
                        name=_called(self)
                    ),
                    ctx,
                )
        return super().handle_parse_result(ctx, opts, args)


class Option(_Given, click.Option):
    """An option, with something said if it is given."""


class Argument(_Given, click.Argument):
    """An argument; a single one is not empty, and one that is missing is said so in our words."""

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """The value as its type makes it."""
        try:
            return super().process_value(ctx, value)
        except click.MissingParameter:
            name = _called(self)
            text = (
                _("“{name}” is missing; it is {allowed}.").format(
                    name=name, allowed=" / ".join(self.type.choices)
                )
                if isinstance(self.type, OneOf)
                else _("“{name}” is missing.").format(name=name)
            )
            raise click.UsageError(text, ctx) from None


class Group(click.Group):
    """A command with commands; of one that there is not the nearest is named."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named, and the arguments that are left."""
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            from difflib import get_close_matches

            text = _("There is no command “{name}”.")
            for nearest in get_close_matches(name.lower(), self.list_commands(ctx), 1):
                text = _("There is no command “{name}”; do you mean “{nearest}”?").format(
                    name="{name}", nearest=nearest
                )
            raise click.UsageError(text.format(name=name), ctx)
        return super().resolve_command(ctx, args)


def shared_options() -> list[Option]:
    """What may stand before and after the name of any command; `racko_tui.cli` obeys it."""
    return [
        Option(
            ["--lang"],
            type=OneOf(list(LANGUAGES)),
            expose_value=False,
            help=_("The language to speak."),
        ),
        Option(["--ascii"], is_flag=True, expose_value=False, help=_("Use ASCII characters only.")),
    ]


def preset_option() -> Option:
    """The preset that the rules start from."""
    return Option(
        ["--rules", "preset"],
        type=OneOf(list(PRESETS)),
        help=_("The preset to start from."),
    )


def seats_option() -> Option:
    """The number of players, where nobody is named."""
    return Option(
        ["--seats"], type=number(), metavar="N", help=_("The number of players: 2, 3 or 4.")
    )


def rules_options() -> list[Option]:
    """One option for each rule; left out, it is None and the preset decides."""

    def choice(name: str, words: Any, text: str) -> Option:
        return Option([name], type=OneOf(get_args(words)), help=text)

    def count(name: str, text: str) -> Option:
        return Option([name], type=number(), metavar="N", help=text)

    def flag(name: str, text: str) -> Option:
        return Option([f"--{name}/--no-{name}"], default=None, help=text)

    return [
        count("--target", _("The points that end the game; 500 unless told otherwise.")),
        count("--min-run", _("The run that going out needs: 0 for none, or 2 to 6 cards.")),
        choice("--scoring", Scoring, _("What scores: the cards up to the first break, or all that"
                                       " rise.")),
        flag("bonus", _("Whether whoever goes out also scores for a run.")),
        choice("--call", Call, _("Whether a rack in order ends the round by itself, or its player"
                                 " says so.")),
        choice("--exhausted", Exhausted, _("What becomes of the discard pile when the draw pile is"
                                           " empty.")),
        choice("--first-dealer", FirstDealer, _("Which card drawn makes the first dealer.")),
        flag("teams", _("Whether four play two against two.")),
        count("--max-rounds", _("The round after which the game ends in any case.")),
        count("--stalemate-turnovers", _("How often the draw pile is renewed before a round ends"
                                         " with nobody going out.")),
    ]  # fmt: skip


class _Number(click.ParamType[int]):
    """A whole number, within bounds or not."""

    name = "number"

    def __init__(self, least: int | None, most: int | None) -> None:
        self._least = least
        self._most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number."""
        least, most = self._least, self._most
        try:
            found = int(value)
        except ValueError:
            pass
        else:
            if (least is None or least <= found) and (most is None or found <= most):
                return found
        if least is None:
            allowed = _("a whole number")
        elif most is None:
            allowed = _("a whole number from {least} up").format(least=least)
        else:
            allowed = _("a whole number from {least} to {most}").format(least=least, most=most)
        raise _refusal(param, allowed, value)


def number(least: int | None = None, most: int | None = None) -> click.ParamType[int]:
    """The type of a whole number, within bounds or not."""
    return _Number(least, most)


class Seconds(click.ParamType[float]):
    """A time, within bounds; with the decimal mark of any language spoken."""

    name = "seconds"

    def __init__(self, least: float, most: float) -> None:
        self._least = least
        self._most = most

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number."""
        try:
            found = float(str(value).replace(",", "."))
        except ValueError:
            found = nan
        if self._least <= found <= self._most:
            return found
        least, most = (decimal(figure(bound)) for bound in (self._least, self._most))
        allowed = _("a time from {least} to {most} seconds").format(least=least, most=most)
        raise _refusal(param, allowed, value)


class OneOf(click.Choice[str]):
    """One of some words, in small letters or capitals."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(words)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word."""
        word = str(value).lower()
        if word not in self.choices:
            raise _refusal(param, " / ".join(self.choices), value)
        return word


def path() -> click.ParamType[Path]:
    """The type of a path. Whoever uses it finds out what is there, and says so."""
    return click.Path(readable=False, path_type=Path)


class BotName(click.ParamType[str]):
    """The name of a bot in any case, or a program; with `references`, also one to measure by."""

    name = "bot"

    def __init__(self, *, references: bool = False) -> None:
        self._references = references

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name as it is known here."""
        from racko_core.bots import LEVELS, OURS, meant

        try:
            return meant(value, OURS if self._references else LEVELS)
        except RackoError as error:
            raise click.UsageError(sentence(error), click.get_current_context()) from None


def seed_option() -> Option:
    """What fixes every deal."""
    return Option(
        ["--seed"],
        metavar="N",
        callback=_text,
        help=_("A number or a word that fixes every deal; left out, chance decides."),
    )


def _text(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """Refuse what nobody can have meant: bytes that are no text."""
    try:
        (value or "").encode()
    except UnicodeEncodeError:
        raise click.UsageError(
            _("“{name}” is no text that can be read; give a number or a word.").format(
                name=_called(option)
            ),
            context,
        ) from None
    return value


def rules_from(preset: str | None, players: int | None, settings: dict[str, Any]) -> Rules:
    """The rules that were asked for; what makes no sense is wrong usage.

    Where the number of players is open it is the one that the rules need.
    """
    changes = {name: value for name, value in settings.items() if value is not None}
    preset = preset or "classic"
    if players is None and changes.get("teams"):
        players = 4
    try:
        return Rules.preset(preset, players, **changes)
    except RulesError as error:
        if (name := error.values.get("name")) in changes:  # here it is an option
            values = {**error.values, "name": "--" + str(name).replace("_", "-")}
            error = RulesError(error.template, **values)
        raise click.UsageError(sentence(error), click.get_current_context()) from None
