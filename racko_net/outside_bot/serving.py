"""Our own bots, served to other programs over the same lines."""

from __future__ import annotations

import logging
from typing import BinaryIO

from racko_core import actions
from racko_core.actions import Action
from racko_core.bots import Bot
from racko_core.errors import N_, RackoError
from racko_core.rules import Rules
from racko_core.view import View
from racko_net.outside_bot import messages
from racko_net.reasons import Unfit, unfit

_log = logging.getLogger(__name__)


class ServingError(RackoError):
    """A line that is no question."""


def serve(bot: Bot, name: str, lines: BinaryIO, answers: BinaryIO) -> None:
    """Answer every line until there are no more. Raises `ServingError`.

    A bot keeps nothing between decisions, so any seat of any game by the same rules may be asked
    for at any time; a second `hello` brings other rules.
    """
    rules: Rules | None = None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            asked = messages.from_racko(line)
            if asked is None:
                continue
            if isinstance(asked, messages.Hello):
                rules = messages.rules_of(asked)
                answer: messages.Line = messages.Ready(messages.VERSION, name)
            elif rules is None:
                raise Unfit(N_("a hello comes first"))
            else:
                view = messages.view_of(asked, rules)
                answer = messages.Choice(asked.id, actions.encode(_decided(bot, view)))
        except ValueError as error:
            raise ServingError(
                N_("Line {line} cannot be answered ({reason}); the bot protocol says how to ask."),
                line=number,
                reason=unfit(error),
            ) from None
        answers.write(messages.encode(answer))
        answers.flush()


def _decided(bot: Bot, view: View) -> Action:
    """What the bot does. Raises `Unfit` where a question makes no sense to it."""
    try:
        action = bot.decide(view)
    except Exception:
        _log.exception("a question could not be decided")
        raise Unfit(N_("what it tells does not belong together")) from None
    if action not in view.legal:
        raise Unfit(N_("its legal actions are not those of its position"))
    return action
