"""Cards that are dealt anew: shuffled over the places in which they lie (see ``fields``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lanplay.engine.requests import At, Card, Rules, Shuffle


def redistribute(
    at: At, piles: Mapping[str, Sequence[Card]], places: Iterable[list[Card]]
) -> Rules[None]:
    """Shuffle each pile over all the places its cards lie in; a place keeps its number of cards.

    ``places`` are changed. An empty pile is left out; without any nothing is asked.
    """
    full = {name: list(pile) for name, pile in piles.items() if pile}
    if not full:
        return
    fresh = yield Shuffle(at, full)
    new = {
        old: card
        for name, pile in full.items()
        for old, card in zip(pile, fresh[name], strict=True)
    }
    for place in places:
        place[:] = [new.get(card, card) for card in place]
