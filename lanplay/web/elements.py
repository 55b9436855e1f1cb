"""HTML and SVG as values: whatever is no ``Markup`` is escaped where it goes in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from markupsafe import Markup, escape

Kid: TypeAlias = "Markup | str | int | float | None"
"""What may stand inside of an element; ``None`` is nothing."""
VOID: Final = frozenset({"input", "link", "meta", "br", "hr"})
"""Elements of HTML without an end."""


def el(name: str, /, *kids: Kid, **attributes: str | int | float | bool | None) -> Markup:
    """Return an element. ``class_`` stands for ``class``, ``data_do`` for ``data-do``.

    An attribute that is ``None`` or false is left out, one that is true has no value.
    """
    head = "".join(map(_attribute, attributes, attributes.values()))
    if name in VOID:
        return Markup(f"<{name}{head}>")
    return Markup(f"<{name}{head}>{joined(kids)}</{name}>")


def _attribute(name: str, value: str | int | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = name.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(value)}"'


def joined(kids: Iterable[Kid]) -> Markup:
    """Return some elements and texts, one after the other."""
    return Markup("".join([escape(kid) for kid in kids if kid is not None]))


def some(true: object, name: str) -> str:
    """Return the name of a class where something is true, preceded by a blank."""
    return f" {name}" if true else ""


NOTHING: Final = Markup()
