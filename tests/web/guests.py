"""A laptop with phones: a real session, its phones, and browsers that come to it."""

from __future__ import annotations

from contextlib import asynccontextmanager

import trio

from lanplay.session import events as e
from lanplay.session.client import NO_PASSWORD
from lanplay.session.settings import TableWish
from lanplay.web.doors import Doors
from lanplay.web.inviting import WebPhones
from tests.session.harness import SHORT, client_of
from tests.session.test_commands import Watched, following, until
from tests.web.harness import Browser

HERE = ["127.0.0.1"]


class Laptop:
    """Eva's: ``hosts`` is her session, ``phones`` are those of it."""

    def __init__(self, hosts, kept=None, **doors):
        self.hosts, self.session = hosts, hosts.session
        self.phones = WebPhones(self.session, Doors(lambda: HERE, **doors), kept=kept)

    @property
    def code(self):
        return self.phones.invitation.address.rpartition("/")[2]

    def browser(self):
        address = self.phones.invitation.address or self.phones._doors.origins[0]
        return Browser(int(address.split(":")[2].partition("/")[0]))

    async def come(self, name):
        """Let somebody come; return the browser once its page is the table's."""
        browser = self.browser()
        status, said = await browser.join(self.code, name)
        assert status == 200, said
        await until(lambda: not self.guest(name) or self.guest(name)._stack)
        return browser

    def guest(self, name):
        return next((each for each in self.phones._guests if each.name == name), None)

    def seat(self, name):
        return self.session.snapshot(e_audience(name)).own

    def view(self, name):
        return self.session.snapshot(e_audience(name)).views


def e_audience(name):
    from lanplay.session.audience import Audience

    return Audience(person=name)


@asynccontextmanager
async def laptop(folder, game="charidice", seats=3, name="Eva", doors=None, **wish):
    """Open a table, and let phones come to it."""
    short = TableWish(game, seats, "random", SHORT.get(game, {}), **wish)
    hosts = Watched(client_of(folder, name).host(short, NO_PASSWORD))
    async with following(hosts):
        await until(lambda: hosts.of(e.LobbyChanged))
        made = Laptop(hosts, **(doors or {}))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(made.phones.run)
            made.phones.invite()
            yield made
            nursery.cancel_scope.cancel()
