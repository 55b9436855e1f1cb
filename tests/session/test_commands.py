"""Tables that are driven by commands alone: no argument, no terminal, no front end."""

from __future__ import annotations

from contextlib import asynccontextmanager

import pytest
import trio

import lanplay_ai as ai
from lanplay.engine.question import Illegal
from lanplay.errors import UserError
from lanplay.games import load
from lanplay.session import commands as c
from lanplay.session import events as e
from lanplay.session.audience import EVERYBODY, OWNER, Audience
from lanplay.session.client import NO_PASSWORD
from lanplay.session.saved import all_games, looked_for
from lanplay.session.settings import TableWish, Target
from lanplay.ui.story import told_events
from lanplay_protocol.shell.journal import JournalError, journals
from tests.session.harness import Person, client_of


def is_asked(session, event):
    """Tell whether it is still asked: a game that goes on from disk may be further by now."""
    return any(each.asked is event for each in session._game._seats.people)


class Watched:
    """A session that runs, and what its owner is told."""

    def __init__(self, session, bot="random"):
        self.session = session
        self.events = []
        self.bot = bot
        self.outcome = None
        self.left = False
        self.answers = 0
        self.most = self.thinks_after = float("inf")

    async def run(self):
        try:
            self.outcome = await self.session.run()
        except UserError:
            self.left = True

    async def follow(self, events):
        """Answer what is asked, and go home once the game is over; leave after ``most`` answers.

        After ``thinks_after`` answers it thinks: the game waits for as long as a test looks at it.
        """
        async for event in events:
            self.events.append(event)
            match event:
                case e.WordsShown(asks=True):
                    self.session.submit(c.Trust())
                case e.Asked() if self.answers >= self.most:
                    self.session.submit(c.LeaveTable())
                case e.Asked() if self.answers >= self.thinks_after:
                    pass
                case e.Asked() if is_asked(self.session, event):
                    self.answers += 1
                    agent = ai.make(self.bot, bytes(32), event.view.header.game)
                    answer = agent.answer(event.view, event.question)
                    self.session.submit(c.GiveAnswer(event.seat, answer))

    def of(self, kind):
        return [event for event in self.events if isinstance(event, kind)]


@asynccontextmanager
async def following(*watched):
    """Run sessions until each has ended, with their people."""
    async with trio.open_nursery() as nursery:
        with_events = []
        for each in watched:
            context = each.session.subscribe(OWNER)
            with_events.append(context)
            nursery.start_soon(each.follow, context.__enter__())
            nursery.start_soon(each.run)
        yield
        nursery.cancel_scope.cancel()
    for context in with_events:
        context.__exit__(None, None, None)


async def until(true, tries=6000):
    """Return once something is true."""
    for _ in range(tries):
        if true():
            return
        await trio.sleep(0.01)
    raise AssertionError("in vain")


def port_of(hosts):
    """Return the port at which a table is open, once its host has said so."""
    said = (each.text for each in hosts.of(e.TableNotice))
    return next((t.rsplit(" ", 1)[1].strip(".") for t in said if "is open on port" in t), "")


async def test_a_table_is_hosted_joined_played_and_played_again(tmp_path):
    """Two people, two AI: the host seats AI and starts, both play, both want a rematch; the host is
    told that its guest does."""
    ann = client_of(tmp_path / "a", "Ann")
    ben = client_of(tmp_path / "b", "Ben")
    wish = TableWish("charidice", 4, "random")
    hosts = Watched(ann.host(wish, NO_PASSWORD))
    async with trio.open_nursery() as nursery:
        async with following(hosts):
            await until(lambda: port_of(hosts))
            joins = Watched(ben.join(Target(f"127.0.0.1:{port_of(hosts)}"), NO_PASSWORD))
            async with following(joins):
                await until(lambda: any(each.info.free == 2 for each in hosts.of(e.LobbyChanged)))
                assert c.Kick in {offer.kind for offer in hosts.session.commands(OWNER)}
                hosts.session.submit(c.SeatBot(2))
                with pytest.raises(ValueError, match="1 to 4"):
                    hosts.session.submit(c.MoveSeat(0, 8))
                hosts.session.submit(c.StartGame())
                await until(lambda: hosts.of(e.Ended) and joins.of(e.Ended))
                first = [each.of(e.Ended)[0].outcome for each in (hosts, joins)]
                for each in (hosts, joins):
                    assert each.session.stage is e.TableStage.OVER
                joins.session.submit(c.Rematch())
                await until(lambda: [each.host for each in hosts.of(e.Invited)] == ["Ben"])
                hosts.session.submit(c.Rematch())
                await until(lambda: len(hosts.of(e.Ended)) == len(joins.of(e.Ended)) == 2)
                second = [each.of(e.Ended)[1].outcome for each in (hosts, joins)]
                for each in (hosts, joins):
                    each.session.submit(c.LeaveTable())
                await until(lambda: hosts.outcome and joins.outcome)
        nursery.cancel_scope.cancel()
    assert len({each.record.state_hash for each in first}) == 1
    assert len({each.record.state_hash for each in second}) == 1
    assert first[0].record.state_hash != second[0].record.state_hash
    assert second[0].record.header.seats == ("Ann", "Ben", "random 3", "random 4")


