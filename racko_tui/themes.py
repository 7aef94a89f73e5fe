"""The colour themes, and the colours of our own that every one of them defines.

Colours come from the 256-colour palette of xterm, so that a terminal without true colour shows the
same ones. No state is told by colour alone.

Variables that style sheets may use besides Textual's own (`$background`, `$surface`, `$panel`,
`$foreground`, `$accent`: what can be done now, `$warning`: what is wrong, `$success`: what scores):

    $quiet          text that matters less
    $line           frames and rules
    $on-accent      text on a ground of $accent
    $card           the face of a card          $card-text       its number
    $card-good      a card that scores now      $card-good-text  its number
    $card-bad       a card that breaks order    $card-bad-text   its number
    $card-run       a card of the longest run   $card-run-text   its number
    $card-hand      the card in hand            $card-hand-text  its number
    $card-back      the back of a card          $card-back-text  the pattern on it
    $paper          the sheet of a scorecard    $ink             what is written on it
    $ink-quiet      what matters less there     $ink-line        its ruling
    $ink-red        the red pencil
    $side-1 ... $side-4   the colours of players or teams on $background
    $ink-1 ... $ink-4     the same on $paper

A widget that draws its lines itself finds them in `app.theme_variables["card"]` and so on.
"""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

from racko_tui.config import THEMES
from racko_tui.i18n import _

RACKO: Final = Theme(
    name="racko",
    primary="#5fafd7",
    secondary="#5f87af",
    accent="#ffaf00",
    warning="#ff5f5f",
    error="#ff5f5f",
    success="#87d787",
    foreground="#e4e4e4",
    background="#121212",
    surface="#1c1c1c",
    panel="#262626",
    dark=True,
    variables={
        "quiet": "#9e9e9e",
        "line": "#4e4e4e",
        "on-accent": "#121212",
        "card": "#ffffd7",
        "card-text": "#1c1c1c",
        "card-good": "#afd787",
        "card-good-text": "#1c1c1c",
        "card-bad": "#ff8787",
        "card-bad-text": "#1c1c1c",
        "card-run": "#ffd75f",
        "card-run-text": "#1c1c1c",
        "card-hand": "#87d7ff",
        "card-hand-text": "#1c1c1c",
        "card-back": "#005f87",
        "card-back-text": "#5fafd7",
        "paper": "#ffffd7",
        "ink": "#1c1c1c",
        "ink-quiet": "#626262",
        "ink-line": "#bcbcbc",
        "ink-red": "#af0000",
        "side-1": "#ffaf00",
        "side-2": "#5fd7ff",
        "side-3": "#87d787",
        "side-4": "#ff87d7",
        "ink-1": "#af5f00",
        "ink-2": "#005faf",
        "ink-3": "#005f00",
        "ink-4": "#870087",
        "block-cursor-foreground": "#121212",
        "block-cursor-background": "#ffaf00",
        "block-cursor-text-style": "bold",
        "border": "#ffaf00",
        "footer-key-foreground": "#ffaf00",
    },
)

PAPER: Final = Theme(
    name="paper",
    primary="#005faf",
    secondary="#5f87af",
    accent="#005faf",
    warning="#af0000",
    error="#af0000",
    success="#005f00",
    foreground="#1c1c1c",
    background="#eeeeee",
    surface="#e4e4e4",
    panel="#dadada",
    dark=False,
    variables={
        "quiet": "#585858",
        "line": "#a8a8a8",
        "on-accent": "#ffffff",
        "card": "#ffffff",
        "card-text": "#1c1c1c",
        "card-good": "#87d787",
        "card-good-text": "#1c1c1c",
        "card-bad": "#ff8787",
        "card-bad-text": "#1c1c1c",
        "card-run": "#ffd75f",
        "card-run-text": "#1c1c1c",
        "card-hand": "#005faf",
        "card-hand-text": "#ffffff",
        "card-back": "#5f87af",
        "card-back-text": "#d7ffff",
        "paper": "#ffffff",
        "ink": "#1c1c1c",
        "ink-quiet": "#626262",
        "ink-line": "#c6c6c6",
        "ink-red": "#af0000",
        "side-1": "#af5f00",
        "side-2": "#005faf",
        "side-3": "#005f00",
        "side-4": "#870087",
        "ink-1": "#af5f00",
        "ink-2": "#005faf",
        "ink-3": "#005f00",
        "ink-4": "#870087",
        "block-cursor-foreground": "#ffffff",
        "block-cursor-background": "#005faf",
        "block-cursor-text-style": "bold",
        "border": "#005faf",
        "footer-key-foreground": "#005faf",
    },
)

