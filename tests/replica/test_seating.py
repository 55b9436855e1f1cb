"""Who holds which seat: its view goes with it, and all know who has held it and who has left."""

from __future__ import annotations

from lanplay.engine.requests import ClaimRefuted
from lanplay_protocol.errors import Code
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.events import SeatReassigned
from lanplay_protocol.replica.handover import SeatLottery
from lanplay_protocol.replica.planner import _catch
from tests.replica.harness import received
from tests.replica.test_cups import LOST, PEERS, begun, wants
from tests.replica.test_cut import GRACE, die_in, finish
from tests.replica.test_cut import begun as dice_town


class Held:
    """Watches a table: after every event each peer has the views of the seats it holds."""

    def __init__(self, table):
        self.table, self.handle = table, table.handle
        self.looked, self.moved = 0, [{seat} for seat in range(PEERS)]
        table.handle = self.watched

    def watched(self, peer, output):
        self.handle(peer, output)
        for event in output.events:
            if isinstance(event, SeatReassigned):
                self.moved[event.seat].add(event.holder.peer)
        for replica in self.table.alive:
            seating = replica.context.seating
            if not seating.handover_due and not seating.unheld:
                assert set(replica.views) == set(seating.of(replica.me))
                self.looked += 1


def moved():
    """A seat goes to a stand-in while its laptop is cut off, alive, and home when it is back."""
    table = begun(thinking=[2, 3, 0])
    held = Held(table)
    wants(table, 2, "bid")
    table.disconnect(*table.pairs(LOST))
    table.run(lambda t: t.replicas[2].begun, seconds=60)
    table.decide(2)
    wants(table, 3, "bid")
    table.connect(*table.pairs(LOST))
    table.run(lambda t: len(t.replicas[3].begun) == 2, seconds=60)
    table.decide(3)
    wants(table, 0, "bid")
    return table, held


def test_a_view_goes_with_its_seat():
    """Whoever has given a seat back sees no more of it, and gets nothing more for it."""
    table, held = moved()
    taker = next(peer for peer in held.moved[LOST] if peer != LOST)
    table.run(lambda t: len({r.transcript.number for r in t.replicas}) == 1, seconds=60)
    assert LOST not in table.replicas[taker].views
    assert table.replicas[LOST].views[LOST].cup
    table.decide(0)
    finish(table)
    assert held.looked > 100


def test_a_handover_is_to_who_holds_the_seat_by_then():
    """The stand-in is lost before it is told: it is owed nothing, the next one is told instead."""
    table = begun(thinking=[LOST], peers=5)
    wants(table, LOST, "bid")
    cup = table.replicas[LOST].views[LOST].cup
    table.kill(LOST)
    table.run(lambda t: t.replicas[0].context.seating.handover_due, seconds=60)
    first = table.replicas[0].context.seating.handover_due[LOST]
    table.kill(first)
    table.thinking.clear()
    table.run(lambda t: any(r.views.get(LOST) and r.views[LOST].cup for r in t.alive), seconds=60)
    second = [r for r in table.alive if LOST in r.views]
    assert [r.views[LOST].cup for r in second] == [cup]
    assert second[0].me != first
    finish(table)
    assert not any(r.context.seating.handover_due for r in table.alive)


def test_who_comes_back_before_it_was_told_is_told_then():
    """The stand-in is cut off before it is told, and back before the lot is drawn again, as yet
    another laptop is lost meanwhile: it still holds the seat, and is told what that knows."""
    table = dice_town(5, seed=b"told")
    lost = table.replicas[LOST]

    def knows_and_is_asked(_):
        asked = [question for seat, question in lost._questions() if not question.needs_cup]
        level = len({replica.transcript.number for replica in table.replicas}) == 1
        return level and asked and lost.context.deck.known(LOST)

    table.run(knows_and_is_asked, seconds=3000)
    assert knows_and_is_asked(table)
    cards = set(lost.context.deck.known(LOST))
    table.kill(LOST)
    table.run(lambda t: any(r.context.seating.handover_due for r in t.alive), seconds=60)
    taker = next(
        r.context.seating.handover_due[LOST] for r in table.alive if r.context.seating.handover_due
    )
    third = max({0, 2, 3, 4} - {taker})
    table.disconnect(*table.pairs(taker))
    table.tampers[third] = lambda t, to, move: (
        [] if isinstance(t.replicas[third].phases[move.phase], SeatLottery) else None
    )
    rest = [r for r in table.alive if r.me not in (taker, third)]

    def lot(_):
        return all(LOST in r.context.seating.unheld and r.begun[1:] for r in rest)

    table.run(lambda t: lot(t) and all(r.transcript.missing == {third} for r in rest), seconds=60)
    assert lot(table)
    table.kill(third)
    table.connect(*((taker, r.me) for r in rest))
    table.run(lambda t: t.replicas[taker].views.get(LOST), seconds=60)
    assert {r.context.seating.holders[LOST].peer for r in rest} == {taker}
    assert cards <= table.replicas[taker].views[LOST].own.keys()
    finish(table)


def test_all_know_who_has_ever_held_a_seat():
    """Nobody is named for what any of several holders of a seat may have done (DT-6.8)."""
    table, held = moved()
    assert len(held.moved[LOST]) == 2
    for replica in table.replicas:
        context = replica.context
        assert context.seating.ever == held.moved
        for seat in range(PEERS):
            context.late_violations.clear()
            _catch(context, ClaimRefuted(seat, "DT-6.8", last=False))
            named = {peer: code for peer, (code, _) in context.late_violations.items()}
            assert named == ({} if seat == LOST else {seat: Code.FALSE_CLAIM})
        context.late_violations.clear()


def test_a_farewell_that_reached_one_reaches_all():
    """A program says to one peer only that it leaves, and falls silent with its links up: all know
    at once, and nobody waits until it is missed."""
    table = dice_town(seed=b"bye")
    table.run(lambda t: len({r.transcript.number for r in t.replicas}) == 1, seconds=60)
    sent = table.replicas[LOST].step(inputs.Leaving(), table.now).send
    table.dead.add(LOST)
    began = table.now
    for envelope in sent:
        table.step(0, received(LOST, envelope.body))
    table.run(lambda t: all(r.begun for r in t.alive), seconds=GRACE - 1)
    assert [r.begun[0].lost for r in table.alive] == 3 * [{LOST}]
    assert table.now - began < GRACE
    finish(table)


def test_who_went_back_treats_windows_as_before():
    """A laptop that was cut off, and begins again at an earlier phase, still asks every seat that a
    window concerns: how soon it answers tells nothing then, either."""
    table = dice_town(5, seed=b"kind")
    back = table.replicas[0]
    back.windows = True
    again, gone = back.line.rewind, []
    back.line.rewind = lambda phase, views: (gone.append(phase), again(phase, views))
    die_in(table, 4, CommitPhase, 1)
    number = table.replicas[1].transcript.number
    table.run(lambda _: back.transcript.number > number, seconds=10)
    table.disconnect(*table.pairs(0))
    table.run(lambda t: t.replicas[1].begun, seconds=60)
    table.connect(*table.pairs(0))
    table.run(lambda _: gone, seconds=60)
    assert gone
    assert back.windows