async def test_a_local_game_is_left_and_gone_on_with(tmp_path):
    """After some answers its person leaves; resumed, it ends, and its journal is gone."""
    client = client_of(tmp_path, "Ann")
    begun = Watched(client.local(TableWish("charidice", 3, "random"), seed=3))
    begun.most = 10
    async with following(begun):
        await until(lambda: begun.left)
    [saved] = journals(client.store.games)
    resumed = Watched(client.resume(saved, NO_PASSWORD))
    async with following(resumed):
        await until(lambda: resumed.of(e.Ended))
        resumed.session.submit(c.LeaveTable())
        await until(lambda: resumed.outcome)
    before = [each.message for each in begun.of(e.EventLogged)]
    logged = resumed.of(e.EventLogged)
    assert [each.message for each in logged][: len(before)] == before
    assert logged[0].past
    assert not logged[-1].past
    assert resumed.outcome.record.header.seats == ("Ann", "random 2", "random 3")
    assert not journals(client.store.games)


async def saved(client):
    return await looked_for(all_games(client.store.games), client.network)


async def test_a_local_game_that_was_gone_on_with_can_be_played_again(tmp_path):
    """With the same seats, AI and options, and other luck."""
    client = client_of(tmp_path, "Ann")
    begun = Watched(client.local(TableWish("dice-town", 3, "random", {"brute": "one_extra"})))
    begun.most = 1
    async with following(begun):
        await until(lambda: begun.left)
    (game,) = await saved(client)
    assert not game.playing
    resumed = Watched(client.resume(game.path, NO_PASSWORD))
    async with following(resumed):
        await until(lambda: resumed.of(e.Ended))
        assert resumed.of(e.Ended)[0].rematch
        resumed.session.submit(c.Rematch())
        await until(lambda: len(resumed.of(e.Ended)) == 2)
        resumed.session.submit(c.LeaveTable())
        await until(lambda: resumed.outcome)
    first, second = (ended.outcome.record for ended in resumed.of(e.Ended))
    assert first.header.seats == second.header.seats
    assert first.header.options == second.header.options
    assert first.header.options["brute"] == "one_extra"
    assert first.state_hash != second.state_hash
    assert not await saved(client)


async def test_who_looks_for_tables_sees_them_come_and_go(tmp_path):
    """With why one cannot sit down there, if so. The host is no other test's on this network."""
    hosts = Watched(client_of(tmp_path / "a", "Adele").host(TableWish("charidice", 2), NO_PASSWORD))
    ben = client_of(tmp_path / "b", "Ben")
    async with ben.tables() as feed:
        assert not [each for each in feed.tables if each.advert.host == "Adele"]
        async with following(hosts):
            while not (ours := [each for each in feed.tables if each.advert.host == "Adele"]):
                await feed.changed()
            assert not ours[0].closed
            hosts.session.submit(c.Lock(True))
            while not any("full or locked" in each.closed for each in feed.tables):
                await feed.changed()
            hosts.session.submit(c.LeaveTable())
            await until(lambda: hosts.left)
        while any(each.advert.host == "Adele" for each in feed.tables):
            await feed.changed()


async def test_a_damaged_local_game_goes_on_from_what_is_whole(tmp_path):
    """Its person is told where it is damaged, and under which name that file is kept."""
    client = client_of(tmp_path, "Ann")
    begun = Watched(client.local(TableWish("charidice", 2, "random"), seed=3))
    begun.most = 10
    async with following(begun):
        await until(lambda: begun.left)
    (path,) = journals(client.store.games)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    resumed = Watched(client.resume(path, NO_PASSWORD))
    async with following(resumed):
        await until(lambda: resumed.of(e.Ended))
        resumed.session.submit(c.LeaveTable())
        await until(lambda: resumed.outcome)
    assert resumed.outcome.result
    said = [each.text for each in resumed.of(e.TableNotice)]
    assert any(f"{path}: it was changed or damaged at byte" in text for text in said)
    assert [each.suffix for each in client.store.games.iterdir()] == [".damaged"]


