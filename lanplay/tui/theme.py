"""What each mark of a text looks like. Nothing is told by colour alone: marks are letters too.

A palette maps roles to prompt-toolkit styles. With no colours what is left are weight, underline
and reverse video, which every palette sets apart from colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

SHAPES: Final[Mapping[str, str]] = {
    "text": "",
    "dim": "",
    "title": "bold",
    "bar": "reverse",
    "key": "bold",
    "cursor": "reverse",
    "chosen": "bold underline",
    "off": "",
    "die": "bold",
    "kept": "bold underline",
    "gold": "",
    "money": "",
    "card": "",
    "claim": "",
    "badge": "bold",
    "you": "bold",
    "good": "bold",
    "bad": "bold",
    "think": "",
    "found": "reverse",
    "red": "bold",
    "yellow": "bold",
    "green": "bold",
    "blue": "bold",
    "violet": "bold",
    "white": "bold",
}
"""Every role, and its look without colours; six are colours, for things of which a game has six."""

DARK: Final[Mapping[str, str]] = {
    "dim": "fg:#8a8a8a",
    "title": "fg:#ffd75f",
    "bar": "fg:#d7af5f bg:#1c1c1c",
    "key": "fg:#87d7ff",
    "chosen": "fg:#87ff87",
    "off": "fg:#767676",
    "die": "fg:#ffffff",
    "kept": "fg:#87ff87",
    "gold": "fg:#ffd700",
    "money": "fg:#87d787",
    "card": "fg:#87afff",
    "claim": "fg:#d7af87",
    "badge": "fg:#ffd75f",
    "you": "fg:#ffffff",
    "good": "fg:#87d787",
    "bad": "fg:#ff8787",
    "think": "fg:#d7af5f",
    "red": "fg:#ff5f5f",
    "yellow": "fg:#ffd700",
    "green": "fg:#5fd75f",
    "blue": "fg:#5fafff",
    "violet": "fg:#d787ff",
    "white": "fg:#ffffff",
}
LIGHT: Final[Mapping[str, str]] = {
    "dim": "fg:#5f5f5f",
    "title": "fg:#875f00",
    "bar": "fg:#5f3f00 bg:#ffffff",
    "key": "fg:#005f87",
    "chosen": "fg:#005f00",
    "off": "fg:#767676",
    "die": "fg:#000000",
    "kept": "fg:#005f00",
    "gold": "fg:#875f00",
    "money": "fg:#005f00",
    "card": "fg:#00008b",
    "claim": "fg:#5f3700",
    "badge": "fg:#875f00",
    "you": "fg:#000000",
    "good": "fg:#005f00",
    "bad": "fg:#af0000",
    "think": "fg:#875f00",
    "red": "fg:#af0000",
    "yellow": "fg:#875f00",
    "green": "fg:#005f00",
    "blue": "fg:#0000af",
    "violet": "fg:#870087",
    "white": "fg:#444444",
}
COLOUR_BLIND: Final[Mapping[str, str]] = {
    **DARK,
    "title": "fg:#f0e442",
    "key": "fg:#56b4e9",
    "chosen": "fg:#56b4e9",
    "kept": "fg:#56b4e9",
    "gold": "fg:#f0e442",
    "money": "fg:#56b4e9",
    "card": "fg:#cc79a7",
    "claim": "fg:#e69f00",
    "badge": "fg:#f0e442",
    "good": "fg:#56b4e9",
    "bad": "fg:#e69f00",
    "think": "fg:#e69f00",
    "red": "fg:#d55e00",
    "yellow": "fg:#f0e442",
    "green": "fg:#009e73",
    "blue": "fg:#56b4e9",
    "violet": "fg:#cc79a7",
}
"""The eight colours of Okabe and Ito, told apart by all common kinds of colour vision."""

PALETTES: Final = {"dark": DARK, "light": LIGHT, "colour-blind": COLOUR_BLIND}
DEPTHS: Final = {
    "256": ColorDepth.DEPTH_8_BIT,
    "16": ColorDepth.DEPTH_4_BIT,
    "none": ColorDepth.DEPTH_1_BIT,
}


BARE: Final = ("dumb", "unknown", "vt100", "vt102", "vt220", "vt320")
"""Values of TERM without colours; so is every one that ends in ``-mono`` or ``-m``."""
FEW: Final = ("linux", "ansi", "cygwin", "cons25", "eterm-color", "rxvt", "xterm-16color")
"""Values of TERM with 16 colours."""
BRIGHT: Final = ("7", "15")
"""Backgrounds in COLORFGBG that are light: white and bright white."""


def style(palette: str) -> Style:
    """Return the style of a palette; ``KeyError`` for one that there is not."""
    colours = PALETTES[palette]
    return Style.from_dict(
        {role: f"{shape} {colours.get(role, '')}".strip() for role, shape in SHAPES.items()}
    )


def suiting(theme: str, environ: Mapping[str, str]) -> str:
    """Return the palette of a theme; for ``auto`` what suits the terminal's background.

    Some terminals tell it in COLORFGBG, ``foreground;background`` or with a word between them, as
    numbers of the 16 colours; all others are taken for dark.
    """
    if theme != "auto":
        return theme
    return "light" if environ.get("COLORFGBG", "").rpartition(";")[2] in BRIGHT else "dark"


def depth(colours: str, environ: Mapping[str, str]) -> ColorDepth | None:
    """Return how many colours to use; ``None``, where TERM is not set, lets the system decide.

    ``auto`` heeds NO_COLOR, then COLORTERM, then TERM. More than 256 are never used.
    """
    if colours != "auto":
        return DEPTHS[colours]
    detected = able(environ)
    return DEPTHS[detected] if detected else None


def able(environ: Mapping[str, str]) -> str:
    """Return how many colours the environment promises: 256, 16 or none; empty if it is silent."""
    term = environ.get("TERM", "")
    if environ.get("NO_COLOR") or term in BARE or term.endswith(("-m", "-mono")):
        return "none"
    if environ.get("COLORTERM"):
        return "256"
    if term in FEW:
        return "16"
    return "256" if term else ""
