"""A simulation that can be watched: hidden faces are marked, and what each seat may know is noted.

A mark is the face itself, an integer that says where it comes from, so that it is found again
wherever a driver hands it to: in another container, in a view it was not meant for.
"""

from __future__ import annotations

import gc
import types

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.record import Header
from lanplay.engine.requests import Choose, Deal, Mix, OpenRoll, Roll, Show, Shuffle, Uncover
from lanplay.engine.simulation import Simulation
from lanplay.games import load

SEED = b"a seed that nobody may see"
CODE = type | types.BuiltinFunctionType | types.ModuleType | property
"""What is no part of a game: not walked into."""


class Marked(int):
    """A face that knows its ``origin``: a card, a die under a cup, or a die rolled openly."""

    def __new__(cls, face, *origin):
        marked = super().__new__(cls, face)
        marked.origin = origin
        return marked


def plain(answer):
    """Return an answer without marks: what a seat says of its faces is no longer hidden."""
    if isinstance(answer, tuple):
        return tuple(plain(each) for each in answer)
    return answer if answer is None else int(answer)


class MarkedChance(Chance):
    """Chance whose dice are marked."""

    __slots__ = ()

    def cups(self, at, dice):
        return {
            seat: tuple(Marked(face, "cup", seat, at, place) for place, face in enumerate(cup))
            for seat, cup in super().cups(at, dice).items()
        }

    def dice(self, count, sides, at, purpose="open"):
        faces = super().dice(count, sides, at, purpose)
        return tuple(Marked(face, "open", at, place) for place, face in enumerate(faces))


class Plain:
    """An agent whose answers carry no marks."""

    def __init__(self, agent):
        self.agent = agent

    def answer(self, view, question):
        return plain(self.agent.answer(view, question))


class Watched(Simulation):
    """A simulation that marks every card anew when it gets a new handle."""

    def _shuffle(self, piles, at):
        first = len(self._faces)
        super()._shuffle(piles, at)
        for card in range(first, len(self._faces)):
            self._faces[card] = Marked(self._faces[card], "card", card)


class Observer:
    """Notes from the requests alone what each seat may know: ``public``, and ``own[seat]``."""

    def __init__(self, game, seats):
        self.public = set()
        self.own = [set() for _ in range(seats)]
        self._cards = load(game).cards
        self._rolled = {}

    def note(self, request):
        """Note what the answer to a request lets seats know."""
        if isinstance(request, Roll):
            for seat, count in request.dice.items():
                self._rolled[seat] = request.at
                self.own[seat] |= {("cup", seat, request.at, place) for place in range(count)}
        elif isinstance(request, Uncover):
            for seat, places in request.dice.items():
                self.public |= {("cup", seat, self._rolled[seat], place) for place in places}
        elif isinstance(request, OpenRoll):
            self.public |= {("open", request.at, place) for place in range(request.count)}
        elif isinstance(request, Shuffle | Mix):
            fresh = range(self._cards, self._cards + sum(map(len, request.piles.values())))
            self._cards = fresh.stop
            if isinstance(request, Mix):
                self.own[request.seat] |= {("card", card) for card in fresh}
        elif isinstance(request, Deal):
            self.own[request.seat] |= {("card", card) for card in request.cards}
        elif isinstance(request, Show):
            self.public |= {("card", card) for card in request.cards}


def reachable(roots, seen):
    """Yield every object that can be reached through attributes, items, closures and frames.

    ``seen`` are the identities of those that were reached before, and afterwards of these as well.
    """
    todo = list(roots)
    while todo:
        thing = todo.pop()
        if id(thing) in seen or isinstance(thing, CODE):
            continue
        seen.add(id(thing))
        yield thing
        if isinstance(thing, types.FunctionType):
            todo += [thing.__closure__, thing.__defaults__, thing.__kwdefaults__, thing.__dict__]
        else:
            todo += gc.get_referents(thing)


def watched(game, driver=Watched, seats=3):
    """Return a game with the last of all options, set up for random bots and not begun."""
    rules = load(game)
    options = {name: values[-1] for name, values in rules.options.items()}
    header = Header(game, options, ("x",) * seats, SEED)
    bots = [Plain(ai.make("random", b"%d" % seat, game)) for seat in range(seats)]
    return driver(rules, header, bots, MarkedChance(SEED))


def leaks(simulation, observer):
    """Return what seats can reach in their views and questions and must not: (seat, thing)."""
    request, views = simulation.request, simulation.views
    asked = request.questions if isinstance(request, Choose) else {}
    common = [views[0].table, views[0].history]
    known = set()
    found = [(None, each) for each in _forbidden(simulation, common, known, observer.public)]
    for view in views:
        may = observer.public | observer.own[view.seat]
        others = [each for each in views if each is not view]
        kept = [simulation, *others, *(each.own for each in others)]
        roots = [view, asked.get(view.seat)]
        ways = _forbidden(simulation, roots, set(known), may, kept)
        found += [(view.seat, each) for each in ways]
    return found


def _forbidden(simulation, roots, seen, may, kept=()):
    """Yield each marked face that is not among those that may be known, and what none may reach."""
    s = simulation
    kept = {id(each) for each in (*kept, s._faces, s._chance, s.referee, s.header, *s.agents)}
    for thing in reachable(roots, seen):
        if isinstance(thing, Marked):
            if thing.origin not in may:
                yield thing.origin
        elif id(thing) in kept or (isinstance(thing, bytes) and thing == SEED):
            yield thing
