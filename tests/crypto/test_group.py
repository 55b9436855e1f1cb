"""Numbers of the group at their edges, and lots that are drawn evenly."""

from __future__ import annotations

import pytest

from lanplay_protocol.crypto.errors import BadElement
from lanplay_protocol.crypto.group import IDENTITY, L, base, encode, mul, scalar
from lanplay_protocol.crypto.hashing import below, number


@pytest.mark.parametrize("value", [0, 1, L - 1])
def test_a_scalar_below_the_order_is_read_as_written(value):
    """Every one of them has one encoding."""
    assert scalar(value.to_bytes(32, "little")) == value
    assert encode(value) == value.to_bytes(32, "little")


@pytest.mark.parametrize("value", [L, L + 1, 2 * L, (1 << 256) - 1])
def test_a_second_encoding_of_a_scalar_is_refused(value):
    """The order itself stands for zero, one more for one: nobody can say one thing in two ways."""
    with pytest.raises(BadElement):
        scalar(value.to_bytes(32, "little"))


def test_the_order_takes_every_point_to_the_neutral_element():
    """That is what makes it the order: RFC 8032, section 5.1."""
    assert base(L) == IDENTITY
    assert mul(L, base(5)) == IDENTITY
    assert base(L - 1) != IDENTITY


@pytest.mark.parametrize("limit", [1, 2, 3, 40_000, 50_000, 65_536])
def test_every_number_of_a_lot_is_drawn_equally_often(limit):
    """Also where the 65,536 values of a word are no multiple of the numbers: the lower part of
    them would come twice as often if the rest were folded back."""
    draws = [below(limit, "lot", number(each)) for each in range(4000)]
    assert all(0 <= draw < limit for draw in draws)
    folded = (1 << 16) % limit
    share = sum(draw < folded for draw in draws) / len(draws)
    assert share == pytest.approx(folded / limit, abs=0.03)


@pytest.mark.parametrize("limit", [0, -1, 65_537])
def test_a_lot_of_nothing_or_too_much_is_our_own_mistake(limit):
    """It is refused before anything is drawn."""
    with pytest.raises(ValueError, match="uniform"):
        below(limit, "lot")
