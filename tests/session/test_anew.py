"""What people see and have to do at a laptop that goes on with a new game, without the others."""

from __future__ import annotations

from contextlib import asynccontextmanager

from lanplay.session import commands as c
from lanplay.session import events as e
from lanplay.session.audience import EVERYBODY, Audience
from lanplay.session.client import NO_PASSWORD
from lanplay.session.settings import TableWish, Target
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


async def test_ai_answers_on_for_who_is_away_in_a_game_continued_anew(tmp_path):
    """The new game asked somebody who had gone, and waited for good: nobody else at that laptop
    can let AI answer for that seat. The seats of those left behind are AI's, and shown so."""
    async with left_by_bob(tmp_path) as (hosts, tom):
        hosts.session.submit(c.ContinueWithout())
        await until(lambda: hosts.session.snapshot(EVERYBODY).peers == ("Eva",))
        await until(lambda: tom in hosts.session.snapshot(EVERYBODY).away, 500)
        seen = hosts.session.snapshot(EVERYBODY)
        assert seen.away == {tom, seen.names.index("Bob")}
        await until(lambda: hosts.of(e.Ended))
