"""Dice, symbols and cards as SVG, drawn by code: everything that boards share."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from markupsafe import Markup

from lanplay.web.elements import Kid, el, joined, some

HUES: Final = ("red", "yellow", "green", "blue", "violet", "white")
"""Classes of the six colours of Charidice, in its order."""
PIPS: Final = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568"}
"""Where a number has its pips: places of a grid of three by three."""
SHAPES: Final = (
    "M0-7.4 7 5.2H-7z",
    "M0-6a6 6 0 1 0 .1 0z",
    "M-5.3-5.3H5.3V5.3H-5.3z",
    "M0-7.6 6.6 0 0 7.6-6.6 0z",
    "M0-7.8 2.2-2.6 7.7-2.2 3.5 1.4 4.8 6.8 0 3.9-4.8 6.8-3.5 1.4-7.7-2.2-2.2-2.6z",
    "M0-6.4a6.4 6.4 0 1 0 .1 0zM0-3a3 3 0 1 1-.1 0z",
)
"""The shape of the pips of each colour, so that it is told without any: triangle, disc, square,
diamond, star, ring."""
SUITS: Final = (
    "M0-11a5 5 0 0 1 4.2 7.8A5 5 0 1 1 1.6 4L3 9H-3l1.4-5a5 5 0 1 1-2.6-7.2A5 5 0 0 1 0-11z",
    "M0-11 8.5 0 0 11-8.5 0z",
    "M-12 5c4-1 4-2 5-8 .6-3.6 3-5 5-3.5 1.3 1 2.7 1 4 0 2-1.5 4.4-.1 5 3.5 1 6 1 7 5 8"
    "-4 4-20 4-24 0z",
    "M0 10C-12 2-10-8-4.6-8-2-8-.6-6 0-4.6.6-6 2-8 4.6-8 10-8 12 2 0 10z",
    "M-10 8-11-6l6 5L0-9 5-1l6-5-1 14z",
    "M0-11C9-2 10 0 10 2.5 10 7 4 7.5 1.5 4L3 10H-3l1.5-6C-4 7.5-10 7-10 2.5-10 0-9-2 0-11z",
)
"""What is under the letter of a poker die: club, diamond, hat, heart, crown, spade."""
ICONS: Final = {
    "mine": "M4 20 14 10M8 5c5-2 9 2 11 6M13 4l5 5M4 14h3M15 20l2-3h3l1 3z",
    "bank": "M3 10 12 4l9 6zM5 20h14M6 10v8M10 10v8M14 10v8M18 10v8",
    "coach": "M12 4a8 8 0 1 0 .01 0zM12 4v16M4 12h16M6.5 6.5l11 11M17.5 6.5l-11 11",
    "store": "M7 4h10c2 5 2 11 0 16H7C5 15 5 9 7 4zM5.7 9h12.6M5.7 15h12.6M12 4v16",
    "saloon": "M4 20V5h16v15M12 7v11M4 7h8M12 7h8M6 10h4M6 13h4M14 10h4M14 13h4M12 18H6M12 18h6",
    "sheriff": "M12 3l2.5 5.6 6 .6-4.6 4 1.4 6-5.3-3.2-5.3 3.2 1.4-6-4.6-4 6-.6z",
    "hall": "M4 20V11h16v9zM4 11l8-6 8 6M12 5V2h4v2h-4M10 20v-5h4v5M7 14h.01M17 14h.01",
    "doc": "M10 3h4M11 3v5l-5 9c-1 2 0 4 2 4h8c2 0 3-2 2-4l-5-9V3M8 15h8",
    "equipment": "M4 20 15 9M12 4c4 0 8 4 8 8M12 4l8 8M5 5l4 4M4 8l4-4",
    "dynamite": "M7 9h4v12H7zM11 9h4v12h-4zM7 13h8M7 17h8M13 9c0-4 4-2 4-6M19 3h2M18 6l1 1",
    "girls": "M12 20C3 13 4 6 8.5 6c2 0 3 1.5 3.5 3 .5-1.5 1.5-3 3.5-3C20 6 21 13 12 20z",
    "brute": "M6 11V7h3v4M9 8V5h3v6M12 8V5h3v6M15 9V7h3v7c0 4-2 6-6 6s-6-2-6-6v-3h6v3",
    "cheater": "M5 9l7-4 7 4v8l-7 4-7-4zM5 9l7 4 7-4M12 13v8M9 14.5v.01M16 15v.01M12 9v.01",
    "corruption": "M9 4h6l-2 4c4 2 6 5 6 8 0 3-3 4-7 4s-7-1-7-4c0-3 2-6 6-8zM12 11v7M10 16h4",
    "credit": "M3 6h18v12H3zM3 10h18M6 15h5",
    "joe": "M3 8h13l4 1v2h-8l-1 3H9l-2 6H4l2-7-3-1zM11 11c0 2 1 3 2 3",
    "marshal": "M12 3a9 9 0 1 0 .01 0zM12 6l2 4 4 .4-3 3 1 4-4-2.1-4 2.1 1-4-3-3 4-.4z",
    "split": "M12 4v16M8 20h8M5 8h14M5 8l-3 6h6zM19 8l-3 6h6z",
    "wanted": "M5 3h14v18H5zM8 6h8M12 9a2.5 2.5 0 1 0 .01 0zM8 18c1-4 7-4 8 0z",
    "elixir": "M10 3h4M10 3v4c-3 1-4 3-4 6v8h12v-8c0-3-1-5-4-6V3M6 13h12M12 15v4M10 17h4",
    "claim": "M2 20h20M4 20l5-9 4 6 3-4 4 7M17 4v6M17 4l4 1.5L17 7",
    "go.start": "M6 5v14M19 5 9 12l10 7z",
    "go.round-back": "M12 5 3 12l9 7zM21 5l-9 7 9 7z",
    "go.back": "M16 5 7 12l9 7z",
    "go.forward": "M8 5l9 7-9 7z",
    "go.round": "M12 5l9 7-9 7zM3 5l9 7-9 7z",
    "go.end": "M18 5v14M5 5l10 7-10 7z",
    "back": "M5 3h14v18H5zM8 6h8v12H8zM12 8l3 4-3 4-3-4z",
}
"""Strokes on 24 by 24: places of the town, kinds of cards, the ways through a replay."""


@cache
def icon(name: str, label: str = "") -> Markup:
    """Return a symbol; without a label it is an ornament."""
    hidden = None if label else "true"
    path = el("path", d=ICONS[name])
    return el(
        "svg",
        path,
        class_="icon",
        viewBox="0 0 24 24",
        aria_hidden=hidden,
        role="img" if label else None,
        aria_label=label or None,
    )


def _body(*inside: Markup, classes: str, label: str) -> Markup:
    """Return a die: an edge, a face and what is on it."""
    edge = el("rect", x=2, y=4, width=60, height=59, rx=13, class_="edge")
    face = el("rect", x=2, y=1, width=60, height=59, rx=13, class_="face")
    shine = el("path", d="M9 14Q10 7 18 6H46Q53 7 55 12Q32 8 9 14z", class_="shine")
    return el(
        "svg",
        *(edge, face, shine, *inside),
        class_=f"die {classes}",
        viewBox="0 0 64 64",
        role="img",
        aria_label=label,
    )


@cache
def coloured_die(number: int, colour: int, label: str) -> Markup:
    """Return a die whose pips have the shape of its colour."""
    pips = [
        el(
            "path",
            d=SHAPES[colour],
            transform=f"translate({16 + 16 * (int(at) % 3)} {14.5 + 16 * (int(at) // 3)})",
        )
        for at in PIPS[number]
    ]
    return _body(*pips, classes=HUES[colour], label=label)


@cache
def poker_die(face: int, letter: str) -> Markup:
    """Return a poker die, 0 (nine) to 5 (ace)."""
    text = el("text", letter, x=32, y=30)
    suit = el("path", d=SUITS[face], transform="translate(32 44)")
    return _body(text, suit, classes=f"poker p{face}", label=letter)


@cache
def hidden_die(label: str) -> Markup:
    """Return a die that is still under a cup."""
    return el(
        "svg",
        el("rect", x=4, y=4, width=56, height=56, rx=13),
        class_="die none",
        viewBox="0 0 64 64",
        role="img",
        aria_label=label,
    )


@cache
def card(kind: str, name: str, does: str = "") -> Markup:
    """Return a card, face up; it can be opened to read what it ``does``."""
    named, classes = joined([icon(kind), el("b", name)]), f"card k-{kind}"
    if not does:
        return el("span", named, class_=classes)
    return el("details", el("summary", named), el("small", does), class_=classes)


def amount(token: Markup, count: Kid, label: str, kind: str = "", has: str | None = None) -> Markup:
    """Return how much there is of something: a token and a number; ``has`` says whose it is."""
    named, number = el("span", label, class_="unseen"), el("b", count, data_has=has)
    return el("span", named, token, number, class_=f"amount{some(kind, kind)}", title=label)


def emblem(pieces: Iterable[Markup]) -> Markup:
    """Return a few pieces that stand for a game: an ornament."""
    return el("span", *pieces, class_="emblem", aria_hidden="true")
