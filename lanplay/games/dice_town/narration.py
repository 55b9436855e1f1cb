"""What happened in Dice Town and why: sentences between the events of its log.

The log tells what changed hands. These tell who was beaten for a place, by what, and why somebody
who led for a place or was to visit the Doc went away with nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from lanplay.engine.question import Phrase
from lanplay.engine.view import View
from lanplay.games.dice_town.poker import DICE, JACK, KING, NINE, QUEEN, TEN, rank
from lanplay.games.dice_town.table import DiceTownTable

PLACES: Final = {"mine": NINE, "bank": TEN, "store": JACK, "saloon": QUEEN, "badge": KING}
"""The places that a face leads to, in the order in which they are visited."""
ORDER: Final = (*PLACES, "hall", "doc")
OUTCOMES: Final = {
    "mine": "mine",
    "bank": "bank",
    "draws": "store",
    "robs": "saloon",
    "badge": "badge",
    "marshal": "badge",
    "hall": "hall",
    "no-doc": "doc",
    "doc-wire": "doc",
    "doc-store": "doc",
    "doc-dollars": "doc",
    "doc-nuggets": "doc",
    "round": "doc",
    "scores": "doc",
}
"""By event, the place that is visited by then."""
OBTAINS: Final = frozenset(("mine", "bank", "splits", "draws", "robs", "badge", "hall"))
"""The events whose seat has obtained something (DT-3.9), and so is no guest of the Doc."""
STORE_ACTIONS: Final = 2
"""Times that the General Store is open in the first round (DT-3.4)."""
EMPTY: Final = frozenset(("bank", "store", "saloon"))
"""The places that may have nothing for who leads for them."""


class DiceTownNarrator:
    """Follows the log of a game from any round on (see ``lanplay.engine.manifest.Narrator``)."""

    def __init__(self) -> None:
        self._first = False
        self._held: Counter[int] = Counter()
        self._thief: int | None = None
        self._forget()

    def _forget(self) -> None:
        self._hands: dict[int, tuple[int, ...]] = {}
        self._place = 0
        self._told: set[str] = set()
        self._served: set[int] = set()
        self._shopped = 0
        self._offered = False

    def tell(self, event: Phrase) -> Sequence[Phrase]:
        """Return the event, and before it what explains it."""
        values = event.values
        if event.id == "hand":
            self._hands[values["seat"]] = values["faces"]
            return [event]
        before = list(self._before(event.id, values))
        if event.id in OBTAINS or (event.id == "joe" and values["dollars"]):
            self._served.add(values["seat"])
        elif event.id == "offers":
            before += self._tie(values["seat"])
            self._bribe(values)
        elif event.id.startswith(("doc-", "no-doc")):
            self._served.add(values["seat"])
        if event.id == "draws":
            self._shopped += 1
            if self._first and self._shopped == STORE_ACTIONS:
                before.append(Phrase("store-again", {"seat": values["seat"]}))
        if event.id == "round":
            self._forget()
            self._first = values["number"] == 1
        return [*before, event]

    def _bribe(self, values: Mapping[str, Any]) -> None:
        """Take the Sheriff for served if it may get this: better silent than wrong (DT-3.9)."""
        if values["dollars"] or values["nuggets"] or values["count"]:
            self._told.add("bribe")

    def _before(self, event: str, values: Mapping[str, Any]) -> Iterator[Phrase]:
        place = values["place"] if event == "decides" else OUTCOMES.get(event)
        if place is None or not self._hands:
            return
        if event == "decides" and "bribe" in self._told:
            self._served.add(values["seat"])
        self._offered = self._offered and event != "decides"
        yield from self._visit(place)
        if event in ("round", "scores"):
            without = [seat for seat in sorted(self._hands) if seat not in self._served]
            if without:
                yield Phrase("doc-empty", {"seats": without})
            self._hands = {}

    def _visit(self, place: str) -> Iterator[Phrase]:
        due = ORDER.index(place)
        for passed in ORDER[self._place : due]:
            if passed not in self._told:
                yield from self._went_without(passed)
        self._place = max(self._place, due)
        if place not in self._told and place != "doc":
            self._told.add(place)
            yield from self._standing(place)

    def _tie(self, seat: int) -> Iterator[Phrase]:
        """Yield for what tie a seat offers, where it can be no other: what is empty has none."""
        places = [place for place in ORDER[self._place : -1] if place not in self._told]
        ties = [(place, seats) for place in places if seat in (seats := self._leaders(place))]
        ties = [each for each in ties if len(each[1]) > 1]
        if ties and not self._offered and (len(ties) == 1 or ties[0][0] not in EMPTY):
            place, seats = ties[0]
            yield from self._visit(place)
            yield Phrase("tie", {"place": place, "seats": seats})
        self._offered = True

    def _leaders(self, place: str) -> list[int]:
        """Return who shows the most of what a place takes, if anybody shows any."""
        shown: dict[int, Any] = {
            seat: dice.count(PLACES.get(place)) for seat, dice in self._hands.items()
        }
        if place == "hall":
            shown = {seat: rank(dice) for seat, dice in self._hands.items() if len(dice) == DICE}
        most = max(shown.values(), default=0)
        return [seat for seat, count in shown.items() if most and count == most]

    def _went_without(self, place: str) -> Iterator[Phrase]:
        """Yield why a place that somebody led for gave nothing."""
        if place in EMPTY and (leaders := self._leaders(place)):
            yield Phrase(f"{place}-empty", {"seats": leaders})

    def _standing(self, place: str) -> Iterator[Phrase]:
        """Yield who wanted a place, where several did: the most first."""
        if place == "hall":
            yield from self._best_hands()
            return
        face = PLACES[place]
        shown = {seat: dice.count(face) for seat, dice in self._hands.items() if face in dice}
        if len(shown) > 1:
            order = sorted(shown.items(), key=lambda each: (-each[1], each[0]))
            standing = [(seat, (face,) * count) for seat, count in order]
            yield Phrase("standing", {"place": place, "standing": standing})

    def _best_hands(self) -> Iterator[Phrase]:
        ranks = {seat: rank(dice) for seat, dice in self._hands.items() if len(dice) == DICE}
        order = sorted(ranks, key=lambda seat: ranks[seat], reverse=True)
        if len(order) < 2 or ranks[order[0]] == ranks[order[1]]:
            return  # a tie: the Sheriff's decision tells
        first, second = order[:2]
        values = {
            "seat": first,
            "hand": self._hands[first],
            "other": second,
            "next": self._hands[second],
        }
        yield Phrase("best-hand", values)

    def confide(self, event: Phrase, view: View[DiceTownTable]) -> Sequence[Phrase]:
        """Return which card a thief has kept, for the seat that it was taken from (DT-3.5).

        The view may be ahead of the log, and between laptops cards come before their faces; where
        more than one card is gone meanwhile, or one is not known, nothing is told.
        """
        faces = [view.face(card) for card in view.table.loot(view.seat)]
        held = Counter(face for face in faces if face is not None)
        if event.id == "plays" and event.values["seat"] == view.seat:
            self._held[event.values["card"]] -= 1
        gone = list((self._held - held).elements()) if self._thief is not None else []
        clear = len(gone) == 1 and None not in faces
        told = [Phrase("robbed", {"seat": self._thief, "cards": gone})] if clear else []
        robbed = event.id == "robs" and event.values["other"] == view.seat
        self._thief = event.values["seat"] if robbed else None
        self._held = self._held | held if robbed and not gone else held
        return told

    def closing(self, table: DiceTownTable) -> Sequence[Phrase]:
        """Return what decided a tie (DT-7.3), and what each seat held, as all see it (DT-7.2)."""
        held = [(*table.loot(seat), *table.fences[seat]) for seat in range(table.seats)]
        shown = [
            Phrase("held", {"seat": seat, "held": table.open_faces(cards)})
            for seat, cards in enumerate(held)
            if all(card in table.faces for card in cards)
        ]
        return [*_tied(table), *shown]


def _tied(table: DiceTownTable) -> Iterator[Phrase]:
    """Yield for each seat that had as many points as the winner what it lost by."""
    seat = table.winner
    claims = [len(table.deeds[each]) + len(table.fences[each]) for each in range(table.seats)]
    for other, score in enumerate(table.scores if seat >= 0 else ()):
        if other == seat or score < table.scores[seat]:
            continue
        values = {"seat": seat, "other": other, "own": claims[seat], "its": claims[other]}
        yield Phrase("tied-claims" if claims[other] < claims[seat] else "tied-all", values)
