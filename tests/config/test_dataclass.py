"""Dataclasses that are made late do what those of the standard library do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from lanplay import dataclass as ours

T = TypeVar("T")


def made(library: Any) -> dict[str, Any]:
    """Return classes that a library makes, by their names."""

    @library.dataclass(frozen=True, slots=True)
    class Frozen:
        """A value."""

        SHARED: ClassVar[int] = 3
        a: int
        b: tuple[int, ...] = (1, 2)
        c: dict[str, int] = library.field(default_factory=dict, compare=False)
        d: str = library.field(default="secret", repr=False)
        e: int = library.field(init=False)
        f: list[int] = library.field(init=False, default_factory=list, compare=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "e", self.a + self.SHARED)

    @library.dataclass(slots=True)
    class Open:
        a: int = 0
        b: int = library.field(default=1, init=False)

        def __repr__(self) -> str:
            return f"<{self.a}>"

    @library.dataclass(frozen=True, slots=True)
    class Alone:
        a: int = 0
        __eq__ = object.__eq__
        __hash__ = object.__hash__

    @library.dataclass(frozen=True, slots=True)
    class Named(Generic[T]):
        b: T

    @library.dataclass(slots=True, frozen=True)
    class Single:
        a: int

    @library.dataclass(frozen=True, slots=True)
    class Nothing:
        pass

    every = (Frozen, Open, Alone, Named, Single, Nothing)
    return {each.__name__: each for each in every}


OURS, THEIRS = made(ours), made(dataclasses)
DONE: dict[str, Callable[[dict[str, Any]], Any]] = {
    "shown": lambda c: repr((c["Frozen"](1), c["Open"](2), c["Named"](b="x"), c["Nothing"]())),
    "compared": lambda c: [
        c["Frozen"](1) == c["Frozen"](1, c={"x": 1}),
        c["Frozen"](1) == c["Frozen"](2),
        c["Open"]() == c["Open"](1),
        c["Alone"]() == c["Alone"](),
        c["Single"](1) == 1,
        c["Nothing"]() == c["Nothing"](),
    ],
    "hashed": lambda c: [
        hash(each) for each in (c["Frozen"](1), c["Single"](7), c["Nothing"](), c["Named"](b=2))
    ],
    "no hash": lambda c: hash(c["Open"]()),
    "assigned": lambda c: setattr(c["Open"](), "a", 2),
    "slots": lambda c: setattr(c["Open"](), "z", 2),
    "too few": lambda c: c["Frozen"](),
    "too many": lambda c: c["Single"](1, 2),
    "own default": lambda c: c["Frozen"](1).c is c["Frozen"](1).c,
    "replaced": lambda c: repr(dataclasses.replace(c["Frozen"](1, d="x"), a=4)),
    "replaced by ours": lambda c: repr(ours.replace(c["Frozen"](1, d="x"), a=4)),
    "as a dict": lambda c: dataclasses.asdict(c["Frozen"](1)),
    "as a tuple": lambda c: dataclasses.astuple(c["Frozen"](1)),
    "fields": lambda c: [
        (each.name, each.type, each.init, each.compare) for each in dataclasses.fields(c["Frozen"])
    ],
    "matched": lambda c: [c["Frozen"](1).__match_args__, c["Open"]().__match_args__],
    "copied": lambda c: [
        repr(function(value))
        for function in (copy.copy, copy.deepcopy)
        for value in (c["Frozen"](1, (3,)), c["Open"](4))
    ],
    "named": lambda c: [(c[name].__qualname__, c[name].__module__) for name in c],
    "documented": lambda c: c["Frozen"].__doc__,
}


@pytest.mark.parametrize("name", DONE)
def test_a_dataclass_does_what_one_of_the_standard_library_does(name: str) -> None:
    """The result is the same, and so is the error."""

    def tried(classes: dict[str, Any]) -> Any:
        try:
            return DONE[name](classes)
        except (AttributeError, TypeError) as error:
            return type(error)

    assert tried(OURS) == tried(THEIRS)
    assert tried(OURS) == tried(THEIRS)  # the first object has changed its class


@ours.dataclass(frozen=True, slots=True)
class Sent:
    """A value that goes to another process."""

    a: int
    b: list[int] = ours.field(default_factory=list)


def test_a_dataclass_goes_to_another_process() -> None:
    """Frozen or not, pickle brings it back."""
    assert pickle.loads(pickle.dumps(Sent(1, [2]))) == Sent(1, [2])


def test_a_dataclass_without_slots_is_refused() -> None:
    """It is the standard library's."""
    with pytest.raises(AssertionError, match="slots"):
        ours.dataclass(slots=False)
