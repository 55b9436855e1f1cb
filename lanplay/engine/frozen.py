"""Values: frozen to the type checker and to every reader, cheap to make at run time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def frozen(cls: type[T]) -> type[T]:
    """Make a class a value: a dataclass with slots, compared and hashed by its fields.

    mypy refuses to assign to its fields. ``dataclass(frozen=True)`` would do so again at run time,
    at three times the price of an object, and a game makes a thousand questions and requests.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)