async def test_a_local_game_whose_beginning_is_damaged_says_so(tmp_path):
    """Nothing of it is whole; the file stays."""
    client = client_of(tmp_path, "Ann")
    path = client.store.games / "x.game"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\0" * 100)
    with pytest.raises(JournalError, match=r"x\.game: this is not a game in progress\."):
        await client.resume(path, NO_PASSWORD).run()
    assert path.exists()
    assert not await saved(client)


async def test_what_cannot_be_is_refused_and_changes_nothing(tmp_path):
    """An illegal answer, another's seat, a command of another stage: the question stays open."""
    client = client_of(tmp_path, "Ann")
    session = client.local(TableWish("dice-town", 3, "random"), seed=3)
    watched = Watched(session)
    watched.most = 0
    watched.follow = None
    async with trio.open_nursery() as nursery:
        with session.subscribe(OWNER) as events:
            nursery.start_soon(watched.run)
            async for event in events:
                if isinstance(event, e.Asked):
                    break
            for command in (
                c.GiveAnswer(0, ("nothing",)),
                c.GiveAnswer(1, 0),
                c.SetAway(2, True),
                c.StartGame(),
                c.Rematch(),
                c.Say("hello"),
                c.MoreTime(0),
            ):
                with pytest.raises((ValueError, Illegal)):
                    session.submit(command)
            assert 0 in session.snapshot(OWNER).asked
            session.submit(c.LeaveTable())
    assert watched.left


@pytest.mark.parametrize("game", ["dice-town", "charidice", "fliptown", "dogs-life"])
async def test_no_audience_hears_of_anothers_hidden_face(game, tmp_path):
    """Everything that is told to a spectator or a seat holds the open table and its own view."""
    client = client_of(tmp_path, "Ann", auto="random")
    session = client.local(TableWish(game, 3, "random"), seed=5)
    audiences = {
        EVERYBODY: [],
        Audience(frozenset({0})): [],
        Audience(frozenset({1})): [],
        OWNER: [],
    }
    async with trio.open_nursery() as nursery:
        for audience, heard in audiences.items():
            nursery.start_soon(listen, session, audience, heard)
        await trio.lowlevel.checkpoint()
        watched = Watched(session)
        nursery.start_soon(watched.run)
        while session.stage is not e.TableStage.OVER:
            for audience in audiences:
                snapshot = session.snapshot(audience)
                seats = audience.seats | ({0} if audience.owner and snapshot.game else set())
                assert {*(snapshot.views or {})} <= seats
                assert snapshot.own in (None, 0)
                assert (snapshot.own is None) or 0 in seats
            await trio.sleep(0.005)
        nursery.cancel_scope.cancel()
    for audience, heard in audiences.items():
        assert any(isinstance(event, e.EventLogged) for event in heard)
        views = {seat for event in heard for seat in views_in(event)}
        assert views <= audience.seats | ({0} if audience.owner else set())


async def listen(session, audience, heard):
    with session.subscribe(audience) as events:
        async for event in events:
            heard.append(event)


def views_in(event):
    """Return the seats whose views an event holds."""
    if isinstance(event, e.Snapshot):
        return set(event.views or {})
    if isinstance(event, e.Asked):
        return {event.view.seat, event.seat}
    if isinstance(event, e.NoLongerAsked | e.AnswerRefused | e.Hinted):
        return {event.seat}
    return set()


async def test_an_event_is_told_with_the_round_in_which_it_was(tmp_path):
    """What ends a round belongs to it, although the table has begun the next one by then."""
    played = Watched(client_of(tmp_path, "Ann").local(TableWish("charidice", 2, "random"), seed=3))
    async with following(played):
        await until(lambda: played.of(e.Ended))
        played.session.submit(c.LeaveTable())
    told = [(each.round, each.message) for each in played.of(e.EventLogged)]
    record = played.of(e.Ended)[0].outcome.record
    events = told_events(load("charidice"), record)[0]
    begun = next(at for at, (_round, message) in enumerate(events) if message.id == "round")
    assert told[begun:] == events[begun:]


async def test_a_fault_of_a_display_is_not_taken_for_an_answer_that_came_too_late():
    """It ends the front end loudly: a question that nobody shows would be waited for for ever."""
    person = Person()

    async def faulty(view, question):
        raise ValueError("a fault of the display")

    person.console.answer = faulty
    with pytest.raises(ExceptionGroup) as caught:
        async with trio.open_nursery() as own:
            await own.start(person.presenter.run)
            with trio.move_on_after(5):
                own.start_soon(person.answer)
                await trio.sleep(5)
            own.cancel_scope.cancel()
    assert caught.group_contains(ValueError, match="a fault of the display")
