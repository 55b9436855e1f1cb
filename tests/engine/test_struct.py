"""Values that are structs: compared, hashed, shown and copied by their fields."""

from __future__ import annotations

import pickle
from importlib import import_module
from inspect import isclass, signature

import pytest

from lanplay.engine.fast_value import FastValue
from lanplay.engine.requests import Deal, OpenRoll, Show
from lanplay.games.dice_town.questions import Decide, Keep

MODULES = [
    "lanplay_ai.deciding",
    "lanplay.engine.requests",
    "lanplay.games.charidice.questions",
    "lanplay.games.charidice.sets",
    "lanplay.games.dice_town.questions",
    "lanplay.games.dice_town.windows",
    "lanplay.games.dogs_life.questions",
    "lanplay.games.fliptown.questions",
]


def structs() -> list[type[FastValue]]:
    """Return every class of values that are made in games."""
    found = [each for module in MODULES for each in vars(import_module(module)).values()]
    made = [each for each in found if isclass(each) and issubclass(each, FastValue)]
    given = {each for each in made if "__init__" in vars(each)}
    return sorted(given, key=lambda each: (each.__module__, each.__name__))


@pytest.mark.parametrize("kind", structs(), ids=lambda kind: kind.__name__)
def test_fields_stand_in_the_order_in_which_they_are_given(kind: type[FastValue]) -> None:
    """A struct's slots are the arguments that it is made of, so that it can be made again."""
    assert list(signature(kind).parameters) == list(kind.__slots__)


def test_equal_fields_make_equal_structs() -> None:
    """Structs of one class are equal, and hash alike, when their fields are equal."""
    assert OpenRoll((1, "a"), 2, 6) == OpenRoll((1, "a"), 2, 6)
    assert hash(OpenRoll((1, "a"), 2, 6)) == hash(OpenRoll((1, "a"), 2, 6))
    assert OpenRoll((1, "a"), 2, 6) != OpenRoll((1, "a"), 3, 6)


def test_another_class_makes_another_value() -> None:
    """Structs of two classes differ, whatever their fields."""
    assert Show((1, 2)) != Deal((1, 2), 0)
    assert Show((1, 2)) != (1, 2)


def test_a_struct_tells_its_fields_by_name() -> None:
    """Fields are told by name, in the order in which they are given."""
    keep = Keep(5, 8, (1,), "free")
    assert keep.fields() == {"dice": 5, "dollars": 8, "hand": (1,), "option": "free"}
    assert repr(keep) == "Keep(dice=5, dollars=8, hand=(1,), option='free')"


def test_a_struct_can_be_pickled() -> None:
    """A struct read back is equal to the one written."""
    keep = Keep(5, 8, (1,), "free")
    assert pickle.loads(pickle.dumps(keep)) == keep


def test_offers_do_not_count_in_a_hash() -> None:
    """A question with a mapping can be hashed; it is compared by all its fields."""
    one, other = Decide("mine", (0, 1), {0: (1, 0, ())}), Decide("mine", (0, 1))
    assert hash(one) == hash(other)
    assert one != other
