"""Who was led far up alone, and those it left behind, find back to each other."""

from __future__ import annotations

from collections import deque

from lanplay.games import load
from lanplay_protocol.replica.evidence import SPARE
from lanplay_protocol.replica.line import COUNTED
from lanplay_protocol.replica.messages import BODY, MOVE, PhaseMessage, read, sign
from lanplay_protocol.replica.settings import TableSettings
from tests.replica.absences import Thinking
from tests.replica.harness import identity, roster
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, leave, level
from tests.replica.test_far_ahead import status_of
from tests.replica.test_led_astray import CHEAT, deliver

VICTIM, OTHER, LIAR = 0, 1, 2
HONEST = (0, 1)
ALL = (0, 1, 2, 3, 4)


def led_alone():
    """A table of three, two of which are cut apart: the cheat leads one of them far up."""
    table = begun(3, seed=b"alone", settings=TableSettings(grace=10))
    level(table)
    table.silent.add(CHEAT)
    deliver(table)
    table.disconnect(HONEST)
    for _ in range(10):
        far = table.replicas[VICTIM].line.ground + 2 * COUNTED - 8
        bring(table, "status", status_of(table, VICTIM, far, (0, 1, 2), CHEAT), (VICTIM,))
        table.queue = deque(each for each in table.queue if CHEAT not in each[:2])
    assert table.replicas[VICTIM].attendance.changes.top > 8 * COUNTED
    return table


def goes_on(table):
    """Let the cheat leave, and tell whether the two play to the end without it."""
    table.kill(CHEAT)
    leave(table, to=(OTHER,))
    if VICTIM in table.dead:
        table.restart(VICTIM)
    table.connect(HONEST)
    table.run(lambda t: all(t.replicas[p].over for p in HONEST), seconds=120)
    return all(table.replicas[p].over for p in HONEST)


def test_whoever_was_led_up_alone_and_is_restarted_is_followed():
    """Its own attempts alone are too far up for the other to keep: it shows whom it followed."""
    table = led_alone()
    table.kill(VICTIM)
    assert goes_on(table)


def test_whoever_was_led_up_alone_is_followed_by_who_was_flooded():
    """The other one holds a megabyte of the cheat's, and yet takes what has led there."""
    table = led_alone()
    replica = table.replicas[OTHER]
    for number, moves in enumerate(replica.transcript.moves[10:], 10):
        for signed in list(moves.values())[:1]:
            true = read(signed)
            junk = bytes(BODY - 4096)
            said = PhaseMessage(CHEAT, number, 9, true.past, true.state, junk)
            junk = sign(said, identity(CHEAT), replica.context.game_id)
            bring(table, MOVE, junk.plain(), (OTHER,))
    assert replica.line.statements.sizes[CHEAT] > SPARE
    assert not replica.convicted
    assert goes_on(table)


def test_who_was_flooded_takes_attempts_of_the_flooder_as_far_as_they_may_lead():
    """A view may lack any of them; beyond what others follow there are none."""
    table = begun(3, seed=b"alone", settings=TableSettings(grace=10))
    level(table)
    table.silent.add(CHEAT)
    statements = table.replicas[OTHER].line.statements
    statements.sizes[CHEAT] = 2 * SPARE
    for attempt in range(1, 4 * COUNTED):
        word = status_of(table, OTHER, attempt, (0, 1, 2), CHEAT)
        bring(table, "status", word, (OTHER,), CHEAT)
    kept = [known.signed.view for known in statements.statuses if known.signed.sender == CHEAT]
    ground = table.replicas[OTHER].line.ground
    assert kept == [*range(1, ground + 2 * COUNTED + 1)]


def thinking(seed, grace=5):
    """A table of five at which everybody but one person has answered."""
    game = load("dogs-life")
    settings = TableSettings(grace=grace)
    table = Thinking(roster(5, settings=settings, game=game, rounds="10"), seed)
    table.start()
    table.run(lambda t: all(r.transcript.number > 10 for r in t.replicas))
    table.think = {OTHER}
    table.run(seconds=5)
    return table


def cut_off(table):
    """The victim loses its links for longer than it is waited for; tell whether it comes back."""

    def out(t):
        return all(VICTIM not in r.transcript.members for r in t.replicas[1:])

    def back(t):
        return all(VICTIM in r.transcript.members for r in t.replicas)

    table.disconnect(*table.pairs(VICTIM))
    table.run(out, seconds=60)
    assert out(table)
    table.connect(*table.pairs(VICTIM))
    table.run(back, seconds=100)
    return back(table)


def test_whoever_was_led_far_up_comes_back_from_its_next_absence():
    """As it was beyond where others follow it would have asked again in some thousand years; they
    have followed since."""
    table = thinking(b"rest")
    assert cut_off(table)
    far = table.replicas[VICTIM].line.ground + 100
    word = status_of(table, VICTIM, far, ALL, LIAR)
    for peers in ((VICTIM,), ALL[1:]):
        bring(table, "status", word, peers)
    table.run(lambda t: all(r.transcript.view == far for r in t.replicas), seconds=30)
    assert table.replicas[VICTIM].transcript.view == far
    assert cut_off(table)
