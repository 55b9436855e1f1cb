"""Kept games in the browser: their list, and each again, forward and back, with any seat's eyes."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
import trio

from lanplay.cli.looking_back import look_back
from lanplay.engine.record import Record, from_bytes
from lanplay.engine.stepper import Stepper
from lanplay.games import NAMES, load
from lanplay.session.storage import save_record
from lanplay.ui.kept import Showcase
from lanplay.web.front_end import WebFrontEnd
from lanplay.web.live import Tap
from lanplay.web.pages import PageStack
from lanplay.web.replaying import WAYS, ReplayPage
from tests.session.test_commands import until
from tests.web.harness import options, parsed
from tests.web.test_pages import simulated


@cache
def record_of(name):
    """Return the record of a whole game of three bots."""
    seed = b"again".ljust(32, b"!")
    played = simulated(name, seed)
    played.run()
    header = replace(played.views[0].header, seed=seed)
    made = Record(header, played.referee.history, played.table.hash())
    return from_bytes(made.to_bytes())


def page_of(name):
    record = record_of(name)
    game = load(name)
    return ReplayPage(PageStack(), Stepper(game, record), game, record.header.seats, None)


def drawn(page):
    return "".join(page.regions().values())


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_gone_through_and_back_and_ends_with_its_result(name):
    page = page_of(name)
    first = drawn(page)
    assert page.act(Tap("go.forward"))
    assert drawn(page) != first
    assert page.act(Tap("go.back"))
    assert drawn(page) == first
    assert page.act(Tap("go.end"))
    ended = drawn(page)
    parsed(ended)
    assert 'class="won"' in ended
    assert page.act(Tap("go.forward"))
    assert "nothing more" in drawn(page)
    for way in WAYS:
        assert f"go.{way}" in options(parsed(ended))


def test_a_hand_is_shown_to_its_own_eyes_alone():
    page = page_of("dice-town")
    page.act(Tap("go.round"))
    page.act(Tap("go.round"))
    assert 'id="own" class="region own" hidden' in drawn(page)
    shown = set()
    for seat in range(3):
        assert page.act(Tap("eyes", fields={"seat": str(seat)}))
        shown.add(str(page.regions()["own"]))
    assert len(shown) == 3


@pytest.mark.parametrize("do", ["eyes", "eyes.7", "eyes.x", "go.nowhere", "pick.0", "do.q"])
def test_what_there_is_not_is_no_way(do):
    for seat in ("7", "x", "-1"):
        assert not page_of("charidice").act(Tap(do, fields={"seat": seat}))


async def test_a_kept_game_is_found_in_the_list_and_looked_at(tmp_path):
    save_record(record_of("charidice"), folder=tmp_path)
    (tmp_path / "records" / "broken.lanplay").write_bytes(b"x")
    pages = PageStack()
    front = WebFrontEnd(pages)
    assert isinstance(front, Showcase)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(look_back, front, tmp_path)
        await until(lambda: "see.0" in options(parsed("".join(pages.regions().values()))))
        assert "see.1" not in options(parsed("".join(pages.regions().values())))
        assert pages.act(Tap("see.0"))
        await until(lambda: "go.forward" in options(parsed("".join(pages.regions().values()))))
        assert pages.act(Tap("leave"))
        await until(lambda: "see.0" in options(parsed("".join(pages.regions().values()))))
        assert pages.act(Tap("leave"))
