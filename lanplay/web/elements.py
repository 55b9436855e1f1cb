"""HTML and SVG as values: whatever is no ``Markup`` is escaped where it goes in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Final, TypeAlias

from markupsafe import Markup

Kid: TypeAlias = "Markup | str | int | float | None"
"""What may stand inside of an element; ``None`` is nothing."""
VOID: Final = frozenset({"input", "link", "meta", "br", "hr"})
"""Elements of HTML without an end."""


def el(name: str, /, *kids: Kid, **attributes: str | int | float | bool | None) -> Markup:
    """Return an element. ``class_`` stands for ``class``, ``data_do`` for ``data-do``.

    An attribute that is ``None`` or false is left out, one that is true has no value.
    """
    head = "".join([_attribute(key, value) for key, value in attributes.items()])
    if name in VOID:
        return Markup(f"<{name}{head}>")
    inside = "".join([_safe(kid) for kid in kids if kid is not None])
    return Markup(f"<{name}{head}>{inside}</{name}>")


def _safe(kid: Markup | str | float) -> str:
    """Return what may stand in a document; plain, as that is five times as fast."""
    if type(kid) is Markup:
        return kid
    return escape(kid) if isinstance(kid, str) else str(kid)


def _attribute(name: str, value: str | int | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    if "_" in name:
        name = name.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{_safe(value)}"'


def choice(
    name: str, texts: Mapping[str, str], now: str, *, ident: str, key: str | None = None
) -> Markup:
    """Return a list to choose a value from, each with its text; ``now`` is the one so far.

    ``ident`` is its id, ``key`` its ``data-key``.
    """
    options = [
        el("option", text, value=value, selected=value == now) for value, text in texts.items()
    ]
    return el("select", *options, id=ident, name=name, data_key=key)


def joined(kids: Iterable[Kid]) -> Markup:
    """Return some elements and texts, one after the other."""
    return Markup("".join([_safe(kid) for kid in kids if kid is not None]))


def some(true: object, name: str) -> str:
    """Return the name of a class where something is true, preceded by a blank."""
    return f" {name}" if true else ""


NOTHING: Final = Markup()
