"""The bots of A Dog's Life: legal and explained, odds, ways, what they prefer, the van."""

from __future__ import annotations

from dataclasses import replace

import pytest

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.record import Header
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View
from lanplay.games import load
from lanplay.games.dogs_life import actions as a
from lanplay.games.dogs_life.dogs import BONE, DOGS, FULL_DECK, SHUFFLE
from lanplay.games.dogs_life.questions import Act, Steer
from lanplay.games.dogs_life.town import TOWN
from lanplay.games.dogs_life.turn import question
from lanplay_ai.dogs_life import odds
from lanplay_ai.dogs_life.jobs import DogsLifeOutlook
from lanplay_ai.dogs_life.players import DogsLifePlayer
from lanplay_ai.dogs_life.profiles import PROFILES
from lanplay_ai.dogs_life.ways import field, hindrance, step
from tests.ai.test_hints import Explaining
from tests.dogs_life.script import BELLE, GROUCHY, REX, at, new_table

GAME = load("dogs-life")


def view_of(t, seat=0):
    return View(seat, t, Header("dogs-life", {}, ("x",) * t.seats), [])


def said(t, ask=None, bot="expert"):
    """Return the answer of a bot in seat 0, which must be legal."""
    ask = ask or question(t, 0, a.legal(t, 0))
    answer = ai.make(bot, b"key", "dogs-life").answer(view_of(t), ask)
    ask.check(answer)
    return answer


@pytest.mark.parametrize("bot", PROFILES)
@pytest.mark.parametrize(("seats", "options"), [(2, {}), (4, {"rounds": "10"})])
def test_every_answer_is_legal_and_explained(bot, seats, options):
    """Whole games: the referee refuses nothing, and every reason has words."""
    seen = set()
    header = Header("dogs-life", options, ("x",) * seats, b"cat")
    bots = [
        Explaining(ai.make(bot, b"%d" % n, "dogs-life"), "dogs-life", seen) for n in range(seats)
    ]
    Simulation(GAME, header, bots, Chance(b"cat")).run()
    assert len(seen) > 5


def test_the_chances_of_a_deck_count_the_cards_not_drawn():
    """DL-3.5: the shuffle card stands for a card of the whole deck."""
    found = odds.odds(REX).newspaper
    assert found[BONE] == pytest.approx(DOGS[REX].newspaper.count(BONE) / 12)
    for dog in range(6):
        for chances in odds.odds(dog, FULL_DECK[3:]):
            assert sum(chances) == pytest.approx(1)
    left = (DOGS[BELLE].restaurant.index(BONE), SHUFFLE)
    assert odds.odds(BELLE, left).restaurant[BONE] == pytest.approx((1 + 3 / 12) / 2)


def test_the_chances_of_a_fight():
    """DL-3.2 k: more paws win, equal ones do nothing."""
    one, other = odds.odds(GROUCHY).fight, odds.odds(BELLE).fight
    won, lost = odds.fight(one, other)
    assert won > lost
    assert odds.fight(other, one) == pytest.approx((lost, won))
    assert odds.fight((0, 0, 0, 1, 0), (0, 1, 0, 0, 0)) == (1, 0)


def test_a_rivals_piddle_is_walked_round():
    """DL-3.2 l: the way avoids what would end the actions, unless it is the last one anyway."""
    t = new_table()
    lamp = TOWN.lamps[0]
    start = next(n for n in TOWN.walk[0][lamp] if n in TOWN.streets)
    far = TOWN.distances(0, start)
    goal = next(n for n in TOWN.walk[0][lamp] if far[n] == 2 and n in TOWN.streets)
    t.marks[lamp] = 1
    t.place[0] = start
    moves = [each for each in TOWN.walk[0][start] if far[each] == 1]
    assert step(t, 0, moves, goal) != lamp
    assert field(0, goal, (lamp,))[start] >= 2


def test_a_marker_is_placed_in_passing_where_rivals_have_to_pass():
    """DL-3.2 h: at a door of the kiosk it is; nobody goes aside for one, nor marks a quiet post."""
    marks = a.action(a.PIDDLE)
    t = new_table()
    t.place[0] = at("H10")
    assert said(t) == marks
    t.bladder[0], t.reserve[0] = 0, 8
    assert said(t) != marks
    t = new_table()
    t.place[0] = min(TOWN.lamps, key=lambda lamp: sum(hindrance(den)[lamp] for den in t.dens))
    assert said(t) != marks


