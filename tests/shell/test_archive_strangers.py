"""Whoever asks an archive for games that it does not hold leaves nothing behind in it."""

from __future__ import annotations

from lanplay_protocol.shell.archive import Archive
from lanplay_protocol.wire import encode


def test_strangers_that_ask_for_any_game_fill_no_memory(tmp_path):
    """Each with a key of its own, once: a key costs nothing."""
    archive, asked = Archive(tmp_path, now=lambda: 0.0), encode(("game", bytes(32)))
    for n in range(2000):
        archive._now = lambda n=n: float(n)
        archive.answers(n.to_bytes(32, "big"), asked)
    assert len(archive._asked) < 100
