"""A new table in the browser: what its form offers, and what comes of it."""

from __future__ import annotations

from lanplay.cli.lobby import offers
from lanplay.session.settings import TableWish
from lanplay.ui.lobby import Opened
from lanplay.ui.opening import fields
from lanplay.web.live import Tap
from lanplay.web.lobby import OpeningPage
from lanplay.web.pages import PageStack


async def test_a_form_opens_what_it_offers_and_nothing_else():
    pages = PageStack()
    page = OpeningPage(pages, offers(), "charidice", "expert")
    [game] = [each for each in offers() if each.game == "charidice"]
    usual = {name: field.usual for name, field in fields(game, "expert").items()}
    text = "".join(page.regions().values())
    assert all(f'id="f.{name}"' in text for name in usual)
    for name in usual:
        assert not page.act(Tap("open", fields={**usual, name: "?"}))
    assert not page.act(Tap("open"))
    chosen = {**usual, "seats": "2", "idle": "60", "password": "yes"}
    assert page.act(Tap("open", fields=chosen))
    wish = TableWish("charidice", 2, "expert", idle=60)
    assert await page.answered() == Opened(wish, password=True)
    assert page.act(Tap("open", fields={**chosen, "alone": "1"}))
    assert await page.answered() == Opened(TableWish("charidice", 2, "expert"), alone=True)
