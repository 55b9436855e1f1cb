"""A plain player that knows what it wants, so that whole games get somewhere."""

from __future__ import annotations

from lanplay.engine.chance import Chance
from lanplay.games.dogs_life import actions as a
from lanplay.games.dogs_life.dogs import BONE
from lanplay.games.dogs_life.questions import Steer
from lanplay.games.dogs_life.town import NOWHERE, TOWN

AT_ONCE = (
    a.BURY,
    a.DELIVER,
    a.PICK_BONE,
    a.PICK_PAPER,
    a.BEG,
    a.SEARCH,
    a.PIDDLE,
    a.DRINK,
    a.ATTACK,
)
"""What is done wherever it can be, in this order."""


def answering(table, bots):
    """Let bots answer at a table of replicas, one for each seat."""

    def answer(peer, ask):
        view = table.replicas[peer].views[ask.seat]
        only_answer = ask.question.only_answer(view)
        return bots[ask.seat].answer(view, ask.question) if only_answer is None else only_answer[0]

    table.answerer = answer
    return table


class PlainBot:
    """Goes to the nearest thing of use, does what can be done there, now and then anything."""

    def __init__(self, key):
        self._chance = Chance(key)
        self._draws = 0

    def below(self, limit):
        self._draws += 1
        return self._chance.below(limit, "plain", (self._draws,))

    def answer(self, view, question):
        if isinstance(question, Steer):
            drives = question.drives()
            return drives[self.below(len(drives))]
        t, seat = view.table, view.seat
        legal = question.legal(view)
        if self.below(25) == 0:
            return legal[self.below(len(legal))]
        kinds = {code // a.STEP: code for code in legal}
        for kind in AT_ONCE:
            if kind in kinds:
                return kinds[kind]
        if a.TAKE in kinds and not t.papers[seat]:
            return kinds[a.TAKE]
        return self.step(view, legal)

    def step(self, view, legal):
        t, seat = view.table, view.seat
        moves = [code for code in legal if code // a.STEP == a.MOVE]
        goals = list(self.goals(view))
        far = TOWN.distances(t.dens[seat], t.place[seat])
        goals = [goal for goal in goals if far[goal] > 0]
        if not moves or not goals:
            return legal[self.below(len(legal))]
        goal = min(goals, key=lambda place: far[place])
        return min(moves, key=lambda code: self.left(t, seat, code % a.STEP, goal))

    def goals(self, view):
        t, seat = view.table, view.seat
        if t.bones[seat]:
            return [t.home(seat)]
        faces = [view.face(card) for card in t.papers[seat]]  # None: a closed hand
        found = [TOWN.addresses[face] for face in faces if face is not None]
        if found:
            return found
        found = [place for place in TOWN.restaurants if place not in t.begged]
        found += [place for place in TOWN.bins if not t.searched >> TOWN.bin_at[place] & 1]
        found += [place for place in TOWN.streets if t.lying[place]]
        return found if BONE in t.dog(seat).restaurant and t.stack else [*found, TOWN.kiosk]

    def left(self, t, seat, place, goal):
        far = TOWN.distances(t.dens[seat], place)[goal]
        return 99 if far == NOWHERE else far