def test_a_bot_leaves_alone_what_it_never_does():
    """Restricted play: it goes elsewhere than to the kiosk, and marks nothing."""
    t = new_table()
    t.place[0] = at("H10")
    profile = replace(PROFILES["expert"], never=(a.PIDDLE,))
    answer = DogsLifePlayer(profile, b"key").answer(view_of(t), question(t, 0, a.legal(t, 0)))
    assert answer != a.action(a.PIDDLE)


def test_levels_agree_on_what_things_are_worth():
    """DL-1.6: or no decks are even at all of them; they differ in care alone."""
    care = {"counts": True, "blunders": 0, "summary": "", "level": ""}
    assert len({replace(PROFILES[name], **care) for name in ("casual", "strong", "expert")}) == 1


def test_a_bone_at_home_is_buried():
    """DL-3.2 e: nothing is worth more than what counts."""
    t = new_table()
    t.bones[0] = 1
    assert said(t) == a.action(a.BURY)


def test_a_dog_with_two_bones_goes_home():
    """DL-3.2: it has no room for another, and every step brings it nearer."""
    t = new_table()
    t.bones[0] = 2
    t.place[0] = at("H11")
    far = TOWN.distances(0, t.home(0))
    answer = said(t)
    assert a.parts(answer)[0] == a.MOVE
    assert far[a.parts(answer)[1]] == far[t.place[0]] - 1


def test_the_van_is_driven_at_a_loaded_rival():
    """DL-3.3: of two rivals in reach, at the one with bones, and never onto one's own dog."""
    t = new_table()
    ask = Steer(t.van, t.came, 3)
    ends = [end for end in ask.ends() if end not in TOWN.beside[t.van]]
    t.place[1], t.place[2] = ends[0], ends[-1]
    for loaded, other in ((1, 2), (2, 1)):
        t.bones[loaded], t.bones[other] = 2, 0
        assert said(t, ask)[-1] == t.place[loaded]


class Following(Explaining):
    """Plays as its bot does and holds every action of its dog against the hint for it."""

    def answer(self, view, question):
        hint = self.bot.explain(view, question)
        where = hint.reason.values.get("place")
        if hint.answer == a.STOP:
            assert hint.reason.id in ("stay", "rest", "idle", "stuck")
        elif isinstance(question, Act) and view.table.points == 1 and where is not None:
            kind, there = divmod(hint.answer, a.STEP)
            far = TOWN.distances(view.table.dens[view.seat], where)
            away = kind == a.MOVE and far[there] >= far[view.table.place[view.seat]]
            assert away == (hint.reason.id == "hide")
        return super().answer(view, question)


def test_a_hint_praises_nothing_that_it_leaves_or_goes_away_from():
    """With the last point a dog stays or hides: the plan is one for later. No hint is a slip."""
    seen = set()
    for number in range(3):
        header = Header("dogs-life", {}, ("x",) * 3, b"plan%d" % number)
        bots = [Following(ai.adviser("dogs-life", b"%d" % n), "dogs-life", seen) for n in range(3)]
        Simulation(GAME, header, bots, Chance(b"plan%d" % number)).run()
    assert seen >= {"stay", "hide"}
    assert "by-lot" not in seen


def test_food_is_no_success_for_a_dog_that_is_full():
    """A hint's chance is that of what it is after: of a bone alone, where food is worth nothing."""
    t, found = new_table(), []
    t.points = 6
    for t.hunger[0] in (4, 1):
        o = DogsLifeOutlook(view_of(t), PROFILES["strong"])
        found.append(next(job.chance for job in o.jobs(o.state()) if job.kind == a.SEARCH))
    trash = odds.odds(t.dogs[0], t.decks[0]).trash
    assert found == [pytest.approx(trash[BONE]), pytest.approx(1 - trash[0])]


def test_the_food_of_a_newspaper_yet_to_be_fetched_counts_for_half():
    """DL-1.6: or hungry dogs go for papers that pay less than what is near."""
    t, found = new_table(), []
    t.hunger[0] = 1
    for errand in (0.0, PROFILES["expert"].errand, 1.0):
        o = DogsLifeOutlook(view_of(t), replace(PROFILES["expert"], errand=errand))
        found.append(next(job.gain for job in o.jobs(o.state()) if job.kind == a.TAKE))
    bone, said_of_it, hungry = found
    assert bone < said_of_it < hungry
    assert said_of_it == pytest.approx((bone + hungry) / 2)
