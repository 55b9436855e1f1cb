"""What a bot author imports."""

from __future__ import annotations

import pytest

import lanplay


def test_every_public_name_is_there():
    """All names that the package promises can be imported from it."""
    for name in lanplay.__all__:
        assert getattr(lanplay, name) is not None


def test_other_names_are_not():
    """A wrong name is an AttributeError like anywhere."""
    with pytest.raises(AttributeError, match="nothing"):
        lanplay.nothing  # noqa: B018  # the look-up is the test
