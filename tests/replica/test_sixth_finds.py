"""What a sixth reader of the code found: whom those who watched at a liar first leave and name, and
for which loss a hand is opened."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.events import Accused, HandOpened
from lanplay_protocol.replica.messages import MOVE, read, sign
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.start import accept, certified
from lanplay_protocol.wire import decode, encode
from tests.replica import test_absent as absent
from tests.replica.harness import GAME, identity
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, level, status
from tests.replica.test_offers import offer, other
from tests.replica.test_spectator import Watched, record_of, table_of

VICTIM, LIAR = 0, 2


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


@pytest.mark.parametrize("again", [False, True])
def test_a_hand_that_all_have_opened_is_closed_once_its_owner_is_back_in_the_same_phase(again):
    """A person thinks on while its owner comes back, and perhaps is lost once more."""
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
    if again:
        table.disconnect(*table.pairs(lost))
        table.run(lambda _: lost not in line.members, seconds=30)
        assert (line.number, line.falls[lost]) == (number, 2)
        table.run(seconds=absent.GRACE + 2)
        assert table.replicas[0].openings.asked == (lost,)
    table.answer()
    table.run(lambda _: line.number > number + 8, seconds=4)
    assert line.number > number
    assert not any(table.of(peer, HandOpened) for peer in others)
    assert not again or not absent.seen(holder, faces)


def silence(table, peer):
    """Let a peer stay linked, and say nothing more."""
    table.silent.add(peer)
    table.queue = deque(each for each in table.queue if peer not in each[:2])


def owes(table, peer):
    line = table.replicas[VICTIM].transcript
    return line.phase.prompt and peer in line.missing


@pytest.mark.longer_games
def test_whoever_alone_was_shown_a_view_without_it_is_a_member_again_on_the_line_that_goes_on():
    """The others had joined that attempt while they did not hear it, and have left the liar out
    since. It takes part: a second liar that owes something is late for it, too."""
    table, others, silent = begun(5, seed=b"role", settings=TableSettings(grace=5)), (1, 3, 4), 4
    victim, honest = table.replicas[VICTIM], (VICTIM, 1, 3)

    def tried(peer):
        return table.replicas[peer].attendance.changes.tried

    level(table, lambda t: owes(t, LIAR))
    silence(table, LIAR)
    table.disconnect(*((VICTIM, p) for p in others))
    table.run(lambda _: all(VICTIM not in tried(p)[1] for p in others), seconds=60)
    number, members = tried(1)
    table.connect(*((VICTIM, p) for p in others))
    table.run(lambda _: LIAR not in tried(VICTIM)[1], seconds=60)
    lie = status(table, number, members, LIAR, LIAR, held=())
    bring(table, "status", lie.plain(), (VICTIM,), LIAR)
    assert victim.transcript.members == {LIAR, *others}
    table.kill(LIAR)
    table.run(lambda t: all(t.replicas[p].transcript.view > number for p in honest), seconds=20)
    assert victim.transcript.members == {VICTIM, *others}
    table.run(lambda t: owes(t, silent), seconds=60)
    silence(table, silent)
    here = victim.transcript.number
    table.run(lambda t: all(t.replicas[p].transcript.number > here + 9 for p in honest), seconds=60)
    assert all(table.replicas[p].transcript.number > here + 9 for p in honest)
    assert not any(table.accused(p) for p in honest)
