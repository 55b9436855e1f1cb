"""What becomes of a lost laptop's seat: closed hands, the people's consent, and the way back."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import HandOpened, OpeningAsked
from lanplay_protocol.replica.opening import OPENING
from lanplay_protocol.replica.settings import TableSettings
from tests.replica.absences import Thinking
from tests.replica.harness import Table, roster

GRACE = 5
LOST = 2


def begun(absent="sealed", peers=4, seed=b"absent", ahead=True, **options):
    made = roster(peers, None, TableSettings(grace=GRACE, absent=absent), **options)
    table = Thinking(made, seed)
    for each in table.replicas:
        each.agrees_ahead = ahead
    table.start()
    table.run(lambda t: all(r.transcript.number >= OPENING for r in t.replicas))
    return table


def with_cards(table, count=1):
    """Run until the seat that will be lost has cards that nobody else knows."""
    view = table.replicas[LOST].views[LOST]
    table.run(lambda t: len(hidden(t)) >= count, seconds=3000)
    return {card: view.own[card] for card in hidden(table)}


def hidden(table):
    return table.replicas[LOST].context.deck.known(LOST)


def stand_in(table):
    """Run until another holds the lost seat; return its replica."""

    def found():
        return [r for r in table.alive if r.me != LOST and LOST in r.views]

    table.run(lambda _: found(), seconds=120)
    return found()[0]


def seen(replica, faces):
    return {card for card, face in faces.items() if replica.views[LOST].face(card) == face}


def finish(table):
    table.answer()
    table.connect(*(pair for pair in map(tuple, map(sorted, table.down))))
    table.run(Table.is_over, seconds=6000)
    assert table.is_over()
    assert table.plays_on(table.running)
    assert not any(table.accused(peer) for peer in table.running)


def test_a_sealed_hand_stays_closed_until_everybody_agrees():
    """Nobody is asked before the grace is over once more, and one yes is not enough."""
    table = begun()
    faces = with_cards(table)
    table.kill(LOST)
    table.think = {0}
    holder = stand_in(table)
    assert not seen(holder, faces)
    assert not any(table.of(peer, OpeningAsked) for peer in table.running)
    with pytest.raises(ValueError, match="no hand to open"):
        table.step(0, inputs.OpenHands())
    table.run(seconds=GRACE + 1)
    assert all(table.of(peer, OpeningAsked) for peer in table.running)
    faces = {card: face for card, face in faces.items() if card in holder.context.deck.known(LOST)}
    for peer in table.running[:-1]:
        table.step(peer, inputs.OpenHands())
        table.run(seconds=2)
        assert not any(table.of(p, HandOpened) for p in table.running)
        assert not seen(holder, faces)
    table.step(table.running[-1], inputs.OpenHands())
    table.run(seconds=2)
    table.answer()
    table.run(lambda t: all(t.of(p, HandOpened) for p in t.running), seconds=5)
    assert all(table.of(p, HandOpened)[0].holder.peer == holder.me for p in table.running)
    finish(table)


def test_play_is_everybodys_yes_in_advance():
    """The hand is opened once the loss is beyond dispute, without a question."""
    table = begun("play")
    faces = with_cards(table)
    table.step(LOST, inputs.Leaving())
    table.run(lambda t: all(t.of(p, HandOpened) for p in range(4)), seconds=60)
    assert not any(table.of(peer, OpeningAsked) for peer in range(4))
    holder = stand_in(table)
    table.run(lambda t: seen(holder, faces), seconds=5)
    assert seen(holder, faces) == {c for c in faces if c in holder.context.deck.known(LOST)}
