"""What may be ordered of the Store cards that react (DT-6.13), and what holds by default."""

from __future__ import annotations

from typing import Any, Final

from lanplay.engine.dialogue import Phrase
from lanplay.engine.orders import Mode, Order, OrderBook, OrderForm
from lanplay.engine.view import View
from lanplay.games.dice_town.cards import (
    CHEATER,
    CORRUPTION,
    DYNAMITE,
    ELIXIR,
    MARSHAL,
    SPLIT,
    WANTED,
    kind,
)

ASK: Final = Order(Mode.ASK)
_ALL: Final = (Mode.ASK, Mode.ALWAYS, Mode.NEVER)

FORMS: Final = {
    form.card: form
    for form in (
        OrderForm(CHEATER, (Mode.ASK, Mode.NEVER), ASK),
        OrderForm(DYNAMITE, (*_ALL, Mode.FROM), Order(Mode.FROM, 2), (2, 3, 4)),
        OrderForm(SPLIT, (*_ALL, Mode.FROM), Order(Mode.FROM, 2), (1, 2, 3, 5)),
        OrderForm(MARSHAL, (*_ALL, Mode.AGAINST, Mode.OWN), ASK),
        OrderForm(CORRUPTION, _ALL, Order(Mode.ALWAYS)),
        OrderForm(ELIXIR, (Mode.ALWAYS, Mode.NEVER, Mode.FROM), Order(Mode.FROM, 1), (1,)),
        OrderForm(WANTED, (*_ALL, Mode.AGAINST, Mode.OWN), ASK),
    )
}
"""By the kind of card, as they are shown. Amounts are those of ``Play.stake``."""


def _held(view: View[Any]) -> tuple[str, ...]:
    faces = [view.face(card) for card in view.table.hands[view.seat]]
    kinds = {kind(face) for face in faces if face is not None}
    return tuple([card for card in FORMS if card in kinds])


def _says(card: str, order: Order) -> Phrase:
    if order.mode is Mode.FROM:
        return Phrase(f"order-from-{card}", {"count": order.amount, "dollars": order.amount})
    if order.mode is Mode.OWN:
        return Phrase(f"order-own-{card}")
    if order.mode is Mode.AGAINST:
        return Phrase("order-against", {"seats": order.seats})
    return Phrase(f"order-{order.mode.value}")


ORDERS: Final = OrderBook(
    FORMS,
    _held,
    name=lambda card: Phrase("kind", {"kind": card}),
    effect=lambda card: Phrase(f"effect-{card}"),
    says=_says,
)
