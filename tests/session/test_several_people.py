"""Three people at two laptops, driven by commands alone; nobody is told what another one hides."""

from __future__ import annotations

from collections.abc import Mapping, Set
from contextlib import asynccontextmanager, contextmanager
from enum import Enum
from functools import cache

import pytest

import lanplay_ai as ai
from lanplay.games import NAMES
from lanplay.session import commands as c
from lanplay.session import events as e
from lanplay.session import reaction, seats, standing
from lanplay.session.audience import EVERYBODY, OWNER, Audience
from lanplay.session.client import NO_PASSWORD
from lanplay.session.settings import TableWish, Target
from lanplay_protocol.shell.journal import journals
from tests.session.harness import SHORT, client_of
from tests.session.test_commands import Watched, following, is_asked, port_of, until

MARK = 10**30
"""No die, no card and nothing that is counted is so great."""
EVERY = 20
"""After so many events the whole table is looked at, too, as this person may see it."""
HIDING = ("dice-town",)
"""Where seats always hide something; in Fliptown and A Dog's Life it hangs on luck."""


@pytest.fixture(autouse=True)
def _no_delays(monkeypatch):
    """Reactions leave at once, and there is time for them: speed is tested elsewhere."""
    for pace in reaction.PAUSE:
        monkeypatch.setitem(reaction.PAUSE, pace, 0.01)
    monkeypatch.setattr(seats, "HOLD", 1e6)
    monkeypatch.setattr(standing, "taken", lambda share: 0.0)


def reaches_mark(value):
    """Tell whether a marked face can be reached from a value."""
    known, left = {}, [value]
    while left:
        each = left.pop()
        if isinstance(each, int):
            if each >= MARK:
                return True
        elif id(each) not in known and not isinstance(each, str | bytes | Enum):
            known[id(each)] = each
            left += held(each)
    return False


def held(value):
    """Return what a value holds, of whatever class of ours it is."""
    if isinstance(value, Set | list | tuple):
        return value
    if isinstance(value, Mapping):
        return [*value.keys(), *value.values()]
    if not type(value).__module__.startswith("lanplay"):
        return ()
    slots = [getattr(value, name) for name in slots_of(type(value)) if hasattr(value, name)]
    return [*slots, *getattr(value, "__dict__", {}).values()]


@cache
def slots_of(kind):
    return {name for each in kind.__mro__ for name in getattr(each, "__slots__", ())}


@contextmanager
def marked(views, seats):
    """Mark all faces that seats but these hide while a block runs, and tell how many there are."""
    hidden = {seat: (dict(v.own), v.cup) for seat, v in views.items() if seat not in seats}
    for seat, (own, cup) in hidden.items():
        views[seat].own.update((card, MARK + face) for card, face in own.items())
        views[seat].cup = tuple(MARK + die for die in cup)
    try:
        yield sum(len(own) + len(cup) for own, cup in hidden.values())
    finally:
        for seat, (own, cup) in hidden.items():
            views[seat].own.update(own)
            views[seat].cup = cup


class Person:
    """One of the people at a laptop: plays its own seat, and is told what this one may know."""

    def __init__(self, session, *seats):
        self.session = session
        self.audience = Audience(frozenset(seats))
        self.seats = seats
        self.events = []
        self.hidden = 0
        self.plays = True

    async def play(self):
        with self.session.subscribe(self.audience) as events:
            async for event in events:
                self.look(event)
                self.events.append(event)
                if isinstance(event, e.Asked) and self.plays and is_asked(self.session, event):
                    game = event.view.header.game
                    agent = ai.make("random", bytes([event.seat]) * 32, game)
                    answer = agent.answer(event.view, event.question)
                    self.session.submit(c.GiveAnswer(event.seat, answer), self.audience)

    def look(self, event):
        """Nothing that others hide can be reached from what this person is told, or may look at."""
        assert not isinstance(event, e.PRIVATE) or event.seat in self.seats
        game = self.session._game
        if game is None or not game._seats._thinking.value:  # an AI is thinking, in a thread
            return
        whole = isinstance(event, e.Asked) or len(self.events) % EVERY == 0
        with marked(game._replica.views, self.seats) as hidden:
            seen = (event, self.session.snapshot(self.audience) if whole else None)
            assert not reaches_mark(seen)
        self.hidden += hidden if whole else 0


def sits(watched, name):
    """Tell whether somebody sits at the forming table."""
    shown = watched.of(e.LobbyChanged)
    return bool(shown) and name in [seat.name for seat in shown[-1].info.seats]


