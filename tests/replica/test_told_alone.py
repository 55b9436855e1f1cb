"""What moves one honest peer to want others at the table is soon known to all: a person who thinks
asks nobody for it, and a liar may tell one alone."""

from __future__ import annotations

import pytest

from lanplay.games import load
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import ViewChanged
from lanplay_protocol.replica.failure_detector import Liveness
from lanplay_protocol.replica.messages import ALIVE, WAITS, wish
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.waits import CHANGES
from tests.byzantine.stand_ins import installed
from tests.replica.absences import Thinking
from tests.replica.faults import steps
from tests.replica.harness import identity, roster
from tests.replica.test_cut_cheats import bring, leave
from tests.replica.test_told_anew import by
from tests.replica.test_waits import word

TOLD, THINKS, CHEAT = 0, 1, 2
HONEST = (TOLD, THINKS)


def begun(grace=45):
    """A table of three of whom one lies."""
    table = Thinking(roster(3, settings=TableSettings(grace=grace)), b"one alone")
    table.start()
    table.run(lambda t: min(r.transcript.number for r in t.replicas) > 9, 600)
    return table


def one_thinks(table):
    """Let the game come to where it waits for the answer of one person alone."""
    table.think = {THINKS}
    lines = [table.replicas[p].transcript for p in HONEST]

    def waits(t):
        alone = all(line.phase and not line.phase.prompt for line in lines)
        return alone and not t.queue and all(line.missing == {THINKS} for line in lines)

    table.run(waits, 60)
    assert waits(table)
    table.silent.add(CHEAT)


def lost(table, peers=HONEST):
    """Who was left out, as some have seen it."""
    return {each for p in peers for e in table.of(p, ViewChanged) for each in e.lost}


def flood(table, to, count, first=0):
    """Let one hear so many words of the cheat's that say nothing."""
    for n in range(first, first + count):
        bring(table, WAITS, word(table, CHEAT, {}, n // CHANGES, n % CHANGES), (to,))


def test_who_thinks_keeps_its_seat_though_a_liar_asks_another_one_alone_to_be_back():
    """That one joins, and shows why: else who thinks wants nobody back, and is late for it."""
    with installed():
        table = begun()
        table.silent.add(CHEAT)
        leave(table, to=HONEST)
        table.run(lambda t: all(t.replicas[p].transcript.members == {0, 1} for p in HONEST), 60)
        one_thinks(table)
        for members in ((TOLD, THINKS, CHEAT), (TOLD, CHEAT)):
            attempt = table.replicas[TOLD].attendance.changes.top + 1
            bring(table, "status", by(CHEAT, table, TOLD, attempt, members), (TOLD,))
            table.run(seconds=12)
        assert lost(table) == {CHEAT}
        assert all(table.replicas[p].transcript.members == {0, 1, 2} for p in HONEST)


def test_who_thinks_keeps_its_seat_though_a_liar_tells_another_one_alone_that_it_goes():
    """It has said so much to that one before that no more of it is passed on at once."""
    with installed():
        table = begun()
        one_thinks(table)
        flood(table, TOLD, 97)
        leave(table, 0, (TOLD,))
        assert CHEAT not in table.replicas[THINKS].attendance.detector.left
        table.run(seconds=0.1)
        assert CHEAT in table.replicas[THINKS].attendance.detector.left  # another kind
        bring(table, "status", by(CHEAT, table, TOLD, 1, HONEST), (TOLD,))
        table.run(seconds=9)
        for _ in range(3):
            attempt = table.replicas[TOLD].attendance.changes.top + 1
            bring(table, "status", by(CHEAT, table, TOLD, attempt, (TOLD, CHEAT)), (TOLD,))
            table.run(seconds=6)
        assert THINKS not in lost(table)


def test_a_liar_that_cuts_one_link_and_says_much_to_the_other_peer_stops_nobody():
    """Its signs of life come through to who does not hear it, or it is missing for both."""
    with installed():
        table = begun(grace=12)
        one_thinks(table)
        table.disconnect((TOLD, CHEAT))
        game, goal = table.replicas[TOLD].context.game_id, 4 + table.replicas[TOLD].context.phase
        for second in range(90):
            flood(table, THINKS, 2 if second else 100, 2 * second + 98 * (second > 0))
            if second % 2:
                life = wish(ALIVE, CHEAT, (1 << 30) + second, identity(CHEAT), game)
                bring(table, ALIVE, life.plain(), (THINKS,))
            table.run(seconds=1)
            if second == 40:
                table.answer()
        assert all(table.replicas[p].context.phase >= goal for p in HONEST)
        assert not lost(table) & {*HONEST}


def restless(before=lambda table: None):
    """A table of four that never rests, as what goes over a link takes time."""
    rules = {"game": load("dogs-life"), "rounds": "20", "bots": ("random",) * 4}
    table = Thinking(roster(4, settings=TableSettings(grace=3), **rules), b"no rest")
    table.start()
    table.run(lambda t: min(r.transcript.number for r in t.replicas) > 60, 600)
    table.shuffle_order = False  # as on a link
    before(table)
    deliver = table._deliver

    def takes_time():
        table.now += 0.004
        deliver()
        for peer, end in enumerate(table.deadlines):
            if end is not None and table.now >= end:
                table.step(peer, inputs.Ticked())

    table._deliver = takes_time
    return table


def doubted(table):
    """Let the last peer say again and again whom it does not hear."""
    for n in range(100):
        unheard = frozenset({0} if n % 2 else ())
        bring(table, "presence", Liveness(unheard).plain(), (3,))
    steps(table, 600)


@pytest.mark.longer_games
def test_whom_a_liar_doubts_to_one_alone_keeps_its_seat_at_a_table_that_never_rests():
    """It signs that it is there once that one says whom it doubts, as soon as it may."""
    with installed():
        table = restless(doubted)
        table.run(lambda t: any(r.begun for r in t.replicas) or t.is_over(), seconds=60)
        assert table.now > 3 + 8
        assert not any(replica.begun for replica in table.replicas)


@pytest.mark.longer_games
def test_who_lacks_a_link_keeps_its_seat_though_a_liar_brings_its_signs_of_life_first():
    """Who reaches both passes them on all the same; who is not at rest asks for nothing."""
    with installed():
        table = restless(lambda table: table.disconnect((0, 1)))
        post = table._post

        def brings_first(peer, event):
            if event.kind == ALIVE and peer in (0, 1) and event.payload[0] == peer:
                table.queue.append((3, 2, event.body))
            if peer != 3 or event.kind != ALIVE:
                post(peer, event)

        table._post = brings_first
        table.run(lambda t: any(r.begun for r in t.replicas) or t.is_over(), seconds=60)
        assert table.now > 3 + 8
        assert not any(replica.begun for replica in table.replicas)
