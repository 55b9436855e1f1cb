"""Commands that cannot be undone: they are asked about, and only a clear yes does them."""

from __future__ import annotations

import pytest

from lanplay.tui.screens.calling import Calling
from lanplay.ui.commands import Command


@pytest.mark.parametrize(
    ("name", "key", "done"),
    [
        ("anew", "y", True),
        ("anew", "q", False),
        ("anew", "n", False),
        ("anew", "enter", False),
        ("q", "y", True),
        ("q", "q", True),
        ("q", "n", False),
    ],
)
def test_a_yes_does_it_and_any_other_key_does_not(name, key, done):
    """``q`` twice leaves; it is no yes to anything else."""
    ran = []
    calling = Calling(lambda text: None)
    calling.commands = lambda: [Command(name, "help", ran.append, sure="Sure?")]
    calling.obey(name)
    assert calling.sure is not None
    assert ran == []
    assert calling.press(key)
    assert ran == ([""] if done else [])
    assert calling.sure is None
    assert not calling.press(key)


def test_what_is_of_no_use_now_is_not_asked_about():
    """It says at once why it does nothing."""
    ran = []
    calling = Calling(lambda text: None)
    calling.commands = lambda: [Command("anew", "help", ran.append, now=False, sure="Sure?")]
    calling.obey("anew")
    assert (ran, calling.sure) == ([""], None)


def test_a_command_without_its_name_does_what_is_likely_meant_or_says_what_is_missing():
    """``:admit`` as the log names it lets in whoever asks; it is no unknown command."""
    ran, said = [], []
    calling = Calling(said.append)
    admit = Command("admit", "help", ran.append, "NAME", usual="Tom")
    calling.commands = lambda: [admit, Command("say", "help", ran.append, "TEXT")]
    calling.obey("admit")
    calling.obey("admit Eva")
    assert ran == ["Tom", "Eva"]
    assert not any(said)
    calling.obey("say")
    assert said[-1] == "Something is missing: say TEXT."
    assert ran == ["Tom", "Eva"]
