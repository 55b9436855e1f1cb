"""Two liars of five time what they sign, and what they owe, to the moment: nobody stands still."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.attendance import MANY
from lanplay_protocol.replica.events import ViewChanged
from lanplay_protocol.replica.failure_detector import PATIENCE
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.timers import Timer
from tests.byzantine.stand_ins import installed
from tests.replica.absences import Thinking
from tests.replica.harness import roster
from tests.replica.test_back_after_farewell import unsigned
from tests.replica.test_cut_cheats import bring
from tests.replica.test_led_astray import deliver
from tests.replica.test_mercy import goes_on
from tests.replica.test_told_anew import by

ALL = (0, 1, 2, 3, 4)
HONEST, LIARS = ALL[:3], ALL[3:]
OWES, SIGNS = LIARS
AHEAD, *PACED = HONEST


def begun(seed, grace):
    """A table whose links keep their order, at which a game has begun."""
    table = Thinking(roster(5, settings=TableSettings(grace=grace)), seed)
    table.shuffle_order = False
    table.start()
    table.run(lambda t: min(r.transcript.number for r in t.replicas) > 13, seconds=600)
    return table


def wait_for(table, peer, who=ALL):
    """Tell whether some wait for one peer alone, and for what needs no person."""
    lines = [table.replicas[each].transcript for each in who]
    return all(line.missing == {peer} and line.phase.prompt for line in lines) and not table.queue


def waiting(grace, seed=b"circ"):
    """A table at which all wait for what one liar owes, and how to let that one send it."""
    table, keeps = begun(seed, grace), [True]
    line, sends = table.replicas[OWES].transcript, table.replicas[OWES]._send_mine

    def send():
        return not (keeps and line.phase and line.phase.prompt) and sends()

    table.replicas[OWES]._send_mine = send
    table.run(lambda t: wait_for(t, OWES), seconds=20)
    assert wait_for(table, OWES)
    return table, keeps.clear


def sign(table, liar, attempt, to=HONEST, members=ALL):
    """Let a liar sign an attempt, where the first peer stands, for some, be it for itself."""
    word = by(liar, table, HONEST[0], attempt, members)
    for peer in to:
        bring(table, "status", word, (peer,), liar if peer != liar else HONEST[0])


def whenever_all_has_come(table, act):
    """Let the liars act before time passes."""
    wait = table._wait

    def waits():
        act()
        if not table.queue:
            wait()

    table._wait = waits


def signed(table, peers):
    """The attempts that some have signed, as each of them knows them."""
    said = ((peer, each) for peer in peers for each in table.replicas[peer].line.said())
    return [(each.attempt, each.members) for peer, each in said if each.author == peer]


def plays_on(table, seconds, honest=HONEST):
    """All honest peers go on in time; none is accused, or loses its seat meanwhile."""
    views = [len(table.of(peer, ViewChanged)) for peer in honest]
    goes_on(table, honest, seconds)
    for peer, before in zip(honest, views, strict=True):
        assert not any({*honest} & {*e.lost} for e in table.of(peer, ViewChanged)[before:])


@pytest.mark.sweep(2)
@pytest.mark.parametrize("grace", [12, 20])
@pytest.mark.parametrize("every", [4, 8])
@pytest.mark.parametrize("overlap", [True, False])
def test_who_signs_each_view_of_the_same_members_in_time_does_not_owe_for_ever(
    grace, every, overlap
):
    """One signs the next attempt each time before, or as, the other lets the present one begin, so
    that it is excused; from some views on its waits are one."""
    with installed():
        table, _ = waiting(grace)
        table.silent.update(LIARS)
        sign(table, OWES, 1)
        last = [1, table.now]

        def circle():
            attempt, since = last
            if table.now > since + every:
                for liar in LIARS if overlap else (SIGNS, OWES):
                    sign(table, liar, attempt + (liar == OWES))
                    deliver(table)
                last[:] = attempt + 1, table.now

        whenever_all_has_come(table, circle)
        plays_on(table, 90)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("grace", [12, 20])
def test_three_that_are_led_each_to_another_attempt_meet_in_one(grace):
    """In step with their pace, and ever higher, while they all want the same members."""
    with installed():
        table, _ = waiting(grace)
        table.silent.update(LIARS)
        for attempt in range(1, MANY + 1):  # one view after the other: from now on all are paced
            for liar in LIARS:
                sign(table, liar, attempt)
            deliver(table)
        timers = [table.replicas[peer]._timers for peer in HONEST]
        assert all(each.waits(Timer.PACE, table.now) for each in timers)
        top, given = [MANY], {}

        def lead():
            soon = min(table.deadlines[peer] for peer in HONEST)
            for peer, each in zip(HONEST, timers, strict=True):
                pace = each._at.get(Timer.PACE, table.now)
                if pace <= soon and given.get(peer) != pace:
                    given[peer], top[0] = pace, top[0] + 1
                    sign(table, OWES, top[0], (peer,))

        whenever_all_has_come(table, lead)
        plays_on(table, 5 * PATIENCE + grace)


def test_a_liar_that_pays_one_attempt_and_owes_the_next_is_not_needed_each_time_anew():
    """One who had left and is back is taken back where too few stay; the other liar is silent."""
    left = 2
    with installed():
        table = begun(b"left", 5)
        table.silent.update(LIARS)
        deliver(table)
        table.step(left, inputs.Leaving())
        deliver(table)
        table.kill(left, lost=False)
        table.run(seconds=3)
        table.restart(left)
        done = set()

        def join():
            for attempt, members in signed(table, HONEST):
                if {*LIARS} <= {*members} and attempt not in done:
                    done.add(attempt)
                    sign(table, LIARS[0], attempt, members=members)

        whenever_all_has_come(table, join)
        plays_on(table, 60)
        assert done


def led_ahead(seed):
    """A table at which most have led two honest peers on beyond their pace, at once, and one liar
    the third one further; then the phase ends for which the liar was waited for."""
    table, let_go = waiting(20, seed)
    post, alone = table._post, []

    def posts(peer, envelope):
        if envelope.kind != "status":
            post(peer, envelope)
        elif peer in HONEST:  # the liars' are made by hand, and their programs need not follow
            others = {*(HONEST if alone else ALL)} - {peer}
            to = others if envelope.to is None else others & {envelope.to}
            table.queue.extend((peer, each, envelope.body) for each in sorted(to))

    def together(attempt, *lists):
        for liar in LIARS:
            sign(table, liar, attempt, (liar,))
        for liar, to in zip(LIARS, lists, strict=True):
            sign(table, liar, attempt, to)

    table._post = posts
    together(MANY, (), (AHEAD, OWES))
    for attempt in range(1, MANY + 1):
        sign(table, SIGNS, attempt, PACED)
    deliver(table)
    sign(table, OWES, MANY, (*HONEST, SIGNS))
    deliver(table)
    top = MANY + 3
    for attempt in range(MANY + 1, top + 1):  # what most have signed they join at once
        together(attempt, (*PACED, AHEAD, SIGNS), (*PACED, AHEAD, OWES))
        deliver(table)
    assert {replica.transcript.view for replica in table.replicas} == {top}
    alone.append(True)
    sign(table, SIGNS, top + 1, (AHEAD,))
    deliver(table)
    table.silent.add(SIGNS)
    let_go()
    table.step(OWES, inputs.Nudged())
    deliver(table)
    return table


def test_whoever_is_led_ahead_of_two_that_are_paced_keeps_its_seat():
    """However many attempts most have led these two on before: their pace ends before they would
    take for late whoever has promised to say nothing more in this view."""
    with installed():
        tables = (led_ahead(b"ahead %d" % number) for number in range(60))
        table = next(each for each in tables if wait_for(each, AHEAD, PACED))
        done = set()

        def let_fall():
            for attempt, members in signed(table, PACED):
                if AHEAD not in members and attempt not in done:
                    done.add(attempt)
                    for liar in LIARS:
                        sign(table, liar, attempt, members=members)

        whenever_all_has_come(table, let_fall)
        plays_on(table, 60)


@pytest.mark.parametrize("says", ["moves", "nothing"])
def test_who_was_out_and_who_had_left_come_back_together_though_two_members_sign_nothing(says):
    """For who was out enough stay; the one that stays, and has forgiven them, needs both."""
    left, out = 1, 2
    with installed():
        table = begun(b"pol", 5)
        table.kill(out)
        table.run(lambda t: all(out not in r.transcript.members for r in t.alive), seconds=60)
        for liar in LIARS:
            unsigned(table, liar, *(() if says == "moves" else ("move",)))
        table.step(left, inputs.Leaving())
        deliver(table)
        table.kill(left, lost=False)
        table.run(seconds=2)
        for peer in (left, out):
            table.restart(peer)
        table.run(seconds=20)
        for peer in HONEST:
            for liar in LIARS:
                table.step(peer, inputs.SkipWait(liar))
        plays_on(table, 60)
