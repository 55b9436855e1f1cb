"""A seat's view in a few lines of text, for interfaces without a screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lanplay.engine.question import Phrase
from lanplay.engine.view import View
from lanplay.games.dogs_life.table import DogsLifeTable
from lanplay.games.dogs_life.text import DOGS, address_name, place_name, words_of_places
from lanplay.games.dogs_life.town import TOWN
from lanplay.language import _


def situation(view: View[DogsLifeTable], names: Sequence[str]) -> Iterator[str]:
    """Yield the dogs, the van, what lies about, and the seat's own newspapers."""
    t = view.table
    yield _("Round {number}. The van stands on {place}, coming from {came}.").format(
        number=t.round, place=place_name(t.van), came=place_name(t.came)
    )
    for seat in range(t.seats):
        mark = "*" if seat == t.active else " "
        yield f" {mark}{names[seat]:<14.14} {_dog(t, seat)}"
    yield from _lying(t)
    numbers = [view.face(card) for card in t.papers[view.seat]]
    known = [address_name(number) for number in numbers if number is not None]
    if known:
        yield _("Your newspapers belong to: {addresses}.").format(addresses=", ".join(known))


def _dog(t: DogsLifeTable, seat: int) -> str:
    if not t.dogs:
        return "-"
    text = _("{dog} at {place}: food {food}, buried {buried}, bones {bones}, papers {papers}")
    where = t.place[seat]
    return text.format(
        dog=_(DOGS[t.dogs[seat]]),
        place=_("pound {cell}").format(cell=t.pound[seat]) if where < 0 else place_name(where),
        food=t.hunger[seat],
        buried=t.buried[seat],
        bones=t.bones[seat],
        papers=len(t.papers[seat]),
    )


def _lying(t: DogsLifeTable) -> Iterator[str]:
    places = {
        _("Bones lie: {places}."): [place for place, bones in enumerate(t.lying) if bones],
        _("Newspapers lie: {places}."): sorted(t.dropped),
        _("Piddles: {places}."): [place for place, seat in enumerate(t.marks) if seat >= 0],
        _("Bins not searched: {places}."): [
            place for place in TOWN.bins if not t.searched >> TOWN.bin_at[place] & 1
        ],
    }
    for text, found in places.items():
        if found:
            yield text.format(places=words_of_places(found))


DECIDES: Final = {"buries": 10.0, "gets-bone": 4.0, "beaten": 3.0, "caught": 3.0}
"""How much an event has decided; a bone counts when it is buried."""
DELIVERED: Final = 1.0


def weight(event: Phrase) -> float:
    """Return how much an event has decided."""
    if event.id == "delivers":
        return DELIVERED
    return DECIDES.get(event.id, 0.0)
