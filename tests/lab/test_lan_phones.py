"""A phone in a network of its own: with terminals on other laptops, and in another Wi-Fi."""

from __future__ import annotations

import json
import os
import re
import sys
import termios
import time
from random import Random
from tempfile import TemporaryDirectory

import pytest

from tests.web.chromium import BROWSER  # skips where there is no browser

GAMES = ("charidice", "dice-town", "fliptown", "dogs-life")
TYPED = ("1", "2", "3", "1 2", "2 3", "1 2 3", "4", "5", "6", "", "y")
"""What the person at a terminal types, at random: what does not fit is refused and asked again."""
LIMIT = 560
ODD = re.compile("409|ERR_NETWORK_CHANGED|ERR_ADDRESS_UNREACHABLE|ERR_INTERNET_DISCONNECTED")


class Terminal:
    """The line interface at a laptop, with a keyboard."""

    def __init__(self, laptop, *arguments):
        self.keyboard, stdin = os.openpty()
        how = termios.tcgetattr(stdin)
        how[3] &= ~termios.ECHO
        termios.tcsetattr(stdin, termios.TCSANOW, how)
        command = [sys.executable, "-m", "lanplay", *arguments, "--plain", "--trust-new"]
        self.process = laptop.start(command, env={"PYTHONUNBUFFERED": "1"}, stdin=stdin)
        os.close(stdin)
        self.shown, self.typed = 0, 0.0

    def text(self):
        """Return what it has printed and noted so far."""
        return self.process.output() + self.process.errors()

    def hears(self, text, patience=200):
        """Wait until it has printed or noted something; return all of it."""
        deadline = time.monotonic() + patience
        while text not in (found := self.text()):
            assert time.monotonic() < deadline, self.process.said(f"never said {text!r}")
            time.sleep(0.05)
        return found

    def types(self, line):
        """Type a line."""
        os.write(self.keyboard, f"{line}\n".encode())

    def answers(self, luck):
        """Type something once what was typed before is answered, until the game is over."""
        now, shown = time.monotonic(), len(text := self.text())
        if "Worth telling" not in text and (shown != self.shown or now > self.typed + 3):
            self.shown, self.typed = shown, now
            self.types(luck.choice(TYPED))


def told(phone, word):
    """Return what a phone has said so far of something."""
    whole = phone.output().rpartition("\n")[0].splitlines()
    return [each[word] for each in map(json.loads, whole) if word in each]


@pytest.fixture
def short():
    """A folder whose path is short enough for the sockets of Chromium."""
    with TemporaryDirectory(prefix="phone", dir="/tmp", ignore_cleanup_errors=True) as folder:
        yield folder


class Evening:
    """Eva hosts at a terminal, Jan is at another laptop's, Tom has a phone and is Eva's guest."""

    def __init__(self, lab, short, game):
        at_eva, at_jan, self.at_tom = lab.laptops
        self.luck = Random(game)
        table = ("host", game, "--seats", "3", "--name", "Eva", "--ai-speed", "instant")
        self.eva = Terminal(at_eva, *table)
        self.eva.hears("open on port")
        self.jan = Terminal(at_jan, "join", "--name", "Jan", "--wait", "60")
        self.eva.hears("Eva, Jan, free")
        self.eva.types("invite")
        invited = self.eva.hears("/tv")
        address = re.search(r"http://10\.\S+?/\S+(?=\s)", invited)[0]
        phone = [sys.executable, "-m", "tests.lab.phone", address, "Tom"]
        self.tom = self.at_tom.start(phone, env={"TMPDIR": short})
        self.tom.wait_for("sits", 200)
        self.eva.hears("Eva, Jan, Tom")
        self.eva.types("start")

    def goes_on(self, until):
        """Let the people at the terminals type until something is so."""
        deadline = time.monotonic() + LIMIT
        while not until():
            assert time.monotonic() < deadline, self.tom.said("does not come to an end")
            assert self.tom.poll() is None or told(self.tom, "ended"), self.tom.said("is gone")
            for each in (self.eva, self.jan):
                each.answers(self.luck)
            time.sleep(0.1)

    def to_the_end(self):
        """Play to the end; the seat is Tom's, nobody stood in for him, and the page was sound."""
        self.goes_on(lambda: told(self.tom, "result"))
        for _ in range(30):  # what was typed before may still be answered
            if self.tom.poll() is not None:
                break
            self.eva.types("q")
            time.sleep(2)
        ((result, farewell),) = told(self.tom, "ended")
        assert "Winner:" in result
        assert "Winner:" in farewell
        assert "Eva's laptop has left the table." in farewell
        assert told(self.tom, "mark") == ["first"]
        assert len(set(told(self.tom, "where"))) == 1
        assert all(told(self.tom, "fits"))
        assert [each for each in told(self.tom, "said") if not ODD.search(each)] == []
        for each in (self.eva, self.jan):
            assert "phone is asleep" not in each.hears("Worth telling")


@pytest.mark.timeout(LIMIT + 60)
@pytest.mark.parametrize("game", GAMES)
def test_a_phone_plays_a_whole_game_with_people_at_two_terminals(lan, short, game):
    """Each in a network namespace of its own; the phone taps, the others type."""
    assert BROWSER
    evening = Evening(lan(laptops=3), short, game)
    evening.to_the_end()
    assert len(told(evening.tom, "asked")) >= 7


@pytest.mark.timeout(LIMIT + 60)
def test_a_phone_that_gets_into_another_wifi_goes_on_in_its_seat(lan, short):
    """Its address changes under the open page, twice, once after a while without a network."""
    evening = Evening(lan(laptops=3), short, "charidice")
    for seconds in (0, 8):
        answered = len(told(evening.tom, "asked"))
        evening.goes_on(lambda to=answered + 3: len(told(evening.tom, "asked")) >= to)
        evening.at_tom.lose_address()
        time.sleep(seconds)
        before = len(told(evening.tom, "asked"))
        evening.at_tom.change_address()
        since = time.monotonic()
        evening.goes_on(lambda to=before + 2: len(told(evening.tom, "asked")) >= to)
        print(f"plays on {time.monotonic() - since:.1f} s after its address was another one")
    evening.to_the_end()
