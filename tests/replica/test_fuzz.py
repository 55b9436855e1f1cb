"""A few of the fuzzer's inputs, in the middle of a game; ``tests.byzantine.fuzz`` has more."""

import pytest

from tests.byzantine import fuzz
from tests.byzantine.stand_ins import installed
from tests.replica.harness import roster


@pytest.mark.parametrize("game", fuzz.GAMES[:1])
def test_spoiled_messages_raise_nothing_convict_nobody_honest_and_are_taken_in_time(
    game, monkeypatch
):
    monkeypatch.setattr(fuzz, "BATCH", 1500)
    monkeypatch.setattr(fuzz, "SLOW", 5.0)
    with installed():
        recorded, record = fuzz.whole(game, 1)
        table = fuzz.begun(game, 1)
        table.run(lambda t: t._turns > recorded._turns // 2, seconds=900)
        batch = fuzz.Batch(game, table, fuzz.everything(recorded), record)
        monkeypatch.setattr(fuzz.trio, "current_time", lambda: batch.now)
        counts, faults = batch.run()
    assert faults == []
    assert counts["taken"] > 300
    assert counts["refused"] > 300


def test_what_is_wrong_is_found(monkeypatch):
    """A parser that takes anything for a number ends in an error that is none of a peer."""
    monkeypatch.setattr(fuzz, "BATCH", 1500)
    monkeypatch.setattr("lanplay_protocol.replica.messages.uint", lambda value, *_: value)
    with installed():
        table = fuzz.Recording(roster(3, game=fuzz.load("charidice")), seed=b"found")
        table.start()
        table.run(lambda t: t._turns > 200, seconds=900)
        batch = fuzz.Batch(7, table, fuzz.everything(table), None)
        monkeypatch.setattr(fuzz.trio, "current_time", lambda: batch.now)
        assert batch.run()[1]