OKABE: Final = Theme(
    # After Okabe and Ito's palette for colour-blind eyes: blue for what scores, vermilion for what
    # breaks the order, yellow for what can be done; they differ in lightness as well.
    name="okabe",
    primary="#5fafff",
    secondary="#5f87af",
    accent="#ffd75f",
    warning="#ff8700",
    error="#ff8700",
    success="#5fafff",
    foreground="#eeeeee",
    background="#121212",
    surface="#1c1c1c",
    panel="#262626",
    dark=True,
    variables={
        "quiet": "#a8a8a8",
        "line": "#585858",
        "on-accent": "#121212",
        "card": "#eeeeee",
        "card-text": "#121212",
        "card-good": "#87d7ff",
        "card-good-text": "#121212",
        "card-bad": "#d75f00",
        "card-bad-text": "#ffffff",
        "card-run": "#ffff5f",
        "card-run-text": "#121212",
        "card-hand": "#d7afff",
        "card-hand-text": "#121212",
        "card-back": "#005f87",
        "card-back-text": "#5fafff",
        "paper": "#eeeeee",
        "ink": "#121212",
        "ink-quiet": "#585858",
        "ink-line": "#b2b2b2",
        "ink-red": "#af5f00",
        "side-1": "#ffaf00",
        "side-2": "#5fafff",
        "side-3": "#00af87",
        "side-4": "#d787af",
        "ink-1": "#af5f00",
        "ink-2": "#005faf",
        "ink-3": "#005f5f",
        "ink-4": "#87005f",
        "block-cursor-foreground": "#121212",
        "block-cursor-background": "#ffd75f",
        "block-cursor-text-style": "bold",
        "border": "#ffd75f",
        "footer-key-foreground": "#ffd75f",
    },
)

CONTRAST: Final = Theme(
    name="contrast",
    primary="#00ffff",
    secondary="#ffffff",
    accent="#ffff00",
    warning="#ff8787",
    error="#ff8787",
    success="#00ff00",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#000000",
    dark=True,
    variables={
        "quiet": "#dadada",
        "line": "#ffffff",
        "on-accent": "#000000",
        "card": "#ffffff",
        "card-text": "#000000",
        "card-good": "#00ff00",
        "card-good-text": "#000000",
        "card-bad": "#ff8787",
        "card-bad-text": "#000000",
        "card-run": "#ffff00",
        "card-run-text": "#000000",
        "card-hand": "#00ffff",
        "card-hand-text": "#000000",
        "card-back": "#0000ff",
        "card-back-text": "#ffffff",
        "paper": "#ffffff",
        "ink": "#000000",
        "ink-quiet": "#303030",
        "ink-line": "#000000",
        "ink-red": "#870000",
        "side-1": "#ffff00",
        "side-2": "#00ffff",
        "side-3": "#00ff00",
        "side-4": "#ff87ff",
        "ink-1": "#5f0000",
        "ink-2": "#00005f",
        "ink-3": "#005f00",
        "ink-4": "#5f005f",
        "block-cursor-foreground": "#000000",
        "block-cursor-background": "#ffff00",
        "block-cursor-text-style": "bold",
        "border": "#ffff00",
        "footer-key-foreground": "#ffff00",
    },
)

