"""Standing orders as people see and give them, on every front end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lanplay.engine.orders import Mode, Order, OrderBook
from lanplay.games import order_book
from lanplay.games.wording import words_of
from lanplay.language import _
from lanplay.session.events import Snapshot
from lanplay.told import Way


@dataclass(frozen=True, slots=True)
class OrderRow:
    """The order for one kind of card: what it is called, does, and what holds of it.

    ``choices`` are all that can be ordered, in words; ``at`` is the place of the one that holds.
    ``held``: the seat has such a card. ``number`` is by what lines call it.
    """

    number: int
    card: str
    name: str
    effect: str
    held: bool
    orders: Sequence[Order]
    choices: Sequence[str]
    at: int

    @property
    def says(self) -> str:
        """What holds, in words."""
        return self.choices[self.at]


def holds(snapshot: Snapshot) -> bool:
    """Tell whether the own seat holds a card that it can give orders for."""
    book = order_book(snapshot.game)
    view = snapshot.own_view
    return book is not None and view is not None and bool(book.held(view))


def rows(snapshot: Snapshot) -> list[OrderRow]:
    """Return the orders of the own seat: first of the cards that it holds."""
    book = order_book(snapshot.game) if snapshot.game else None
    view = snapshot.own_view
    if book is None or snapshot.orders is None or view is None:
        return []
    held = book.held(view)
    cards = [*held, *(card for card in book.forms if card not in held)]
    return [_row(book, snapshot, n, card, card in held) for n, card in enumerate(cards, 1)]


def _row(book: OrderBook, snapshot: Snapshot, number: int, card: str, held: bool) -> OrderRow:
    assert snapshot.orders is not None
    word, now = words_of(snapshot.game).word, snapshot.orders[card]
    others = tuple(seat for seat in range(len(snapshot.names)) if seat != snapshot.own)
    orders = book.forms[card].orders(others)
    if now not in orders:
        orders.append(now)
    return OrderRow(
        number,
        card,
        word(book.name(card), snapshot.names),
        word(book.effect(card), snapshot.names),
        held,
        orders,
        [word(book.says(card, each), snapshot.names) for each in orders],
        orders.index(now),
    )


def listed(found: Sequence[OrderRow], way: Way) -> str:
    """Return all orders in lines, and how they are changed; ``way`` is how commands are given."""
    lines = []
    for row in found:
        mark = "*" if row.held else " "
        lines.append(f"{row.number}.{mark}{row.name}: {row.says}")
        lines.append(f"     {row.effect}")
        choices = (f"{n} {text}" for n, text in enumerate(row.choices, 1))
        lines.append(f"     {'   '.join(choices)}")
    told = _("* you hold it. To change an order: {orders}, by their numbers.")
    lines.append(told.format(orders=way(f"orders {_('CARD CHOICE')}")))
    return "\n".join(lines)


def chosen(found: Sequence[OrderRow], text: str, way: Way) -> tuple[OrderRow, Order]:
    """Return the order that two numbers mean; ``ValueError`` says what would be right."""
    numbers = [int(each) for each in text.split() if each.isdecimal()]
    if len(numbers) == 2 and len(text.split()) == 2 and 1 <= numbers[0] <= len(found):
        row = found[numbers[0] - 1]
        if 1 <= numbers[1] <= len(row.orders):
            return row, row.orders[numbers[1] - 1]
    told = _("Give two numbers, the card's and the choice's: {orders} shows them.")
    raise ValueError(told.format(orders=way("orders")))


ONWARDS = {Mode.ALWAYS: ("always", "Y"), Mode.NEVER: ("never", "N")}
"""The commands that order something for good where it is asked, and their keys."""
