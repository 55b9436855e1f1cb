"""Liars against the rules of mercy (6, 6a and 6b of ``docs/accountability-notes.md``): whom nobody
hears, when too few are wanted, and who comes back together."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica.failure_detector import PATIENCE, Liveness
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import parse_signed
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.wire import decode, encode
from tests.replica.absences import Thinking
from tests.replica.harness import roster

GRACE = 5
ON = 6


class Lying(Thinking):
    """A table at which ``lies`` says what becomes of a body that ``liar`` sends: ``None``, gone."""

    liar, lies = -1, staticmethod(lambda kind, payload, body: body)

    def _tampered(self, peer, to, body):
        if peer != self.liar:
            return super()._tampered(peer, to, body)
        told = self.lies(*decode(body), body)
        return [] if told is None else [told]


def begun(peers, seed):
    table = Lying(roster(peers, peers, TableSettings(grace=GRACE)), seed)
    table.start()
    table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
    table.think = {0}
    table.run(seconds=1)
    return table


def goes_on(table, honest, seconds):
    """Let the person answer; the honest ones play on in time, with nobody accused."""
    table.answer()
    replicas = [table.replicas[peer] for peer in honest]
    goal = ON + max(replica.transcript.number for replica in replicas)
    table.run(lambda t: all(r.transcript.number >= goal for r in replicas), seconds=seconds)
    assert all(replica.transcript.number >= goal for replica in replicas)
    assert all(set(honest) <= replica.transcript.members for replica in replicas)
    assert not any(table.accused(peer) for peer in honest)


def test_a_liar_that_says_it_hears_the_dead_keeps_nobody_waiting():
    """Rule 6: while a person thinks, who gives no sign of life goes when the grace has ended."""
    table = begun(4, b"hears")
    table.liar, dead = 2, 3
    table.lies = lambda kind, payload, body: (
        encode((kind, Liveness(frozenset()).plain())) if kind == "presence" else body
    )
    table.kill(dead)
    since = table.now
    table.run(lambda t: t.replicas[0].begun, seconds=60)
    assert table.now - since < 3 * GRACE
    assert dead not in table.replicas[0].transcript.members
    goes_on(table, (0, 1), 60)


@pytest.mark.parametrize("owes", ["status", "all"])
def test_a_member_that_joins_nothing_keeps_nobody_from_coming_back(owes):
    """Rule 6a: the wait for it ends before anybody is forgiven, so the return fits what follows."""
    table = begun(4, b"joins")
    table.kill(3)
    table.run(lambda t: t.replicas[0].begun, seconds=60)
    table.liar = 2
    table.lies = lambda kind, payload, body: None if kind == owes or owes == "all" else body
    table.restart(3)
    goes_on(table, (0, 1, 3), 6 * (PATIENCE + GRACE))


def test_a_liar_that_asks_back_and_never_joins_holds_nobody_up_who_comes_back_with_it():
    """Rule 6b: one member is left, and two come back with a liar: the three go on."""
    table = begun(5, b"together")
    for peer in (4, 3, 2, 1):
        table.kill(peer)
        table.run(seconds=8)
    table.run(seconds=5 * GRACE)
    table.liar, own = 3, []

    def asks_once(kind, payload, body):
        if kind == "status" and parse_signed(payload, kind).sender == 3:
            own.append(payload)
            return body if own[0] == payload else None
        return body

    table.lies = asks_once
    for peer in (1, 3, 4):
        table.restart(peer)
        table.run(seconds=8)
    goes_on(table, (0, 1, 4), 12 * (PATIENCE + GRACE))
    assert own
