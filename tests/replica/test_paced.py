"""Who is led alone from attempt to attempt, and is paced, is not late for the rest."""

from __future__ import annotations

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import ViewChanged
from lanplay_protocol.replica.settings import FOREVER, TableSettings
from tests.byzantine.stand_ins import installed
from tests.replica.absences import Thinking
from tests.replica.harness import roster
from tests.replica.test_back_after_farewell import unsigned
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring
from tests.replica.test_far_ahead import status_of
from tests.replica.test_led_astray import CHEAT, deliver, owes
from tests.replica.test_told_anew import by

SILENT, VICTIM, OTHERS = 4, 0, (1, 3)
HONEST, ALL = (0, 1, 3), (0, 1, 2, 3, 4)


def test_who_is_led_alone_keeps_its_seat():
    """What more have signed than may lie it joins at once, and nothing less is owed."""
    table = begun(5, seed=b"led", settings=TableSettings(grace=12))
    table.run(owes, seconds=600)
    assert owes(table)
    table.silent.update((CHEAT, SILENT))
    deliver(table)
    start, signed = table.now, set()
    for p in OTHERS:
        bring(table, "status", status_of(table, p, 20, ALL, CHEAT), (p,))
    queue, table.queue = table.queue, type(table.queue)()
    for n in range(1, 17):
        bring(table, "status", status_of(table, VICTIM, n, ALL, CHEAT), (VICTIM,))
    table.queue.extend(queue)
    top = [20]

    def leads(t):
        victim = t.replicas[VICTIM].attendance.changes
        if victim.top >= top[0] and t.now - start < 17 and not t.replicas[1].begun:
            top[0] += 1
            for p in HONEST:
                bring(t, "status", status_of(t, p, top[0], ALL, CHEAT), (p,))
        for p in OTHERS:  # what leaves the victim out all liars sign at once
            for s in t.replicas[p].line.said():
                if s.author == p and VICTIM not in s.members and s.attempt not in signed:
                    signed.add(s.attempt)
                    for liar in (CHEAT, SILENT):
                        word = status_of(t, p, s.attempt, s.members, liar)
                        bring(t, "status", word, HONEST, liar)
        return any(t.replicas[p].begun for p in OTHERS)

    table.run(leads, seconds=60)
    lost = {each for p in HONEST for e in table.of(p, ViewChanged) for each in e.lost}
    assert not lost & set(HONEST), lost


def test_a_paced_peer_is_not_late_to_those_who_are_not():
    """A liar leads one peer ahead of the others, so that it waits, and they need not."""
    table = begun(5, seed=b"paced", settings=TableSettings(grace=45))
    table.run(owes, seconds=600)
    assert owes(table)
    table.silent.update((CHEAT, 4))
    deliver(table)
    honest, everybody, victim = (0, 1, 3), (0, 1, 2, 3, 4), 0
    view = table.replicas[0].transcript.view
    for p in honest:
        if p != victim:
            bring(table, "status", by(CHEAT, table, p, view + 30, everybody), (p,))
    for n in range(16):
        bring(table, "status", by(CHEAT, table, victim, view + 1 + n, everybody), (victim,))
    deliver(table)
    numbers = iter(range(view + 31, view + 60))
    made = [0]

    def leads(t):
        heard = [t.replicas[p].line.said() for p in (1, 3)]  # no sooner than all others hear it
        own = min(sum(s.author == victim for s in said) for said in heard)
        if own > made[0] and own < 22:  # it has signed one more: another one at once
            made[0] = own
            number = next(numbers)
            for p in honest:
                bring(t, "status", by(CHEAT, t, p, number, everybody), (p,))
        for p in honest:  # and join what they want without it
            for s in t.replicas[p].line.said():
                if s.author == p and victim not in s.members and (p, s.attempt) not in joined:
                    joined.add((p, s.attempt))
                    for q in honest:
                        if (q, s.attempt, CHEAT) not in joined:
                            joined.add((q, s.attempt, CHEAT))
                            for liar in (CHEAT, 4):
                                if liar in s.members:
                                    body = by(liar, t, p, s.attempt, s.members)
                                    bring(t, "status", body, (q,), liar)
        return any(victim in e.lost for p in honest for e in t.of(p, ViewChanged))

    joined = set()
    table.run(leads, seconds=60)
    assert not any(victim in e.lost for p in honest for e in table.of(p, ViewChanged))


def test_honest_peers_do_not_go_from_view_to_view_and_back_at_once():
    """Of five one has left and asks back as another one is given up: each view that begins is not
    what its members have signed meanwhile, and the next one begins where the one before stood."""
    back, gone, honest = 0, 3, (0, 1, 2, 4)
    with installed():
        table = Thinking(roster(5, settings=TableSettings(grace=FOREVER)), b"two ways")
        table.start()
        table.run(lambda t: min(r.transcript.number for r in t.replicas) > 9, 600)
        table.think = set(range(5))
        table.run(seconds=2)
        table.shuffle_order = False
        table.step(back, inputs.Leaving())
        table.kill(back, lost=False)
        table.run(seconds=5)
        unsigned(table, gone)
        table.restart(back)
        table.run(seconds=1)
        table.kill(gone)
        table.run(seconds=1)
        for peer in honest:
            table.step(peer, inputs.SkipWait(gone))
        table.run(lambda t: t.replicas[1].transcript.view > 60, seconds=10)  # else it has no end
        assert all(replica.transcript.members == {*honest} for replica in table.alive)
        assert table.replicas[1].transcript.view < 60
