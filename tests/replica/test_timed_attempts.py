"""Liars time to the millisecond what they sign and say, and to whom: nobody honest pays for it."""

from __future__ import annotations

from functools import partial
from heapq import heappop, heappush
from itertools import count

import pytest

from lanplay_protocol.replica.failure_detector import PATIENCE
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.timers import Timer
from lanplay_protocol.replica.view_change import CIRCLES, MERCIES
from tests.byzantine.stand_ins import installed
from tests.replica.absences import Thinking
from tests.replica.harness import roster
from tests.replica.test_cut_cheats import bring
from tests.replica.test_two_liars import (
    HONEST,
    LIARS,
    plays_on,
    sign,
    signed,
    wait_for,
    whenever_all_has_come,
)

GRACE = 45
LED, OTHERS = HONEST[2], HONEST[:2]
OWES, SIGNS = LIARS
MOMENT = 0.001


class Timed(Thinking):
    """A table at which each message takes a moment, in order, and liars act at exact times.

    ``lags`` are the moments of those peers whose messages, to them as from them, take longer.
    """

    lag = 0.02

    def __post_init__(self):
        super().__post_init__()
        self.acts, self.lags, self._order = [], {}, count()

    def after(self, seconds, act, *given):
        """Let somebody act then, before time passes on."""
        act = partial(act, self, *given)
        heappush(self.acts, (self.now + seconds, next(self._order), act))

    def pause(self, seconds):
        """Let as much time pass, and no more."""
        end = self.now + seconds
        self.after(seconds, lambda _: None)
        self.run(lambda _: self.now >= end, seconds)

    def arrive(self, message):
        self.queue.append(message)

    def _post(self, peer, event):
        known = len(self.queue)
        super()._post(peer, event)
        new = [self.queue.pop() for _ in range(len(self.queue) - known)]
        for message in reversed(new):
            lag = max(self.lags.get(end, self.lag) for end in message[:2])
            self.after(lag, Timed.arrive, message)

    def _wait(self):
        ends = [end for peer in self.running if (end := self.deadlines[peer]) is not None]
        if self.acts and self.acts[0][0] <= min(ends, default=self.acts[0][0]):
            self.now, _, act = heappop(self.acts)
            act()
        else:
            super()._wait()


def begun(peers=5, grace=GRACE, past=13):
    """A table at which a game has come past some phase."""
    table = Timed(roster(peers, settings=TableSettings(grace=grace)), b"circ")
    table.shuffle_order = False
    table.start()
    table.run(lambda t: min(r.transcript.number for r in t.replicas) > past, seconds=600)
    return table


def stuck(peers=5, liars=LIARS, grace=GRACE, past=13):
    """A table at which all wait for what one liar owes; the liars' programs do nothing more."""
    table = begun(peers, grace, past)
    owes, honest = liars[0], range(peers - len(liars))
    line, sends = table.replicas[owes].transcript, table.replicas[owes]._send_mine
    table.replicas[owes]._send_mine = lambda: not (line.phase and line.phase.prompt) and sends()
    table.run(lambda t: wait_for(t, owes, honest) and not t.acts, seconds=60)
    assert wait_for(table, owes, honest)
    table.dead.update(liars)
    return table


def all_sign(table, liars, attempts, honest=HONEST):
    """Let liars sign attempts of all members, one after the other."""
    everybody = tuple(range(len(table.replicas)))
    for attempt in attempts:
        for liar in liars:
            sign(table, liar, attempt, honest, everybody)
        table.pause(0.1)


def show_as_it_is_late(table, liars, attempt, led, honest=HONEST):
    """Let liars show one peer alone an attempt of all, a moment before the others find one late."""
    everybody = tuple(range(len(table.replicas)))
    waits = [table.replicas[peer].attendance.detector._owed for peer in honest]
    since = min(at for each in waits for debt, at in each.items() if debt[0] == len(honest))
    for liar in liars:
        seconds = since + PATIENCE - MOMENT - table.now
        table.after(seconds, sign, liar, attempt, (led,), everybody)


