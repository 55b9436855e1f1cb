"""Requests put themselves to a driver."""

from __future__ import annotations

import pytest

from lanplay.engine.requests import (
    Choose,
    ClaimRefuted,
    Deal,
    Mix,
    OpenRoll,
    RequestVisitor,
    Roll,
    Round,
    Show,
    Shuffle,
    Uncover,
)


class Asked(RequestVisitor):
    """Answers with the name of the method that was called, and the request it was called with."""

    def __getattribute__(self, name):
        return lambda request: (name, request)


@pytest.mark.parametrize(
    ("request_", "method"),
    [
        (Choose({}), "choose"),
        (Roll((1, 0), {0: 5}), "roll"),
        (Uncover({0: (1,)}), "uncover"),
        (OpenRoll((0, "badge"), 1, 6), "open_roll"),
        (Shuffle((0, "deck"), {"deck": [1, 2]}), "shuffle"),
        (Mix((1, "mix"), 0, {"store": [1, 2]}), "mix"),
        (Deal([1], 0), "deal"),
        (Show([1]), "show"),
        (Round(1), "go_past"),
        (ClaimRefuted(0, "DT-6.8"), "go_past"),
    ],
)
def test_each_kind_of_request_is_put_to_its_own_method(request_, method):
    """The answer is what the driver's method for that kind of request returns."""
    assert request_.accept(Asked()) == (method, request_)