TERMINAL: Final = Theme(
    # The terminal's own sixteen colours, on its own ground: only those that can be read on a dark
    # and on a light one.
    name="terminal",
    ansi=True,
    primary="ansi_blue",
    secondary="ansi_cyan",
    accent="ansi_magenta",
    warning="ansi_red",
    error="ansi_red",
    success="ansi_green",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    dark=True,
    variables={
        "ansi-background": "ansi_black",
        "ansi-foreground": "ansi_white",
        "text-muted": "ansi_default",
        "text-disabled": "ansi_default",
        "quiet": "ansi_default",
        "line": "ansi_bright_black",
        "on-accent": "ansi_bright_white",
        "card": "ansi_white",
        "card-text": "ansi_black",
        "card-good": "ansi_green",
        "card-good-text": "ansi_black",
        "card-bad": "ansi_red",
        "card-bad-text": "ansi_bright_white",
        "card-run": "ansi_yellow",
        "card-run-text": "ansi_black",
        "card-hand": "ansi_cyan",
        "card-hand-text": "ansi_black",
        "card-back": "ansi_blue",
        "card-back-text": "ansi_bright_white",
        "paper": "ansi_white",
        "ink": "ansi_black",
        "ink-quiet": "ansi_black",
        "ink-line": "ansi_bright_black",
        "ink-red": "ansi_red",
        "side-1": "ansi_magenta",
        "side-2": "ansi_cyan",
        "side-3": "ansi_green",
        "side-4": "ansi_red",
        "ink-1": "ansi_magenta",
        "ink-2": "ansi_blue",
        "ink-3": "ansi_black",
        "ink-4": "ansi_red",
        "block-cursor-foreground": "ansi_bright_white",
        "block-cursor-background": "ansi_magenta",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-foreground": "ansi_default",
        "block-cursor-blurred-background": "ansi_default",
        "border": "ansi_magenta",
        "border-blurred": "ansi_bright_black",
        "footer-key-foreground": "ansi_magenta",
        "input-cursor-text-style": "reverse",
        "input-selection-background": "ansi_blue",
        "input-selection-foreground": "ansi_bright_white",
        "scrollbar": "ansi_bright_black",
        "scrollbar-hover": "ansi_magenta",
        "scrollbar-active": "ansi_magenta",
        "scrollbar-background": "ansi_default",
        "scrollbar-background-hover": "ansi_default",
        "scrollbar-background-active": "ansi_default",
        "scrollbar-corner-color": "ansi_default",
    },
)

PLAIN: Final = Theme(
    # For terminals without colour: light where a ground is to stand out, dark elsewhere. What is
    # light is shown in reverse (module `filters`).
    name="plain",
    primary="#ffffff",
    secondary="#ffffff",
    accent="#ffffff",
    warning="#ffffff",
    error="#ffffff",
    success="#ffffff",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#000000",
    dark=True,
    variables={
        **dict.fromkeys(CONTRAST.variables, "#ffffff"),
        **{name: "#000000" for name in CONTRAST.variables if name.endswith("-text")},
        "on-accent": "#000000",
        "card-back": "#000000",
        "card-back-text": "#ffffff",
        "paper": "#000000",
        "block-cursor-foreground": "#000000",
        "block-cursor-text-style": "bold",
    },
)

THEME_LIST: Final = (RACKO, PAPER, OKABE, CONTRAST, TERMINAL)
assert tuple(theme.name for theme in THEME_LIST) == THEMES


def shown_name(theme: str) -> str:
    """What a person reads for a theme."""
    return {
        "racko": _("Rack-O, dark"),
        "paper": _("Paper, light"),
        "okabe": _("Colour-blind safe"),
        "contrast": _("High contrast"),
        "terminal": _("The terminal's own"),
    }[theme]
