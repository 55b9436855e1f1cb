"""Declared fields: what is saved of them comes back, and what cannot be is refused."""

from __future__ import annotations

import pytest

from lanplay.engine.fields import (
    HIDDEN,
    Amount,
    Cards,
    Column,
    Fields,
    Flag,
    Pairs,
    Part,
    Schema,
    Sparse,
)
from lanplay.engine.plain import decode, encode
from lanplay.engine.table import Table


class Board(Table):
    __slots__ = ("flags", "notes", "scores", "where")

    def __init__(self):
        super().__init__(2)
        self.flags = [True, False]
        self.scores = [[1, 2], [3, 4]]
        self.where = -1
        self.notes = {2: [5], 1: []}


SCHEMA = Schema(
    "Board",
    round=Amount(9),
    where=Amount(lambda t: t.seats - 1, least=-1),
    flags=Column(Flag()),
    scores=Column(Column(Amount(4), lambda t: t.round)),
)


def saved():
    table = Board()
    table.round = 2
    return decode(encode(SCHEMA.snapshot(table)))


def test_what_is_saved_comes_back():
    """Numbers, flags and columns, by seat and by round."""
    table = Board()
    table.scores = []
    SCHEMA.from_snapshot(table, saved())
    assert (table.round, table.where, table.flags) == (2, -1, [True, False])
    assert table.scores == [[1, 2], [3, 4]]
    assert decode(encode(SCHEMA.snapshot(table))) == saved()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("round", 10),
        ("round", -1),
        ("round", True),
        ("where", 2),
        ("where", -2),
        ("flags", (1,)),
        ("flags", (1, 2)),
        ("flags", [1, 0]),
        ("scores", ((1, 2), (3, 5))),
        ("scores", ((1, 2), (3,))),
        ("scores", None),
    ],
)
def test_what_cannot_be_is_refused(field, value):
    """It may come from a stranger."""
    with pytest.raises(ValueError):
        SCHEMA.from_snapshot(Board(), {**saved(), field: value})


@pytest.mark.parametrize("wrong", [None, (), {}, {"round": 1}])
def test_a_snapshot_has_all_fields_in_their_order(wrong):
    """What has others is one of another game."""
    with pytest.raises(ValueError, match="a snapshot of Board has round, where, flags, scores"):
        SCHEMA.from_snapshot(Board(), wrong)
    turned = dict(reversed(saved().items()))
    with pytest.raises(ValueError, match="in this order"):
        SCHEMA.from_snapshot(Board(), turned)


class Hand:
    def __init__(self):
        self.cash = 0
        self.cards = []


class CardTable(Table):
    __slots__ = ("deck", "goods", "hands", "lying")

    def __init__(self):
        super().__init__(2)
        self.deck = [13, 14]
        self.hands = [Hand(), Hand()]
        self.hands[1].cards = [11]
        self.lying = {3: [12], 1: [10, 15]}
        self.goods = [0, 7, 0]
        self.faces = {14: 0, 12: 3}


BACK = (5, 0, 1, 2, 3, 4)
CARDS = Schema(
    "Cards",
    cards=Fields(deck=Cards(BACK), lying=Pairs(4, Cards(BACK))),
    hands=Column(Part(Hand, Fields(cash=Amount(9), cards=Cards(BACK)))),
    goods=Sparse(3, Amount(9), empty=0),
)


def test_public_cards_keep_their_faces_and_hidden_ones_get_those_left_over():
    """In the order of the back, pile by pile; what was laid so is fresh."""
    start = decode(encode(CARDS.snapshot(CardTable())))
    assert start == {
        "cards": ((HIDDEN, 0), ((1, (HIDDEN, HIDDEN)), (3, (3,)))),
        "hands": ((0, ()), (0, (HIDDEN,))),
        "goods": ((1, 7),),
    }
    table = CardTable()
    assert not CARDS.is_fresh(table)
    CARDS.from_snapshot(table, start)
    assert table.deck == [5, 0]
    assert table.lying == {1: [1, 2], 3: [3]}
    assert [hand.cards for hand in table.hands] == [[], [4]]
    assert table.faces == {0: 0, 3: 3}
    assert table.goods == [0, 7, 0]
    assert CARDS.is_fresh(table)
    assert CARDS.hidden(table, BACK) == [5, 1, 2, 4]
    assert CARDS.snapshot(table) == start


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("cards", ((0, 0), ((1, (HIDDEN, HIDDEN)), (3, (3,))))),
        ("cards", ((HIDDEN, 6), ((1, (HIDDEN, HIDDEN)), (3, (3,))))),
        ("cards", ((HIDDEN, 0), ((1, (HIDDEN,)), (3, (3,))))),
        ("cards", ((HIDDEN, 0), ((3, (3,)), (1, (HIDDEN, HIDDEN))))),
        ("cards", ((HIDDEN, 0), ((1, (HIDDEN, HIDDEN)), (1, (3,))))),
        ("cards", ((HIDDEN, 0), ((1, (HIDDEN, HIDDEN)), (4, (3,))))),
        ("cards", ((HIDDEN, None), ())),
        ("hands", ((0, ()), (10, (HIDDEN,)))),
        ("hands", ((0, ()),)),
        ("goods", ((1, 10),)),
        ("goods", 7),
    ],
)
def test_cards_that_cannot_lie_so_are_refused(field, value):
    """Each card lies in one pile; pairs are in order, each once."""
    with pytest.raises(ValueError):
        CARDS.from_snapshot(CardTable(), {**CARDS.snapshot(CardTable()), field: value})


def test_a_copy_shares_nothing_that_changes():
    """Lists in lists and dictionaries are copied; the hash of both is one."""
    table = Board()
    twin, before = table.copy(), table.hash()
    assert twin.hash() == before
    table.scores[0].append(9)
    table.notes[2].append(6)
    table.faces[1] = 1
    table.round = 5
    assert twin.hash() == before != table.hash()


def test_a_field_that_came_later_is_hashed_once_it_holds_something_else():
    """So records of before play the same; no two states are alike, as the others are named."""

    class Newer(Board):
        __slots__ = (*Board.__slots__, "gifts", "limit")
        later = {"limit": 0, "gifts": 1}

    def newer(**fields):
        table = Newer()
        table.gifts, table.limit = fields.get("gifts", 1), fields.get("limit", 0)
        return table.hash()

    found = [newer(), newer(gifts=0), newer(limit=1), newer(gifts=0, limit=1)]
    assert found[0] == Board().hash()
    assert len({*found}) == 4


def test_fields_are_hashed_in_the_order_of_the_slots():
    """What is public is the table's own fields behind those of every table."""
    assert list(Board().public()) == ["seats", "round", "faces", *Board.__slots__]
    assert Board().public()["notes"] == ((1, []), (2, [5]))
