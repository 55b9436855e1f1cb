"""What screens say of who is missing is so, and the ways on that they name are their reader's."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from lanplay.errors import Fault, UserError
from lanplay.language import TAGS, speaking
from lanplay.notices import Notice
from lanplay.session import commands as c
from lanplay.session import lifecycle
from lanplay.session.client import NO_PASSWORD
from lanplay.session.events import (
    Absence,
    PeersChanged,
    Snapshot,
    StageChanged,
    TableNotice,
    TableStage,
)
from lanplay.session.playing import PlayedTable
from lanplay.session.settings import Target
from lanplay.session.table import TableSession
from lanplay.told import worded
from lanplay.ui.alerts import alerts
from lanplay.ui.menu import LEAVING, Menu
from lanplay.ui.scene import Scene
from lanplay_protocol.replica.seating import Holder
from lanplay_protocol.replica.settings import TableSettings
from tests.replica.harness import Table, roster
from tests.session.harness import Seated, at_keep, client_of, keeps, sat_down
from tests.session.test_rematch import SAT

NAMES = ("Ann", "Bob")
LEFTS = (None, 16.0)


def nothing(command):
    """How whoever holds a phone, or looks at the big screen, decides of those who are missing."""
    return ""


def scene(left=None, **how):
    return Scene(None, NAMES, absent=(Absence("Bob", frozenset({1}), left),), **how)


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("how", [{}, {"stuck": True}, {"passes": True}, {"starting": True}])
@pytest.mark.parametrize("left", LEFTS)
def test_no_key_is_named_to_who_has_none(tag, how, left):
    """A phone was offered not to wait, and to go on anew: it has no button for either."""
    with speaking(tag):
        (told,) = alerts(scene(left, **how), nothing)
        (named,) = alerts(scene(left, **how), lambda command: f"<{command}>")
    assert ":" not in told.replace("Bob", "").partition(":")[2]
    assert "<" in named
    assert "  " not in told
    assert told == told.strip()


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("how", [{}, {"stuck": True}, {"passes": True}, {"starting": True}])
@pytest.mark.parametrize("left", LEFTS)
def test_what_can_be_done_of_one_who_is_missing_is_one_row_of_80(tag, how, left):
    """On the smallest screen a question leaves an alert no other: "or wait" stood in a second."""
    keys = {"hurry": "H", "wait": "W", "anew": "G", "q": "q"}
    with speaking(tag):
        absent = (Absence("Alexandra", frozenset({1}), left),)
        (told,) = alerts(Scene(None, NAMES, absent=absent, **how), keys.get)
    assert len(f" ! {told}") <= 80


@pytest.mark.parametrize("notice", ["WILLING", "ASKED_TO_OPEN", "TOO_FEW", "WAITS_NOT"])
def test_a_notice_names_a_command_to_whoever_has_it(notice):
    """All who sit at a laptop are told; its owner alone decides."""
    values = dict.fromkeys(Notice[notice].fields, "Ann")
    told = Notice[notice].of(**values)
    assert "<" in worded(told, lambda command: f"<{command}>")
    assert worded(told, nothing)
    assert "agree" not in worded(told, nothing)


@pytest.mark.parametrize(("passes", "who"), [(False, "AI is playing"), (True, "Nobody plays")])
def test_ai_plays_for_nobody_at_a_table_that_passes(passes, who):
    """Whoever came back was told that AI was playing for it, as at any other table."""
    (told,) = alerts(Scene(None, NAMES, returning=True, passes=passes), str)
    assert told.startswith(who)


def test_before_the_game_begins_the_table_is_gone_back_to():
    """No AI takes a seat in a game that does not begin, and no new one continues it."""
    (told,) = alerts(scene(16.0, starting=True), str)
    assert told == "Bob is gone: all return to the table in 16 s. hurry: at once. wait: wait."


@pytest.mark.parametrize(
    ("how", "means"),
    [
        ({}, "stays"),
        ({"passes": True}, "passes"),
        ({"waits": True, "passes": True}, "waits"),
        ({"waits": True, "starting": True}, "begins"),
        ({"waits": True, "starting": True, "alone": True}, "waits"),
    ],
)
def test_who_leaves_is_asked_about_what_comes_of_it(how, means):
    """At a table that passes no AI plays; a game that has not begun neither waits nor goes on."""
    offers = (c.CommandOffer(c.SetPace), c.CommandOffer(c.LeaveTable))
    seen = Snapshot(TableStage.PLAYING, game="dice-town", names=NAMES, own=0, **how)
    commands = Menu(print, SimpleNamespace()).commands(seen, offers)
    (leave,) = (each for each in commands if each.name == "q")
    assert (leave.help, leave.sure) == LEAVING[means]


@pytest.mark.parametrize(
    ("bot", "away", "told"),
    [
        ("", (), "until you are back"),
        ("strong", (), "Only AI is left then"),
        ("", (1,), "Only AI is left then"),
    ],
)
def test_whoever_goes_away_last_is_asked_whether_the_game_is_to_be_played_out(bot, away, told):
    """AI left alone moves at once: the game is over when its person is back."""
    holders = (Holder(0), Holder(1, bot))
    seen = Snapshot(
        TableStage.PLAYING,
        game="dice-town",
        names=NAMES,
        own=0,
        holders=holders,
        away=frozenset(away),
    )
    offers = (c.CommandOffer(c.SetAway), c.CommandOffer(c.SetPace))
    every = Menu(print, SimpleNamespace()).commands(seen, offers)
    assert told in next(each.sure for each in every if each.name == "away")


async def test_why_a_game_did_not_begin_is_read_at_the_table_to_which_all_go_back(monkeypatch):
    """It was said on the screen of that game, which was cleared as it was said."""
    why = Fault.LEFT_EARLY.of(names="Bob")
    void = PlayedTable(SimpleNamespace(halted=why), SAT, void=True)
    ways = iter([SAT])

    async def sits(node, seat, session):
        for way in ways:
            return way
        raise UserError(Fault.LEFT_TABLE)

    async def plays(session, node, said):
        return void

    monkeypatch.setattr(lifecycle, "sit_down", sits)
    monkeypatch.setattr(lifecycle, "as_guest", plays)
    monkeypatch.setattr(lifecycle, "back_to_table", lambda played, node: Target())
    session = TableSession(client_of(), NO_PASSWORD, lambda session: None)
    told = []
    monkeypatch.setattr(session, "tell", told.append)
    with pytest.raises(UserError):
        await lifecycle._sit(session, None, Target())
    searched = max(n for n, each in enumerate(told) if isinstance(each, StageChanged))
    assert [each.text for each in told[searched:] if isinstance(each, TableNotice)] == [why]


async def test_who_is_here_is_not_told_to_answer_again_and_who_is_away_not_asked_twice(nursery):
    """That was said, and the question put anew, whenever somebody typed it or was hurried again."""
    person = await sat_down(nursery)
    told = len(person.said)
    await person.command("back")
    assert "cannot be done now" in person.said[told:]
    assert "You answer for yourself again." not in person.said
    assert person.playing.said == []
    await person.command("away")
    person.game.asked_to_yield()
    await person.command("away")
    await person.command("back")
    await person.command("back")
    assert person.playing.said == [("away", True), ("away", False)]
    assert person.said.count("You answer for yourself again.") == 1
    assert person.said.count("An AI answers for you until you are back") == 1


def test_ai_is_not_waited_for_while_a_person_at_its_laptop_thinks():
    """All answers of a laptop come at once: its AI stood there as undecided beside its person."""
    house = TableSettings(bot="steady")
    table = Table(roster(3, 4, house, bots=("", "", "", "random")), seed=b"seat")
    table.start()
    table.run(lambda t: keeps(t.replicas[1]), seconds=600)
    looked = Seated(table.replicas[1], alone=False)
    looked.playing.missing = {}
    assert set(looked.replica.awaited) >= {0, 2, 3}
    assert {0, 2} <= set(looked.game._waited)
    assert 3 not in looked.game._waited


async def test_screens_change_as_a_wait_comes_to_have_an_end(monkeypatch):
    """Who wanted to wait for somebody without end left: no screen counted down before a key was
    pressed there, and AI took the seat as if at once."""
    looked = Seated(at_keep())
    told = []
    monkeypatch.setattr(looked.game, "_tell", told.append)
    for until in (None, None, 45.0):
        looked.playing.missing = {1: until}
        looked.game.changed()
    assert told == [PeersChanged(), PeersChanged()]


def test_where_too_few_are_left_no_key_is_offered_that_does_nothing():
    """Not to wait, or to wait, makes no more of them: to go on anew, or to leave, is what helps."""
    looked = Seated(at_keep())
    for missing, ways in (({1: 20.0}, {"SkipWait", "KeepWaiting"}), ({1: None, 2: None}, set())):
        looked.playing.missing = missing
        now = {each.kind.__name__ for each in looked.game.offers(frozenset({0}), True) if each.now}
        assert now & {"SkipWait", "KeepWaiting"} == ways
        assert ("ContinueWithout" in now) != bool(ways)
