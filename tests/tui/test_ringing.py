"""A person who looks elsewhere is called, once for one thing; whoever is there is not."""

from __future__ import annotations

import pytest

from lanplay.ui.ringing import BELL, QUIET, Ringer, sequence


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def made(how: str = "bell") -> tuple[Ringer, Clock, list[str], list[str]]:
    clock, written, titles = Clock(), [], []
    ringer = Ringer(how, {}, clock)
    ringer.write, ringer.titled = written.append, titles.append
    return ringer, clock, written, titles


def test_who_pressed_a_key_just_now_is_not_called():
    ringer, clock, written, _titles = made()
    clock.now += QUIET - 1
    assert not ringer.call("your turn")
    ringer.touched()
    clock.now += QUIET - 1
    assert not ringer.call("your turn")
    assert written == []


def test_who_looks_elsewhere_is_called_and_the_title_goes_back_with_the_next_key():
    ringer, clock, written, titles = made()
    clock.now += QUIET
    assert ringer.call("your turn")
    assert written == [BELL]
    assert titles == ["● your turn"]
    ringer.touched()
    ringer.touched()
    assert titles == ["● your turn", ""]


def test_one_thing_is_said_once_and_another_rings_again():
    """Asked anew, after AI has answered meanwhile, it is still the person's turn."""
    ringer, clock, written, _titles = made()
    clock.now += QUIET
    assert ringer.call("your turn")
    assert not ringer.call("your turn")
    assert ringer.call("Eva: hello")
    assert len(written) == 2
    ringer.touched()
    clock.now += QUIET
    assert ringer.call("your turn")


def test_how_it_rings_can_be_changed_at_any_time():
    ringer, clock, written, _titles = made("off")
    clock.now += QUIET
    ringer.how = "bell"
    assert ringer.call("your turn")
    assert written == [BELL]


def test_off_is_silent():
    ringer, clock, written, titles = made("off")
    clock.now += 1000
    assert not ringer.call("your turn")
    assert written == titles == []


@pytest.mark.parametrize(
    ("environ", "begins"),
    [
        ({"TERM_PROGRAM": "iTerm.app"}, "\x1b]9;lanplay: "),
        ({"TERM_PROGRAM": "ghostty"}, "\x1b]9;"),
        ({"TERM": "xterm"}, "\x1b]777;notify;lanplay;"),
        ({"TERM_PROGRAM": "Hyper"}, "\x1b]777;"),
        ({}, BELL),  # an older console of Windows would show all else as letters
        ({"TERM_PROGRAM": "vscode"}, BELL),
        ({"WT_SESSION": "1"}, BELL),
        ({"TERM": "tmux", "TMUX": "/tmp/x"}, "\x1bPtmux;\x1b\x1b]777;"),
    ],
)
def test_a_notification_is_what_the_terminal_knows_with_one_bell(environ, begins):
    told = sequence("notify", "your turn", environ)
    assert told.startswith(begins)
    assert told.count(BELL) == 1


@pytest.mark.parametrize("how", ["off", "bell", "notify"])
def test_nothing_that_somebody_says_reaches_the_terminal_as_a_command(how):
    """A name or a word in chat comes from other machines."""
    evil = "x\x1b]0;gone\x07\x9b2J;y\u202e"
    told = sequence(how, evil, {"TERM": "xterm"})
    assert told.count("\x1b") <= 2
    assert "\x9b" not in told
    assert "\u202e" not in told
    assert told.count(";") <= 3