def seat_of(watched, name):
    return [seat.name for seat in watched.of(e.LobbyChanged)[-1].info.seats].index(name)


def logged(events):
    return [event.message for event in events if isinstance(event, e.EventLogged)]


@asynccontextmanager
async def at_two_laptops(tmp_path, game):
    """Ann hosts; Ben joins, and Una sits down at his laptop: their sessions, before the start."""
    wish = TableWish(game, 4, "random", SHORT.get(game, {}))
    hosts = Watched(client_of(tmp_path / "a", "Ann").host(wish, NO_PASSWORD))
    async with following(hosts):
        await until(lambda: port_of(hosts))
        target = Target(f"127.0.0.1:{port_of(hosts)}")
        joins = Watched(client_of(tmp_path / "b", "Ben").join(target, NO_PASSWORD))
        async with following(joins):
            await until(lambda: sits(joins, "Ben"))
            assert c.SeatPerson in {offer.kind for offer in joins.session.commands(OWNER)}
            joins.session.submit(c.SeatPerson("Una"))
            await until(lambda: sits(joins, "Una"))
            yield hosts, joins


@pytest.mark.sweep(2)
@pytest.mark.parametrize("game", NAMES)
async def test_three_people_at_two_laptops_play_and_none_learns_what_another_hides(
    game, tmp_path, nursery
):
    """Each is told the same whatever is in other hands; what all are told is alike everywhere."""
    async with at_two_laptops(tmp_path, game) as (hosts, joins):
        session, una = joins.session, seat_of(joins, "Una")
        people = [Person(session, una), Person(session), Person(hosts.session)]
        people.append(Person(session, seat_of(joins, "Ben")))
        people[-1].plays = False
        for each in people:
            nursery.start_soon(each.play)
        hosts.session.submit(c.StartGame())
        await until(lambda: hosts.of(e.Ended) and joins.of(e.Ended), tries=60_000)
        told = logged(hosts.events)
        await until(lambda: all(len(logged(each.events)) >= len(told) for each in people))
        ends = [each.of(e.Ended)[0].outcome for each in (hosts, joins)]
        for each in (hosts, joins):
            each.session.submit(c.LeaveTable())
        await until(lambda: hosts.outcome and joins.outcome)
    assert len({each.record.state_hash for each in ends}) == 1
    assert ends[0].record.header.seats[una] == "Una"
    assert any(isinstance(event, e.Asked) for event in people[0].events)
    assert game not in HIDING or any(person.hidden for person in people)
    assert len(told) > 20
    for person in people:
        assert logged(person.events) == told
    assert not [event for event in people[1].events if isinstance(event, e.PRIVATE)]


async def test_each_person_is_away_answers_and_speaks_for_its_own_seat_alone(tmp_path, nursery):
    """Who has a seat may do what is of that seat; the laptop is its owner's to decide about."""
    async with at_two_laptops(tmp_path, "charidice") as (hosts, joins):
        una, ben = seat_of(joins, "Una"), seat_of(joins, "Ben")
        session, audience = joins.session, Audience(frozenset({una}))
        hosts.thinks_after = 0
        joins.session.submit(c.SeatPerson("una"))
        await until(lambda: any("taken for" in each.text for each in joins.of(e.TableNotice)))
        hosts.session.submit(c.StartGame())
        await until(lambda: hosts.session.stage is e.TableStage.PLAYING)
        session.submit(c.Say("I am Una", una), audience)
        await until(lambda: hosts.of(e.Chatted))
        said = hosts.of(e.Chatted)[0].said
        assert (said.name, said.seat) == ("Una", una)
        session.submit(c.SetAway(una, True), audience)
        await until(lambda: una in hosts.session.snapshot(OWNER).away)
        assert ben not in hosts.session.snapshot(OWNER).away
        offered = {offer.kind for offer in session.commands(audience)}
        assert offered >= {c.SetAway, c.Say, c.Pause}
        assert not session.commands(EVERYBODY)
        for forbidden in (
            c.LeaveTable(),
            c.SetPace(0),
            c.Trust(),
            c.SetAway(ben, True),
            c.GiveAnswer(ben, 0),
            c.Say("I am Ben", ben),
            c.Say("who am I"),
            c.SkipWait("Ann"),
        ):
            assert type(forbidden) not in offered or forbidden.seat != una
            with pytest.raises(ValueError, match="cannot be done now"):
                session.submit(forbidden, audience)
        for each in (hosts, joins):
            each.session.submit(c.LeaveTable())


