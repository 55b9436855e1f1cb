"""What the law of blame costs in one-way delays and in signatures, where all delays are equal."""

from __future__ import annotations

import pytest

from lanplay_protocol import identity as signing
from lanplay_protocol.replica.choices import CommitPhase, RevealPhase
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.settings import TableSettings
from tests.byzantine.stand_ins import installed
from tests.byzantine.world import World, position
from tests.replica.harness import GAME, roster

DELAY = 0.025
GRACE = 45


@pytest.fixture(scope="module", autouse=True)
def cheap():
    with installed():
        yield


class Delayed(World):
    """An honest table: every message is on its way for `DELAY`, and each arrives in order."""

    def _send(self, sender, to, kind, payload, how="true", wait=0.0):
        super()._send(sender, to, kind, payload, how, DELAY)

    def step(self, actor, given):
        before = actor.replica.transcript.at
        super().step(actor, given)
        at = actor.replica.transcript.at
        if at != before:
            self.times[actor.place].append((at, self.now))


def table(peers=4, phases=12):
    world = Delayed(roster(peers, settings=TableSettings(grace=GRACE), game=GAME), b"delays")
    world.times = [[] for _ in world.actors]
    world.drawn = True
    world.start()
    while world.turn() and min(position(a.replica)[1] for a in world.actors) < SETUP + phases:
        pass
    return world


@pytest.mark.longer_games
def test_roll_keep_show_takes_two_one_way_delays():
    """One for the commitments and one for the openings, which bring the next entropy along."""
    world = Delayed(roster(4, game=GAME), b"steps")
    world.times, world.drawn, kinds = [[] for _ in world.actors], True, {}
    world.start()
    replica = world.actors[0].replica
    while world.turn() and replica.transcript.number < 120:
        kinds[replica.transcript.number] = type(replica.transcript.phase)
    ended = {phase: at for (_, phase), at in world.times[0]}
    steps = [
        ended[n + 3] - ended[n + 1]
        for n in range(SETUP, 110)
        if (kinds.get(n), kinds.get(n + 1), kinds.get(n + 2))
        == (RevealPhase, CommitPhase, RevealPhase)
        and {n + 1, n + 3} <= ended.keys()
    ]
    assert steps
    assert min(steps) == pytest.approx(2 * DELAY)
    assert max(steps) == pytest.approx(2 * DELAY)


@pytest.mark.parametrize("victim", [0, 2])
def test_a_view_begins_one_delay_after_the_last_wait_has_ended(victim):
    """Three are allowed. The wait is one delay longer than the grace: that nobody else hears the
    lost peer has to be said. Play goes on within a second."""
    world = table()
    lost, left = world.now, [a for a in world.actors if a.place != victim]
    world.crash(world.actors[victim])
    while world.turn() and not all(a.replica.transcript.views for a in left):
        pass
    assert world.now == pytest.approx(lost + GRACE + 2 * DELAY)
    before = min(a.replica.transcript.number for a in left)
    while world.turn() and min(a.replica.transcript.number for a in left) < before + 2:
        pass
    assert world.now < lost + GRACE + 1


@pytest.mark.longer_games
def test_the_good_case_makes_one_signature_a_message_and_each_other_peer_checks_it_once(
    monkeypatch,
):
    """No proof, certificate or name in a past costs one more while all is well."""
    counts = {"made": 0, "checked": 0}

    def counting(name, real):
        def count(*given):
            counts[name] += 1
            return real(*given)

        return count

    monkeypatch.setattr(signing.Identity, "sign", counting("made", signing.Identity.sign))
    checks = counting("checked", signing.check_signature)
    for module in ("messages", "start"):
        monkeypatch.setattr(f"lanplay_protocol.replica.{module}.check_signature", checks)
    world = table(phases=0)
    counts.update(made=0, checked=0)
    first = [position(a.replica)[1] for a in world.actors]
    while world.turn() and min(position(a.replica)[1] for a in world.actors) < SETUP + 40:
        pass
    said = sum(len(moves) for moves in world.actors[0].replica.moves[first[0] : SETUP + 40])
    assert said > 80
    assert counts["made"] == pytest.approx(said, abs=len(world.actors) * 2)
    assert counts["checked"] <= counts["made"] * (len(world.actors) - 1)
