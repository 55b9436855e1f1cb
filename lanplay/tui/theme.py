"""What each mark of a text looks like. Nothing is told by colour alone: marks are letters too.

A palette maps roles to prompt-toolkit styles. With no colours what is left are weight, underline
and reverse video, which every palette sets apart from colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

LOOKS: Final = {
    "text": ("", "", "", ""),
    "dim": ("", "#8a8a8a", "#5f5f5f", ""),
    "title": ("bold", "#ffd75f", "#875f00", "#f0e442"),
    "bar": ("reverse", "#d7af5f bg:#1c1c1c", "#5f3f00 bg:#ffffff", ""),
    "key": ("bold", "#87d7ff", "#005f87", "#56b4e9"),
    "cursor": ("reverse", "", "", ""),
    "chosen": ("bold underline", "#87ff87", "#005f00", "#56b4e9"),
    "off": ("", "#767676", "#767676", ""),
    "die": ("bold", "#ffffff", "#000000", ""),
    "kept": ("bold underline", "#87ff87", "#005f00", "#56b4e9"),
    "gold": ("", "#ffd700", "#875f00", "#f0e442"),
    "money": ("", "#87d787", "#005f00", "#56b4e9"),
    "card": ("", "#87afff", "#00008b", "#cc79a7"),
    "claim": ("", "#d7af87", "#5f3700", "#e69f00"),
    "badge": ("bold", "#ffd75f", "#875f00", "#f0e442"),
    "you": ("bold", "#ffffff", "#000000", ""),
    "good": ("bold", "#87d787", "#005f00", "#56b4e9"),
    "bad": ("bold", "#ff8787", "#af0000", "#e69f00"),
    "think": ("", "#d7af5f", "#875f00", "#e69f00"),
    "qr": ("", "#000000 bg:#ffffff", "#000000 bg:#ffffff", ""),
    "found": ("reverse", "", "", ""),
    "red": ("bold", "#ff5f5f", "#af0000", "#d55e00"),
    "yellow": ("bold", "#ffd700", "#875f00", "#f0e442"),
    "green": ("bold", "#5fd75f", "#005f00", "#009e73"),
    "blue": ("bold", "#5fafff", "#0000af", "#56b4e9"),
    "violet": ("bold", "#d787ff", "#870087", "#cc79a7"),
    "white": ("bold", "#ffffff", "#444444", ""),
}
"""Every role: its shape without colours, its colours (of the letters, maybe of the ground) in the
palettes ``dark``, ``light`` and, where it has others than ``dark``, ``colour-blind``.

Six roles are colours, for things of which a game has six. The last palette has the eight colours of
Okabe and Ito, told apart by all common kinds of colour vision.
"""
PALETTES: Final = ("dark", "light", "colour-blind")
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


@cache
def style(palette: str) -> Style:
    """Return the style of a palette; ``ValueError`` for one that there is not."""
    place = PALETTES.index(palette)
    looks = {}
    for role, (shape, *colours) in LOOKS.items():
        colour = colours[place] or colours[0]
        looks[role] = f"{shape} fg:{colour}" if colour else shape
    return Style.from_dict(looks)


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