async def test_the_people_of_a_lost_host_free_their_seats(tmp_path):
    """The next host inherits AI, and nobody who went with the laptop."""
    wish = TableWish("charidice", 4, "random")
    hosts = Watched(client_of(tmp_path / "a", "Ann").host(wish, NO_PASSWORD))
    async with following(hosts):
        await until(lambda: port_of(hosts))
        target = Target(f"127.0.0.1:{port_of(hosts)}")
        joins = [
            Watched(client_of(tmp_path / name, name).join(target, NO_PASSWORD))
            for name in ("Cyd", "Eve")
        ]
        async with following(*joins):
            await until(lambda: sits(hosts, "Cyd") and sits(hosts, "Eve"))
            hosts.session.submit(c.SeatPerson("Ben on a phone"))
            await until(lambda: all(sits(each, "Ben on a phone") for each in joins))
            hosts.session.submit(c.LeaveTable())
            await until(lambda: any(each.of(e.LobbyChanged)[-1].hosted for each in joins))
            heir = next(each for each in joins if each.of(e.LobbyChanged)[-1].hosted)
            await until(lambda: not heir.of(e.LobbyChanged)[-1].awaited)
            for each in joins:
                await until(lambda each=each: not sits(each, "Ann"))
                assert not sits(each, "Ben on a phone")
                assert each.of(e.LobbyChanged)[-1].info.free == 2
            for each in joins:
                each.session.submit(c.LeaveTable())


async def test_a_game_of_three_people_at_two_laptops_goes_on_from_disk(tmp_path, nursery):
    """Each has its own seat again, and they come to one end."""
    async with at_two_laptops(tmp_path, "charidice") as (hosts, joins):
        una = seat_of(joins, "Una")
        nursery.start_soon(Person(joins.session, una).play)
        hosts.thinks_after = 4
        hosts.session.submit(c.StartGame())
        await until(lambda: hosts.answers > 3)
        for each in (hosts, joins):
            each.session.submit(c.LeaveTable())
        await until(lambda: hosts.left and joins.left)
    again = []
    for each in (hosts, joins):
        client = each.session.client
        (path,) = journals(client.store.games)
        again.append(Watched(client.resume(path, NO_PASSWORD)))
    async with following(*again):
        person = Person(again[1].session, una)
        nursery.start_soon(person.play)
        await until(lambda: all(each.of(e.Ended) for each in again))
        for each in again:
            each.session.submit(c.LeaveTable())
        await until(lambda: all(each.outcome for each in again))
    assert len({each.outcome.record.state_hash for each in again}) == 1
    assert any(isinstance(event, e.Asked) and event.seat == una for event in person.events)


async def test_all_at_a_forming_table_talk_each_under_its_own_name(tmp_path):
    """The host, a guest, and a further person, who is named with its laptop; nobody else does."""
    async with at_two_laptops(tmp_path, "charidice") as (hosts, joins):
        una = Audience(person="Una")
        assert c.Say in {offer.kind for offer in joins.session.commands(una)}
        assert not joins.session.commands(EVERYBODY)
        for session, audience in ((hosts.session, OWNER), (joins.session, OWNER)):
            await until(lambda: joins.session.chat.passed_on)
            session.submit(c.Say("hello"), audience)
        await until(lambda: len(hosts.of(e.Chatted)) == len(joins.of(e.Chatted)) == 2)
        joins.session.submit(c.Say("and I?"), una)
        await until(lambda: len(hosts.of(e.Chatted)) == len(joins.of(e.Chatted)) == 3)
        for each in (hosts, joins):
            said = [event.said for event in each.of(e.Chatted)]
            assert {(one.name, one.laptop) for one in said} == {
                ("Ann", ""),
                ("Ben", ""),
                ("Una", "Ben"),
            }
            with each.session.subscribe(EVERYBODY) as late:
                told = [late.receive_nowait() for _ in range(5)][2:]
            assert [event.said for event in told] == said
        for audience in (EVERYBODY, Audience(person="Zoe"), Audience(frozenset({0}))):
            with pytest.raises(ValueError, match="cannot be done"):
                hosts.session.submit(c.Say("I am nobody"), audience)
        for each in (hosts, joins):
            each.session.submit(c.LeaveTable())
        await until(lambda: hosts.left and joins.left)
