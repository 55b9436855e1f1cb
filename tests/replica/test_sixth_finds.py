"""What a sixth reader of the code found: whom those who watched at a liar first leave and name, and
for which loss a hand is opened."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.events import Accused, HandOpened
from lanplay_protocol.replica.messages import MOVE, read, sign
from lanplay_protocol.replica.start import accept, certified
from lanplay_protocol.wire import decode, encode
from tests.byzantine.stand_ins import installed
from tests.replica import test_absent as absent
from tests.replica.harness import GAME, identity
from tests.replica.test_offers import offer, other
from tests.replica.test_spectator import Watched, record_of, table_of

LIAR = 2


@pytest.fixture(autouse=True)
def cheap():
    with installed():
        yield


def led_astray():
    """A table whose liar has shown whoever watches at it another commitment than the others."""
    table = table_of(3, seed=b"astray")

    def committed(t):
        line = t.replicas[LIAR].transcript
        known = line.moves[-1].get(LIAR)
        return line.number > 40 and isinstance(line.phase, CommitPhase) and known

    table.run(committed, seconds=600)
    replica = table.replicas[LIAR]
    number = replica.transcript.number
    true = read(replica.transcript.moves[-1][LIAR])
    (_, sealed), *rest = true.parts
    lie = replace(true, parts=((bytes(32), sealed), *rest))
    lie = encode((MOVE, sign(lie, identity(LIAR), replica.context.game_id).plain()))
    table.watch(peer=LIAR)

    def shown(body):
        kind, payload = decode(body)
        return kind != MOVE or payload[:2] != (LIAR, number)

    deliver = table.deliver

    def delivered():
        table.waiting = [body if shown(body) else lie for body in table.waiting]
        deliver()

    table.deliver = delivered
    table.run(lambda t: t.replicas[0].transcript.number > number + 2, seconds=60)
    assert table.spectator.transcript.moves[number][LIAR].digest != (
        table.replicas[0].transcript.moves[number][LIAR].digest
    )
    table.deliver = deliver
    return table


def test_who_watched_at_a_liar_is_brought_on_by_the_next_peer():
    """It had been led onto a line of its own; the honest peer that it asks next, and would never
    ask again once it had left that, shows it the game."""
    table = led_astray()
    table.watch(peer=0)
    table.catch_up()
    assert table.stands_alike()
    assert {event.peer for event in table.seen_of(Accused)} == {LIAR}


def test_two_offers_of_another_table_hide_none_of_this_one_from_who_watches():
    """The liar shows those first to whoever comes to watch at it: two of one key are kept."""
    liar = identity(LIAR)
    agreed = certified(offer(), [accept(offer(), identity(place)) for place in range(3)])
    table = Watched(agreed, seed=b"offers")
    table.watch(peer=LIAR)
    twice = accept(offer(), liar), accept(other(), liar)
    elsewhere = accept(offer(table="e" * 32), liar), accept(other(table="e" * 32), liar)
    for both in (elsewhere, twice):
        told = encode(("offers", tuple(each.plain() for each in both)))
        table.spectator.receive(told, table.now)
    found = check_record(GAME, record_of(table)).finding
    assert found is not None
    assert (found.peer, found.key) == (LIAR, liar.public)


def test_a_hand_that_all_have_opened_is_closed_to_a_later_loss_in_the_same_phase():
    """A person thinks on while its owner comes back, and is lost once more."""
    table = absent.begun()
    faces = absent.with_cards(table)
    lost = absent.LOST
    table.think = {0}
    table.disconnect(*table.pairs(lost))
    holder = absent.stand_in(table)
    table.run(seconds=absent.GRACE + 2)
    others = [p for p in table.running if p != lost]
    for peer in others:
        table.step(peer, inputs.OpenHands())
    table.run(seconds=2)
    line = table.replicas[0].transcript
    number = line.number
    assert any(view.opened for view in line.here)
    table.connect(*table.pairs(lost))
    table.run(lambda _: lost in line.members, seconds=30)
    assert lost in line.members
    table.disconnect(*table.pairs(lost))
    table.run(lambda _: lost not in line.members, seconds=30)
    assert (line.number, line.falls[lost]) == (number, 2)
    table.run(seconds=absent.GRACE + 2)
    assert table.replicas[0].asked_to_open == (lost,)
    table.answer()
    table.run(lambda _: line.number > number + 8, seconds=4)
    assert line.number > number
    assert not any(table.of(peer, HandOpened) for peer in others)
    assert not absent.seen(holder, faces)
