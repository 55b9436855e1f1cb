"""Standing orders on the faces: lines, the full screen and the browser change one and the same."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from lanplay.engine.orders import Mode, Order
from lanplay.games import order_book
from lanplay.session import commands as c
from lanplay.session.events import Snapshot, TableStage
from lanplay.tui.cells import Size, plain
from lanplay.tui.glyphs import UNICODE
from lanplay.tui.screens.orders import OrdersScreen
from lanplay.ui.commands import found
from lanplay.ui.menu import Menu
from lanplay.ui.orders import rows
from lanplay.ui.scene import scene_of
from lanplay.web import regions
from tests.session.test_reaction import holding
from tests.tui.harness import position

BOOK = order_book("dice-town")


class Face:
    """What a menu shows, and what it submits."""

    def __init__(self):
        _game, view, _ = position("play", 3)
        holding(view, "wanted", "dynamite")
        self.orders = {card: form.default for card, form in BOOK.forms.items()}
        self.view, self.sent, self.said = view, [], []
        self.menu = Menu(self.submit, self)

    @property
    def snapshot(self):
        seat = self.view.seat
        return Snapshot(
            TableStage.PLAYING,
            "dice-town",
            table=self.view.table,
            names=("Ann", "Bob", "Cyd"),
            own=seat,
            views={seat: self.view},
            orders=self.orders,
        )

    def submit(self, command):
        self.sent.append(command)
        if isinstance(command, c.GiveOrder):
            self.orders[command.card] = command.order

    def reply(self, text):
        self.said.append(text)

    def way(self, command):
        return f":{command}"

    def commands(self, *offers):
        return self.menu.commands(self.snapshot, (c.CommandOffer(c.SetPace), *offers))

    def type(self, line, *offers):
        command, argument = found(self.commands(c.CommandOffer(c.GiveOrder), *offers), line)
        command.run(argument)


def test_orders_are_listed_and_changed_by_their_numbers():
    """Cards that are held come first; each has its effect, and every choice its number."""
    face = Face()
    face.type("orders")
    assert face.said[0].index("1.*Dynamite: if it brings at least 2 nuggets more") < face.said[
        0
    ].index("2.*Wanted")
    assert "twice the nuggets" in face.said[0]
    face.type("orders 1 3")
    assert face.sent == [c.GiveOrder(face.view.seat, "dynamite", Order(Mode.NEVER))]
    assert face.said[-1] == "Dynamite: never."
    for wrong in (
        "orders 1",
        "orders 1 99",
        "orders 9 1",
        "orders 0 1",
        "orders a b",
        "orders 1 2 3",
    ):
        with pytest.raises(ValueError, match="Give two numbers"):
            face.type(f"orders {wrong}")
    assert len(face.sent) == 1


def test_every_choice_that_is_shown_can_be_ordered():
    """Also those against one seat, which the form has for every other."""
    face = Face()
    for row in rows(face.snapshot):
        for place in range(len(row.choices)):
            face.type(f"orders {row.number} {place + 1}")
            again = next(each for each in rows(face.snapshot) if each.card == row.card)
            assert again.says == row.choices[place]
    assert len(set(map(str, face.sent))) == sum(len(each.orders) for each in rows(face.snapshot))


def test_where_it_is_asked_a_card_can_be_ordered_about_for_good():
    """Always and never are offered with the question alone."""
    face = Face()
    assert found(face.commands(c.CommandOffer(c.GiveOrder)), "never") is None
    face.type("never", c.CommandOffer(c.FromNowOn, True, "never"))
    assert face.sent == [c.FromNowOn(face.view.seat, Mode.NEVER)]


def test_a_table_without_reactions_has_no_orders():
    face = Face()
    assert found(face.commands(), "orders") is None
    assert rows(Snapshot(TableStage.PLAYING, "charidice", own=0, orders={})) == []


def test_the_panel_changes_what_the_cursor_is_at():
    """Left and right go through the choices, up and down through the cards; Esc closes it."""
    face, closed = Face(), []
    stage = SimpleNamespace(glyphs=UNICODE, redraw=lambda: None, pop=closed.append)
    give = face.submit
    screen = OrdersScreen(
        stage, lambda: rows(face.snapshot), lambda card, order: give(c.GiveOrder(2, card, order))
    )
    shown = [plain(each) for each in screen.lines(Size(80, 24))]
    assert any("Dynamite: if it brings at least 2 nuggets more" in each for each in shown)
    screen.press("down")
    screen.press("right")
    assert face.orders["wanted"] == Order(Mode.ALWAYS)
    screen.press("left")
    screen.press("left")
    assert face.orders["wanted"] == Order(Mode.OWN)
    screen.press("order 0")
    assert face.orders["dynamite"] != BOOK.forms["dynamite"].default
    screen.press("escape")
    assert closed == [screen]


def test_the_browser_has_a_button_for_each_choice():
    face = Face()
    html = regions.orders(scene_of(face.snapshot).orders(), "")
    assert html.count('data-do="order.') == sum(len(each.choices) for each in rows(face.snapshot))
    assert "a card that somebody else has just played has no effect" in html
