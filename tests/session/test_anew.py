"""What people see and have to do at a laptop that goes on with a new game, without the others."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager

from lanplay.session import commands as c
from lanplay.session import events as e
from lanplay.session import playing
from lanplay.session.audience import EVERYBODY, Audience
from lanplay.session.client import NO_PASSWORD
from lanplay.session.settings import TableWish, Target
from lanplay_protocol.replica.transcript import Transcript
from lanplay_protocol.shell.journal import journals
from tests.session.harness import client_of
from tests.session.test_commands import Watched, following, port_of, until


@asynccontextmanager
async def left_by_bob(tmp_path):
    """Eva's laptop, at which Tom plays, too; Bob is gone in the middle of the game."""
    eva, bob = client_of(tmp_path / "a", "Eva"), client_of(tmp_path / "b", "Bob")
    hosts = Watched(eva.host(TableWish("charidice", 3, "random"), NO_PASSWORD))
    async with following(hosts):
        await until(lambda: port_of(hosts))
        joins = Watched(bob.join(Target(f"127.0.0.1:{port_of(hosts)}"), NO_PASSWORD))
        joins.most = 2
        async with following(joins):
            await until(lambda: any(each.info.free == 1 for each in hosts.of(e.LobbyChanged)))
            hosts.session.submit(c.SeatPerson("Tom"))
            hosts.session.submit(c.StartGame())
            await until(lambda: hosts.session.played)
            tom = hosts.session.snapshot(Audience(person="Tom")).own
            hosts.session.submit(c.SetAway(tom, True))
            await until(lambda: joins.left)
        await until(lambda: hosts.session.stage is e.TableStage.NO_QUORUM)
        yield hosts, tom


class Killed(BaseException):
    """The program ends here."""


class Mortal(Watched):
    """Whose program may be killed."""

    async def run(self):
        try:
            await super().run()
        except* Killed:
            self.left = True


@asynccontextmanager
async def left_to_two(tmp_path, stack, **bobs):
    """Eva's and Bob's laptops, which two others have left in the middle of the game."""
    clients = {name: client_of(tmp_path / name, name) for name in ("Eva", "Cyd", "Dan")}
    clients["Bob"] = client_of(tmp_path / "Bob", "Bob", **bobs)
    eva = Watched(clients["Eva"].host(TableWish("charidice", 4, grace=3), NO_PASSWORD))
    await stack.enter_async_context(following(eva))
    await until(lambda: port_of(eva))
    at = Target(f"127.0.0.1:{port_of(eva)}")
    bob, cyd, dan = (Mortal(clients[n].join(at, NO_PASSWORD)) for n in ("Bob", "Cyd", "Dan"))
    for each in (bob, cyd, dan):
        await stack.enter_async_context(following(each))
    cyd.most = dan.most = 3
    await until(lambda: cyd.left and dan.left)
    for each in (eva, bob):
        await until(lambda one=each: one.session.stage is e.TableStage.NO_QUORUM)
    yield eva, bob, clients["Eva"]


async def test_a_game_continued_anew_that_cannot_begin_leaves_the_old_one_to_go_on_with(
    tmp_path, monkeypatch
):
    """One of two was killed as it began. The new game could never begin, and was the newest that is
    kept: whoever resumed waited there in vain, and was told to open a new table. It stood among the
    games that were played, too."""
    real = playing.GameRun._play_restarted

    async def restarted(run, roster, over):
        if run.session.client.profile.name == "Bob":
            raise Killed
        return await real(run, roster, over)

    monkeypatch.setattr(playing.GameRun, "_play_restarted", restarted)
    async with AsyncExitStack() as stack, left_to_two(tmp_path, stack) as (eva, bob, client):
        [old] = journals(client.store.games)
        for each in (eva, bob):
            each.session.submit(c.ContinueWithout())
        await until(lambda: bob.left)
        await until(lambda: len(journals(client.store.games)) == 2)
        await until(lambda: eva.of(e.Ended))
        assert "Bob left before the game began" in eva.of(e.Ended)[0].outcome.halted
        assert journals(client.store.games) == [old]
        assert eva.of(e.Ended)[0].path is None  # nothing of it stands in the history


async def test_ai_answers_on_for_who_is_away_in_a_game_continued_anew(tmp_path):
    """The new game asked somebody who had gone, and waited for good: nobody else at that laptop
    can let AI answer for that seat. The seats of those left behind are AI's, and shown so."""
    async with left_by_bob(tmp_path) as (hosts, tom):
        hosts.session.submit(c.ContinueWithout())
        await until(lambda: hosts.session.snapshot(EVERYBODY).peers == ("Eva",))
        await until(lambda: tom in hosts.session.snapshot(EVERYBODY).away)
        seen = hosts.session.snapshot(EVERYBODY)
        assert seen.away == {tom, seen.names.index("Bob")}
        await until(lambda: hosts.of(e.Ended))


async def test_the_old_game_stays_kept_though_not_all_are_known_to_have_begun_it(
    tmp_path, monkeypatch
):
    """It was deleted like a start that came to nothing: those who were left behind may have it, and
    could never go on."""
    monkeypatch.setattr(Transcript, "begun", False)
    async with left_by_bob(tmp_path) as (hosts, _tom):
        old = hosts.session.kept_in
        hosts.session.submit(c.ContinueWithout())
        await until(lambda: hosts.session.snapshot(EVERYBODY).peers == ("Eva",))
        assert old.exists()
        assert hosts.session.kept_in != old


async def test_a_laptop_without_a_person_agrees_to_go_on_anew(tmp_path):
    """All who are here have to agree, and nobody sat there who could: the table stood still."""
    async with AsyncExitStack() as stack:
        program = {"auto": "random", "trust_new": True}
        async with left_to_two(tmp_path, stack, **program) as (eva, bob, _client):
            assert len(eva.session.snapshot(EVERYBODY).peers) == 4
            eva.session.submit(c.ContinueWithout())
            for each in (eva, bob):
                seen = each.session.snapshot
                await until(lambda look=seen: look(EVERYBODY).peers == ("Eva", "Bob"))
