"""Slow, gone, back and cheated are four things, in every language and on every face."""

from __future__ import annotations

import pytest

from lanplay import language
from lanplay.errors import Fault
from lanplay.session.events import Absence
from lanplay.told import worded
from lanplay.ui.alerts import alerts
from lanplay.ui.scene import Scene
from lanplay_protocol.errors import Code
from lanplay_protocol.replica import events as core
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.replica.seating import Holder
from lanplay_protocol.replica.settings import ABSENT, PASS, TableSettings
from lanplay_protocol.shell.notices import sentences
from tests.replica.harness import roster

WORDS = {
    "en": {"slow": "is slow", "gone": "is gone", "back": "is back", "cheated": "cheated"},
    "cs": {"slow": "má zpoždění", "gone": "je pryč", "back": "je zpět", "cheated": "podvádí"},
    "hu": {"slow": "késik", "gone": "eltűnt", "back": "visszatért", "cheated": "csalt"},
}
SITUATIONS = {
    "slow": [core.ViewChanged((1,), (), (1,))],
    "gone": [core.PeerUnreachable(1, None), core.PeerUnreachable(1, 60.0)],
    "back": [core.PeerReachable(1), core.ViewChanged((), (1,))],
    "cheated": [core.Accused(1, code, "shown", 7) for code in Code],
}
OTHERS = [
    core.ViewChanged((1,), ()),
    core.SeatReassigned(1, Holder(2, "random")),
    core.SeatReassigned(1, Holder(1)),
    core.OpeningAsked(((1, 2),)),
    core.HandOpened(1, Holder(2, "random")),
    core.PeerNotDurable(1),
    core.RestartVote(1),
    core.WaitDisputed(2, 1, keep=False, votes=1, needed=2, asks=True),
    core.WaitDisputed(2, 1, keep=True, votes=0, needed=2, asks=False),
    core.QuorumLost(frozenset({0})),
    core.Halted("a reason"),
]


@pytest.fixture(params=WORDS)
def words(request):
    language.use(request.param)
    yield WORDS[request.param]
    language.use("en")


def table(absent) -> Roster:
    return roster(3, settings=TableSettings(absent=absent))


def said(absent, event, why=""):
    return " ".join(map(worded, sentences(table(absent), event, why)))


def used(words, text):
    return {what for what, word in words.items() if word in text}


@pytest.mark.parametrize("absent", ABSENT)
def test_what_happens_to_a_laptop_is_said_in_its_own_word(words, absent):
    """Whatever becomes of its seat, and whether or not it is known why a connection broke."""
    for what, situations in SITUATIONS.items():
        for event in situations:
            for why in ("", Fault.LINK_CLOSED.of()):
                assert used(words, said(absent, event, why)) == {what}
    for event in OTHERS:
        assert used(words, said(absent, event)) == set()


@pytest.mark.parametrize("absent", ABSENT)
def test_who_is_out_is_told_what_becomes_of_the_seat(words, absent):
    """AI is named where one plays, and nowhere else."""
    for event in (core.ViewChanged((1,), ()), core.SeatReassigned(1, Holder(2, "random"))):
        text = said(absent, event).replace("LAN", "")
        assert ("AI" in text) == (absent != PASS)


@pytest.mark.parametrize("left", [None, 30.0])
@pytest.mark.parametrize("passes", [True, False])
def test_a_screen_says_gone_of_who_is_not_heard(words, left, passes):
    """Full screen and browser show these sentences, and lines print them."""
    scene = Scene(None, ("Ann", "Bob"), absent=(Absence("Bob", frozenset({1}), left),))
    (text,) = alerts(Scene(None, scene.names, absent=scene.absent, passes=passes), str)
    assert used(words, text) == {"gone"}
    if left is not None:
        assert ("AI" in text) == (not passes)
