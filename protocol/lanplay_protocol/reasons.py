"""Reasons as they cross the network: a fault's name with its values, or a sentence in English.

The other side words a fault that it knows in its own language. A sentence is what a program says
that has no name for its reason; it is shown as it is, made harmless. Both are shown as a quotation:
nothing that another program says passes for what this one has found.
"""

from __future__ import annotations

from typing import Any, Final

from lanplay.errors import Fault
from lanplay.notices import Notice
from lanplay.told import Told
from lanplay_protocol.schema import fields, items, refuse, text
from lanplay_protocol.text import clean_text

LIMIT: Final = 500
"""The most letters of a sentence, and of a value."""
_VALUES: Final = 8
_NUMBERS: Final = 1 << 32


def packed(why: str) -> Any:
    """Return a reason as plain data: (name, ((key, value), ...)) of a fault, else its text."""
    if not isinstance(why, Told) or not isinstance(why.saying, Fault):
        return why[:LIMIT]
    plain = {k: v if type(v) is int else str(v)[:LIMIT] for k, v in sorted(why.values.items())}
    return why.saying.name, tuple(plain.items())


def unpacked(value: Any) -> Told:
    """Return the reason that ``packed`` made, quoted; ``PeerError`` for what is none.

    A fault that this program does not know, or with other values than it needs, is told by name.
    """
    return Notice.SAID.of(why=_reason(value))


def _reason(value: Any) -> str:
    if type(value) is str:
        return clean_text(text(value, 2 * LIMIT, "reason"), LIMIT)
    name, pairs = fields(value, 2, "reason")
    name = clean_text(text(name, 64, "name of a reason"), 64)
    values = dict(items(pairs, _VALUES, "values of a reason", _pair))
    fault = Fault.__members__.get(name)
    if fault is None or values.keys() != fault.fields:
        return name
    if any(type(values[key]) is not int for key in fault.counted):
        return name
    return fault.of(**values)


def _pair(value: Any) -> tuple[str, str | int]:
    key, shown = fields(value, 2, "value of a reason")
    key = text(key, 64, "name of a value")
    if type(shown) is int and 0 <= shown < _NUMBERS:
        return key, shown
    if type(shown) is not str:
        refuse("a value of a reason is neither text nor a number")
    return key, clean_text(text(shown, 2 * LIMIT, "value of a reason"), LIMIT)
