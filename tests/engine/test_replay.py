"""What the referee keeps of cards that are shuffled, and what a replay takes from a record."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from lanplay.engine.record import RecordError
from lanplay.engine.referee import Referee
from lanplay.engine.replay import Replay, boundary
from lanplay.engine.requests import Show, Shuffle
from tests.replaying.test_stepping import GAME, simulated


def refereed(*requests, cards=4):
    """A referee of rules that ask these things and nothing else; ``said`` is what they are told."""
    said = []

    def rules(table):
        for request in requests:
            answer = yield request
            said.append(answer)

    game = SimpleNamespace(cards=cards, cup=5, rules=rules)
    referee = Referee(game, SimpleNamespace(faces={}))
    return referee, said


def test_shuffled_cards_are_new_and_the_old_ones_say_nothing():
    """No handle of before leads to a face any more; cards outside of the piles stay."""
    referee, said = refereed(Show([0, 1, 3]), Shuffle((1,), {"deck": [0, 2], "discard": [1]}))
    referee.shown((2, 0, 1))
    assert referee.table.faces == {0: 2, 1: 0, 3: 1}
    referee.renewed()
    assert said[1] == {"deck": [4, 5], "discard": [6]}
    assert referee.table.faces == {3: 1}


@pytest.fixture(scope="module")
def record():
    """A whole game of three bots."""
    return simulated(seats=3)[0]


def test_a_record_ends_with_its_game(record):
    """Answers beyond the end, or too few for it, make it no record of a finished game."""
    Replay(GAME, record).run()
    for wrong in (
        replace(record, history=(*record.history, (1,))),
        replace(record, history=record.history[:-1]),
        replace(record, finished=False),
        replace(record, state_hash=bytes(32)),
    ):
        with pytest.raises(RecordError):
            Replay(GAME, wrong).run()


def test_the_table_of_a_boundary_stays_as_it_was(record):
    """It is that of the round's beginning, however much of the game came after."""
    tables = [boundary(GAME, record.header, record.history, number) for number in (1, 2, 3)]
    assert len({table.hash() for table in tables}) == 3
    for number, table in enumerate(tables, 1):
        assert (table.round, table.hash() == record.state_hash) == (number - 1, False)
    last = boundary(GAME, record.header, record.history)
    assert last.hash() != record.state_hash
    assert boundary(GAME, record.header, record.history, 99) is None
