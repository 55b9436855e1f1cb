"""The lobby: tables of this network appear by themselves; sit down at one, or open one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import trio

import lanplay_ai as ai
from lanplay import __version__
from lanplay.cli.endings import tellable
from lanplay.cli.looking_back import look_back
from lanplay.cli.place import Place
from lanplay.cli.settings import settle
from lanplay.cli.table_arguments import password
from lanplay.games import load, names, order_book
from lanplay.language import _
from lanplay.session.finding import FoundTable, LobbyFeed
from lanplay.session.reconnect import table_id
from lanplay.session.requests import absent_of
from lanplay.session.saved import all_games
from lanplay.session.settings import WINDOWS, Access, TableWish, Target
from lanplay.told import inside, worded
from lanplay.ui.front_end import Wishing
from lanplay.ui.lobby import Listing, Offer, Opened, Row, Wish

Act = Callable[[], Awaitable[int]]
"""What the lobby begins."""


READ_SECONDS: Final = 1.0
"""For how long at least the tables stay as they are shown, whoever sits down and gets up there."""
FIRST_SEATS: Final = 4
"""Seats of a first game, as far as the game has so many."""


async def lobby(place: Place) -> int:
    """Run ``lanplay`` without a command: let the person choose again and again until it leaves."""
    said: list[str] = []
    while True:
        async with place.client.tables() as feed:
            act = await _chosen(feed, place, said)
        if act is None:
            return 0
        said = await _run(act)


async def _chosen(feed: LobbyFeed, place: Place, said: Sequence[str]) -> Act | None:
    """Return what the person wants to do; ``None`` if it leaves."""
    found: dict[str, FoundTable] = {}
    own = {table_id(kept.roster): path for path, kept in all_games(place.client.store.games)}

    def listing() -> Listing:
        found.clear()
        found.update({row.advert.table_id: row for row in feed.tables})
        text = _own_games(feed, own)
        rows = [row_of(each, each.advert.table_id in own) for each in found.values()]
        return Listing(rows, text, worded(feed.problem, inside), version=__version__)

    with place.front.lobby(listing) as wishing:
        for text in said:
            wishing.say(text)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(follow, feed, place.front.changed)
            act = await _wanted(wishing, found, own, place)
            nursery.cancel_scope.cancel()
    return act


async def follow(feed: LobbyFeed, changed: Callable[[], None]) -> None:
    """Have the tables shown again when they have changed: as often as a person can read them."""
    while True:
        await feed.changed()
        await trio.sleep(READ_SECONDS)
        changed()


def _own_games(feed: LobbyFeed, own: Collection[str]) -> str:
    """Return what is known of the own games that are kept: one that has ended says so."""
    states = feed.states(set(own))
    if own and all(states.get(each) == "ended" for each in own):
        return _("A game of yours has ended without you: see how.")
    return _("A game of yours can go on.") if own else ""


async def _wanted(
    wishing: Wishing, found: Mapping[str, FoundTable], own: Mapping[str, Path], place: Place
) -> Act | None:
    """Ask until the person wants something that can be done, or leaves: then ``None``."""
    game, bot = place.settings.game, place.settings.bot
    while True:
        wish = await wishing.wish()
        row = found.get(wish.row.key) if wish.row is not None else None
        if wish.what == "leave":
            return None
        act: Act | None
        if wish.what == "learn":
            act = learning(wish.text or game, place)
        elif wish.what == "new":
            offered = offers(place.settings.absent, place.settings.windows)
            opened = await place.front.opening(offered, game, bot)
            act = None if opened is None else opening(opened, place)
        else:
            act = _sitting(wish, row, own, place)
        if act is not None:
            return act


def _sitting(
    wish: Wish, row: FoundTable | None, own: Mapping[str, Path], place: Place
) -> Act | None:
    access = Access(False, partial(password, "", place.front))
    game = own.get(row.advert.table_id) if row is not None and wish.what == "join" else None
    if wish.what == "resume" or game is not None:
        return partial(place.resume, access, game)
    if wish.what == "settings":
        return partial(settle, place, wish.text)
    if wish.what == "history":
        return partial(look_back, place.front, place.client.store.folder)
    if wish.what == "address":
        target = Target(wish.text)
    elif row is not None and row.addresses:
        target = Target(row.advert.table, places=tuple(row.addresses))
    else:
        return None
    if wish.what == "watch":
        return partial(place.watch, target, access)
    return lambda: place.show(place.client.join(target, access))


def row_of(found: FoundTable, own: bool = False) -> Row:
    """Return a table as the lobby lists it; one that plays an ``own`` game is gone on with."""
    advert = found.advert
    return Row(
        key=advert.table_id,
        table=advert.table,
        game=advert.game,
        seats=advert.seats,
        free=advert.free,
        password=advert.password,
        running=advert.state == "running",
        people=advert.people,
        closed="" if own else found.closed,
        watched=advert.compatible and advert.state == "running" and not own,
        kept=found.kept or own,
    )


def offers(absent: str = "", windows: str = "") -> list[Offer]:
    """Return the games that can be opened; what is named is offered first where it can be."""
    return [
        Offer(
            game.name,
            game.seats,
            game.options,
            {name: bot.summary for name, bot in ai.bots(game.name).items()},
            sorted(absent_of(game), key=lambda each: each != absent),
            sorted(WINDOWS if order_book(game.name) else (), key=lambda each: each != windows),
        )
        for game in map(load, names())
    ]


def learning(game: str, place: Place) -> Act:
    """Return what plays a first game: against beginners, with a coach."""
    seats = min(FIRST_SEATS, load(game).seats.stop - 1)
    return partial(
        place.play, TableWish(game=game, seats=seats, bot=ai.plainest(game)), learns=True
    )


def opening(opened: Opened, place: Place) -> Act:
    """Return what opens a table, or plays at once."""
    if opened.alone:
        return partial(place.play, opened.wish)
    access = Access(opened.password, partial(password, "", place.front))
    return partial(place.host, opened.wish, access)


async def _run(act: Act) -> list[str]:
    """Do what the person wants, and return what it is to be told afterwards."""
    try:
        await act()
    except (Exception, BaseExceptionGroup) as error:
        if told := tellable(error):
            return [worded(each.told, inside) for each in told]
        raise
    return []
