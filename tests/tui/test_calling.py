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
