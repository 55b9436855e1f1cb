"""Liars lead one honest peer's numbers far up, and convict themselves there, to it alone."""

from __future__ import annotations

from lanplay_protocol.replica.events import ViewChanged
from lanplay_protocol.replica.line import COUNTED
from lanplay_protocol.replica.settings import TableSettings
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, leave, level
from tests.replica.test_far_ahead import status_of

VICTIM, CHEAT, OTHER, HONEST = 0, 2, 4, (0, 1, 3)
ALL = (0, 1, 2, 3, 4)


def test_who_convicts_two_far_ahead_keeps_its_seat_and_all_convict_them():
    """What it has followed, and what convicts them, is too far ahead for the others to keep."""
    table = begun(5, seed=b"alone", settings=TableSettings(grace=10))
    level(table)
    table.silent.add(CHEAT)
    leave(table)
    table.run(lambda t: all(t.replicas[p].begun for p in HONEST), seconds=30)
    level(table)
    number = table.replicas[VICTIM].transcript.number
    before = len(table.of(1, ViewChanged))
    ground = table.replicas[VICTIM].line.ground
    far = ground + 2 * COUNTED
    words = [(OTHER, far, (1, 4)), (CHEAT, far, ALL)]  # one asks back, of the victim alone
    words += [(liar, far + 2 * COUNTED, of) for liar in (CHEAT, OTHER) for of in (ALL, (1, 3, 4))]
    for liar, attempt, members in words:
        bring(table, "status", status_of(table, VICTIM, attempt, members, liar), (VICTIM,), liar)
    assert set(table.replicas[VICTIM].convicted) == {CHEAT, OTHER}
    table.run(seconds=45)
    lost = {each for p in (1, 3) for e in table.of(p, ViewChanged)[before:] for each in e.lost}
    assert not lost & set(HONEST), lost
    assert all(table.replicas[p].transcript.number > number + 5 for p in HONEST)
    assert len({frozenset(table.replicas[p].convicted) for p in HONEST}) == 1
