"""Bots of other packages, which play in this process: limited in time, and unable to end it."""

from __future__ import annotations

import signal
import sys
import threading
import time
from contextlib import suppress

import pytest

from lanplay.watchdog import Call, Late, Overtime, within
from lanplay_ai.limited import Limited, contained
from lanplay_ai.outside.program import BotFault


class Bot:
    """Answers as a function does."""

    def __init__(self, deed):
        self._deed = deed

    def answer(self, view, question):
        return self._deed()


def asked(deed, seconds=5.0):
    return Limited(Bot(deed), seconds).answer(None, None)


def raising(error):
    raise error


def spin(until=float("inf")):
    while time.perf_counter() < until:
        pass
    return "done"


@pytest.mark.parametrize("answer", [None, 3, (), (1, (2, None))])
def test_an_answer_comes_through(answer):
    """What a bot answers in time is its answer; lists are taken for tuples."""
    assert asked(lambda: answer) == answer
    assert asked(lambda: [answer]) == (answer,)


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, GeneratorExit, ValueError])
def test_whatever_a_bot_raises_is_its_fault(error):
    """SystemExit and a KeyboardInterrupt of its own are faults like any other."""
    with pytest.raises(BotFault, match=f"{error.__name__}: 4"):
        asked(lambda: raising(error(4)))


def test_what_a_bot_raises_cannot_steer_a_terminal():
    """Control characters in an error's text are spelled out."""
    with pytest.raises(BotFault) as caught:
        asked(lambda: raising(ValueError("\x1b[2J\x07\x9bred\r\n")))
    assert str(caught.value) == r"ValueError: \x1b[2J\x07\x9bred\r\n"


@pytest.mark.parametrize("why", [SystemError, SystemExit, KeyboardInterrupt])
def test_an_error_without_a_text_is_a_fault_too(why):
    """An error whose text cannot be had is told by its kind, whatever asking for it raises."""

    class Silent(BaseException):
        def __str__(self):
            raise why

    with pytest.raises(BotFault, match="Silent"):
        asked(lambda: raising(Silent()))


@pytest.mark.parametrize("answer", [object(), 1.5, True, "x", {1}, ((((((1,),),),),),)])
def test_an_answer_is_plain_data(answer):
    """Objects, whose methods the rules would call, are no answers."""
    with pytest.raises(BotFault, match="whole numbers"):
        asked(lambda: answer)


def test_who_never_ends_is_interrupted():
    """An endless loop is a fault of its bot, in any thread, again and again."""
    faults = []

    def ask():
        with pytest.raises(BotFault, match=r"within 0\.05 s"):
            asked(spin, 0.05)
        faults.append(1)

    ask()
    ask()
    other = threading.Thread(target=ask)
    other.start()
    other.join()
    assert len(faults) == 3


def test_who_catches_the_interruption_is_interrupted_again():
    """A bot that catches whatever comes, the first time, is not lost."""

    def deed():
        try:
            spin()
        except BaseException:
            spin()

    with pytest.raises(BotFault, match="no answer"):
        asked(deed, 0.05)


def test_who_swallows_the_interruption_may_still_answer():
    """An answer after an interruption that the bot caught is one; nothing comes afterwards."""

    def deed():
        try:
            spin()
        except BaseException:
            return 7

    for _ in range(3):
        assert asked(deed, 0.05) == 7
    spin(time.perf_counter() + 0.1)


def test_an_answer_in_the_last_moment_is_one_or_none():
    """Where answer and limit fall together, one of them counts, and nothing comes afterwards."""
    ended = []

    def calls():
        for step in range(400):
            end = time.perf_counter() + step % 40 * 1e-5
            with suppress(Late):
                assert within(0.0002, spin, end) == "done"
        spin(time.perf_counter() + 0.02)
        ended.append(1)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    others = [threading.Thread(target=calls) for _ in range(2)]
    try:
        for other in others:
            other.start()
        calls()
    finally:
        for other in others:
            other.join()
        sys.setswitchinterval(before)
    assert len(ended) == 3


def test_a_call_is_interrupted_while_it_is_under_way():
    """Neither before it begins nor after it has finished."""
    call = Call(threading.get_ident(), 0.0)

    def interrupt():
        other = threading.Thread(target=call.interrupt)
        other.start()
        other.join()
        spin(time.perf_counter() + 0.001)

    interrupt()
    call.under_way = True
    with pytest.raises(Overtime):
        interrupt()
    call.finish()
    interrupt()


@pytest.fixture
def interrupts():
    """The way in which Ctrl-C is taken, whatever the test makes of it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interrupts")
def test_a_persons_ctrl_c_ends_what_a_bot_does():
    """Ctrl-C while a bot thinks is no fault of the bot, even if it swallows it."""
    with pytest.raises(KeyboardInterrupt):
        asked(lambda: signal.raise_signal(signal.SIGINT))

    def swallow():
        try:
            signal.raise_signal(signal.SIGINT)
        except BaseException:
            return 7

    with pytest.raises(KeyboardInterrupt):
        asked(swallow)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("interrupts")
def test_a_ctrl_c_that_is_only_noted_leaves_the_bot_alone():
    """Where the first Ctrl-C finishes the games under way, the bot's answer counts."""
    pressed = []
    signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    assert asked(lambda: signal.raise_signal(signal.SIGINT)) is None
    assert pressed == [signal.SIGINT]


def test_what_is_contained_returns():
    """A function of another package that does nothing wrong is as it is."""
    assert contained(max, 1, 2) == 2