def join(table, peers, liars, fits, honest=HONEST):
    """Let liars sign at once, for all, each attempt that some have signed, if it fits."""
    done = set()

    def joins():
        for attempt, members in signed(table, peers):
            if fits({*members}) and (attempt, members) not in done:
                done.add((attempt, members))
                for liar in {*liars} & {*members}:
                    sign(table, liar, attempt, honest, members)

    whenever_all_has_come(table, joins)


def test_one_liar_of_three_that_shows_one_an_attempt_as_it_is_late_for_the_other_parts_no_two():
    """Views have gone round in circles: the two have signed attempts of one number, and neither
    can sign the other's; but both wait for the liar."""
    liar, led, honest = 2, 1, (0, 1)
    with installed():
        table = stuck(3, (liar,))
        all_sign(table, (liar,), range(1, CIRCLES + 1), honest)
        show_as_it_is_late(table, (liar,), CIRCLES + 1, led, honest)
        join(table, (led,), (liar,), {led, liar}.__eq__, honest)
        plays_on(table, 3 * PATIENCE, honest)


@pytest.mark.parametrize("every", [2, 4])
def test_two_that_sign_the_next_attempt_in_turn_and_none_together_are_not_waited_for_for_ever(
    every,
):
    """No view begins; each attempt pays what was owed of the last one, and excuses its author."""
    with installed():
        table = stuck()

        def lead(table, attempt):
            sign(table, LIARS[attempt % 2], attempt)
            table.after(every, lead, attempt + 1)

        lead(table, 1)
        plays_on(table, 6 * PATIENCE)


@pytest.mark.parametrize(
    ("peers", "spoken"), [(3, {2: (0,)}), (5, {OWES: OTHERS, SIGNS: HONEST})], ids=["one", "two"]
)
def test_who_owes_is_late_for_all_alike_whomever_it_speaks_to(peers, spoken):
    """To some it says nothing at all; but it is linked to them."""
    with installed():
        table = stuck(peers, tuple(spoken))

        def speak(table):
            for liar, to in spoken.items():
                bring(table, "presence", ((), (), (), 0), to, liar)
            table.after(1, speak)

        speak(table)
        plays_on(table, GRACE - 5, tuple(range(peers - len(spoken))))


def test_who_is_led_above_what_others_have_backed_is_not_charged_for_it_each_time_anew():
    """It cannot sign what they wait for; they are paced, and join what it was led to."""
    with installed():
        table, top = stuck(), 0
        pace = [table.replicas[peer]._timers for peer in HONEST]
        while not all(each.waits(Timer.PACE, table.now) for each in pace):
            all_sign(table, LIARS, [top := top + 1])
        table.pause(3.2)
        join(table, OTHERS, LIARS, lambda members: LED not in members)

        def charge(table, view):
            if any(table.replicas[peer].attendance.detector.late for peer in HONEST):
                return
            above = view + 6
            for attempt in (1, 2, 3):
                sign(table, SIGNS, view + attempt, OTHERS)
            sign(table, OWES, above, (LED,))
            for attempt in (1, 2):
                table.after(attempt * MOMENT, sign, OWES, view + attempt, OTHERS)
            table.after(5.6, sign, SIGNS, above)
            table.after(6.1, charge, above)

        charge(table, top)
        plays_on(table, 6 * PATIENCE)


def test_who_alone_is_led_above_the_others_as_one_is_late_waits_for_that_one_too():
    """Views have gone round in circles; the others' attempts without it are below the led one's."""
    with installed():
        table = stuck()
        all_sign(table, LIARS, range(1, CIRCLES + 1))
        show_as_it_is_late(table, (OWES,), 3 * CIRCLES, LED)
        join(table, HONEST, (SIGNS,), lambda members: SIGNS in members and OWES not in members)
        plays_on(table, 4 * PATIENCE)


def test_attempts_that_ended_no_suspicion_use_up_no_mercy():
    """In one view: what was signed before somebody was late has forgiven nobody, and who is led
    to another attempt as one is late is followed."""
    with installed():
        table = stuck()
        all_sign(table, (SIGNS,), range(1, MERCIES + 2))
        show_as_it_is_late(table, LIARS, MERCIES + 2, LED)
        join(table, (LED,), LIARS, {LED, *LIARS}.__eq__)
        plays_on(table, 4 * PATIENCE)
