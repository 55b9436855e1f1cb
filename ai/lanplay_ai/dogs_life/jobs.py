"""Jobs: what a dog could do about the town, what it brings and what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from math import fsum
from operator import mul
from typing import NamedTuple

from lanplay.games.dogs_life import actions as a
from lanplay.games.dogs_life.dogs import BONE, FULL_DECK
from lanplay.games.dogs_life.plan import FOUNTAIN, LAMP
from lanplay.games.dogs_life.questions import DogsLifeView
from lanplay.games.dogs_life.table import LOAD, MOST_HUNGER
from lanplay.games.dogs_life.town import NOWHERE, TOWN
from lanplay_ai.dogs_life.odds import Chances, Odds, fight, odds
from lanplay_ai.dogs_life.profiles import DogsLifeProfile
from lanplay_ai.dogs_life.ways import BINS, RESTAURANTS, hindrance, nearest, round_trip

LEAST = 0.2
"""The least worth of a bone that is carried."""
EACH = 2
"""How many bins and how many restaurants are looked at, the nearest ones."""


class DogsLifeJob(NamedTuple):
    """Something to do at a place: a kind of action and what it is done with.

    ``gain`` is in buried bones, ``cost`` in action points; ``chance`` that it comes about.
    """

    place: int
    kind: int
    what: int
    gain: float
    cost: float
    chance: float | None = None


class PlannedDog(NamedTuple):
    """A dog as a plan sees it, its newspapers by address (``NOWHERE``: not known)."""

    place: int
    hunger: int
    bones: int
    papers: tuple[int, ...]


class DogsLifeOutlook:
    """A view through the eyes of a profile: what the table offers, worked out once a decision."""

    def __init__(self, view: DogsLifeView, profile: DogsLifeProfile) -> None:
        t, seat = view.table, view.seat
        self.view, self.t, self.seat, self.profile = view, t, seat, profile
        self.den = t.dens[seat]
        self.home = t.home(seat)
        self.way_home = TOWN.distances(self.den, self.home)
        self.taken = {place for other, place in enumerate(t.place) if other != seat} | {t.van}
        self.odds = self.odds_of(seat)
        self.pace = t.dog(seat).points
        safe = 1 - profile.risk
        self.kept = [*accumulate([safe] * MOST_HUNGER, mul, initial=1.0)]

    def odds_of(self, seat: int) -> Odds:
        """Return the chances of a seat's next card, as well as this profile knows them."""
        t = self.t
        return odds(t.dogs[seat], t.decks[seat] if self.profile.counts else FULL_DECK)

    def state(self) -> PlannedDog:
        """Return the dog as it is."""
        t, seat, view = self.t, self.seat, self.view
        papers = [view.face(card) for card in t.papers[seat]]
        known = tuple([NOWHERE if face is None else face for face in papers])
        return PlannedDog(t.place[seat], t.hunger[seat], t.bones[seat], known)

    def bone(self, place: int, spent: float) -> float:
        """Return the worth of a bone that is carried at a place after so many points."""
        profile, way = self.profile, self.way_home[place]
        nights = min(self.nights(spent + way), MOST_HUNGER)
        return max(profile.carried * self.kept[nights] - profile.astray * way, LEAST)

    def nights(self, spent: float) -> int:
        """Return how many turns later it is when so many points were spent."""
        late = spent - self.t.points
        return 0 if late <= 0 else 1 + int((late - 1) // self.pace)

    def exposure(self, place: int) -> float:
        """Return how likely the van catches this dog at a place, against one in the street."""
        if place in TOWN.streets:
            return 1.0
        return 0.0 if place in TOWN.dens else 0.7 * self.odds.catcher[0]

    def meal(self, s: PlannedDog, cost: float, chances: Chances) -> float:
        """Return the worth of the food that a card may bring after ``cost`` points."""
        hunger = s.hunger - self.nights(cost)
        if hunger < 0:
            return 0.0
        food, (_, one, two, three, _) = self.fed, chances
        return (one * food(hunger + 1) + two * food(hunger + 2) + three * food(hunger + 3)) - (
            one + two + three
        ) * food(hunger)

    def fed(self, hunger: float) -> float:
        """Return the worth of being fed."""
        food = self.profile.food
        if hunger >= MOST_HUNGER:
            return food[MOST_HUNGER]
        whole = int(hunger)
        return food[whole] + (hunger - whole) * (food[whole + 1] - food[whole])

    def jobs(self, s: PlannedDog) -> Iterator[DogsLifeJob]:
        """Yield what could be done next."""
        far = TOWN.distances(self.den, s.place)
        room = LOAD - s.bones - len(s.papers)
        if s.bones > 0:
            yield self._homeward(s, far)
        yield from self._cards(s, room)
        yield from self._deliveries(s, far)
        if room >= 0.5:
            yield from self._papers(s, far)
            yield from self._finds(s, far, room)
        yield from self._fights(s, far, room)
        yield from self._marks(s)

    def _homeward(self, s: PlannedDog, far: tuple[int, ...]) -> DogsLifeJob:
        way = far[self.home]
        gain = s.bones * (1 - self.bone(s.place, 0))
        if self.t.goal and self.t.buried[self.seat] + s.bones >= self.t.goal:
            gain += self.profile.last
        if self.nights(way + 1) > s.hunger:
            gain *= 0.2
        return DogsLifeJob(self.home, a.BURY, 0, gain, way + s.bones)

    def _cards(self, s: PlannedDog, room: float) -> Iterator[DogsLifeJob]:
        t, taken = self.t, self.taken
        found = 0
        for way, place in nearest(BINS, self.den, s.place):
            searched = t.searched >> TOWN.bin_at[place] & 1
            if not searched and place not in taken:
                yield self._card(s, room, way, place, a.SEARCH, self.odds.trash)
                found += 1
                if found == EACH:
                    break
        found = 0
        for way, place in nearest(RESTAURANTS, self.den, s.place):
            if place not in t.begged and place not in taken:
                yield self._card(s, room, way, place, a.BEG, self.odds.restaurant)
                found += 1
                if found == EACH:
                    break

    def _card(
        self, s: PlannedDog, room: float, way: float, place: int, kind: int, chances: Chances
    ) -> DogsLifeJob:
        """Return the job to draw a card at a place."""
        gain = self.meal(s, way + 1, chances)
        chance = 1 - chances[0] - chances[BONE] if gain > 0 else 0.0
        if room > 0:
            gain += min(room, 1) * chances[BONE] * self.bone(place, way + 1)
            chance += chances[BONE]
        return DogsLifeJob(place, kind, 0, gain, way + 1, chance)

    def _deliveries(self, s: PlannedDog, far: tuple[int, ...]) -> Iterator[DogsLifeJob]:
        chances = self.odds.newspaper
        for index, number in enumerate(s.papers):
            place = TOWN.addresses[number] if number >= 0 else NOWHERE
            if number >= 0 and place not in self.taken:
                cost = far[place] + 1
                gain = self.meal(s, cost, chances) + chances[BONE] * self.bone(place, cost)
                yield DogsLifeJob(place, a.DELIVER, index, gain, cost, chances[BONE])

    def _papers(self, s: PlannedDog, far: tuple[int, ...]) -> Iterator[DogsLifeJob]:
        t = self.t
        if t.stack and TOWN.kiosk not in self.taken:
            way, home = round_trip(self.den)
            yield self._errand(s, far[TOWN.kiosk], TOWN.kiosk, a.TAKE, 0, way, home)
        for place, papers in t.dropped.items():
            if far[place] < 0 or place in self.taken:
                continue
            for index, card in enumerate(papers):
                number = self.view.face(card)
                if number is None:
                    way, home = round_trip(self.den)
                else:
                    address = TOWN.addresses[number]
                    way = float(TOWN.distances(self.den, place)[address])
                    home = float(self.way_home[address])
                yield self._errand(s, far[place], place, a.PICK_PAPER, index, way, home)

    def _errand(
        self, s: PlannedDog, near: int, place: int, kind: int, what: int, way: float, home: float
    ) -> DogsLifeJob:
        """Return the job to fetch a newspaper at a place and to deliver it ``way`` moves on."""
        chances, profile = self.odds.newspaper, self.profile
        cost = near + 2 + way
        nights = min(self.nights(cost + home), MOST_HUNGER)
        bone = max(profile.carried * self.kept[nights] - profile.astray * home, LEAST)
        gain = profile.errand * self.meal(s, cost, chances) + chances[BONE] * bone
        return DogsLifeJob(place, kind, what, gain, cost, chances[BONE])

    def _finds(self, s: PlannedDog, far: tuple[int, ...], room: float) -> Iterator[DogsLifeJob]:
        t = self.t
        if t.supply + sum(t.bones) + sum(t.buried) == 30:
            return
        for place, bones in enumerate(t.lying):
            if bones and far[place] >= 0 and place not in self.taken:
                count = min(bones, room)
                cost = far[place] + count
                yield DogsLifeJob(place, a.PICK_BONE, 0, count * self.bone(place, cost), cost)

    def harm(self, other: int) -> float:
        """Return the worth of a rival's way to the pound, for this seat."""
        t, profile = self.t, self.profile
        goal = t.goal or 4
        near = t.buried[other] + t.bones[other]
        loss = profile.captivity + t.bones[other] * profile.carried
        return profile.spite * loss * (1 + profile.lead * min(near / goal, 1)) * 2 / t.seats

    def loss(self) -> float:
        """Return what the own way to the pound would cost."""
        t, profile = self.t, self.profile
        bones = t.bones[self.seat] * self.bone(t.place[self.seat], 0)
        return profile.captivity + (bones + 0.2 * len(t.papers[self.seat]))

    def _fights(self, s: PlannedDog, far: tuple[int, ...], room: float) -> Iterator[DogsLifeJob]:
        t = self.t
        for other, place in enumerate(t.place):
            if other == self.seat or place < 0 or place == TOWN.pound or far[place] < 1:
                continue
            won, lost = fight(self.odds.fight, self.odds_of(other).fight)
            loot = max(min(t.bones[other], room), 0)
            cost = far[place] + (1 + loot if loot else 0)
            gain = self.harm(other) + loot * self.bone(place, cost) * 0.8
            yield DogsLifeJob(place, a.ATTACK, other, won * gain - lost * self.loss(), cost, won)

    def _marks(self, s: PlannedDog) -> Iterator[DogsLifeJob]:
        """Yield what is done in passing: a marker pays for no step aside."""
        t, seat, place = self.t, self.seat, s.place
        if place in self.taken or place in TOWN.building:
            return
        feature = TOWN.feature[place]
        if feature == LAMP and t.bladder[seat] and t.marks[place] < 0:
            yield DogsLifeJob(place, a.PIDDLE, 0, self._nuisance(place), 1)
        elif feature == FOUNTAIN and t.reserve[seat] and not t.bladder[seat]:
            yield DogsLifeJob(place, a.DRINK, 0, self.profile.piddle / 4, 1)

    def _nuisance(self, lamp: int) -> float:
        """Return the worth of a marker at a lamp post: what it hinders the rivals' ways."""
        t = self.t
        moves = fsum(hindrance(den)[lamp] for seat, den in enumerate(t.dens) if seat != self.seat)
        return self.profile.piddle * moves * 3 / t.seats
