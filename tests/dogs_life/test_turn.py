"""Turns: hunger, cards, bins, the van, the pound, the end."""

from __future__ import annotations

import pytest

from lanplay.engine.question import Illegal
from lanplay.engine.requests import Choose, OpenRoll, Shuffle
from lanplay.engine.view import View
from lanplay.games.dogs_life import actions as a
from lanplay.games.dogs_life.actions import action, legal
from lanplay.games.dogs_life.catching import lock_up
from lanplay.games.dogs_life.deck import draw, gain
from lanplay.games.dogs_life.dogs import BONE, DOGS, FULL_DECK, RESULTS, SHUFFLE
from lanplay.games.dogs_life.questions import Steer
from lanplay.games.dogs_life.rules import drawn, is_over, setup
from lanplay.games.dogs_life.table import BONES
from lanplay.games.dogs_life.town import TOWN
from lanplay.games.dogs_life.turn import act, turn
from lanplay.games.dogs_life.van import drive
from tests.dogs_life.script import (
    BELLE,
    FIDO,
    NOWHERE,
    REX,
    Script,
    at,
    card,
    hold,
    new_table,
    paws,
    said,
)


def test_setup():
    """DL-2.1: dogs, dens and the first seat by lot, food 4, one marker in the bladder, newspapers
    face down.
    """
    t = new_table(4)
    t.first, t.round = -1, 0
    script = Script(lots=[719, 1, 2]).run(t, setup(t))
    assert t.dogs == drawn(719, 6)[:4]
    assert t.dens == (1, 0, 2, 3)
    assert t.place == [TOWN.dens[den] for den in t.dens]
    assert t.first == 2
    assert t.order() == [2, 3, 0, 1]
    assert t.hunger == [4] * 4
    assert (t.bladder, t.reserve) == ([1] * 4, [7] * 4)
    assert (t.van, t.came) == (at("J11"), at("I11"))
    assert [each.sides for each in script.of(OpenRoll)] == [720, 720, 4]
    assert len(script.of(Shuffle)[0].piles["papers"]) == 12
    assert t.decks == [FULL_DECK] * 4


def test_every_order_of_dogs_can_be_drawn():
    """DL-1.1, DL-2.1: 720 lots, 720 orders."""
    assert len({drawn(number, 6) for number in range(720)}) == 720


@pytest.mark.parametrize("dog", range(6))
def test_action_points_are_those_of_the_dog(dog):
    """DL-1.3, DL-3.2: as many as the dog has."""
    t = new_table(2)
    t.dogs = (dog, (dog + 1) % 6)
    script = Script().run(t, turn(t, 0))
    assert script.asked[0][1].points == DOGS[dog].points


def test_hunger():
    """DL-3.1: food goes down; at 0 a dog still acts, below it falls asleep."""
    t = new_table()
    t.hunger[0] = 1
    script = Script().run(t, turn(t, 0))
    assert (t.hunger[0], t.points) == (0, 0)
    assert len(script.asked) == 2
    t.place[0] = at("D7")
    t.bones[0], t.papers[0] = 1, [7]
    van = t.van
    script = Script().run(t, turn(t, 0))
    assert script.requests == []
    assert (t.place[0], t.pound[0], t.hunger[0]) == (NOWHERE, 1, 0)
    assert (t.lying[at("D7")], t.dropped) == (1, {at("D7"): [7]})
    assert t.van == van


def test_a_starving_dog_in_the_pound_building_goes_back_to_the_first_cell():
    """DL-3.1, DL-3.8: its turn begins as any dog's; the van does not move."""
    t = new_table()
    t.place[0], t.hunger[0] = TOWN.pound, 0
    script = Script().run(t, turn(t, 0))
    assert script.requests == []
    assert (t.place[0], t.pound[0]) == (NOWHERE, 1)


@pytest.mark.parametrize(("key", "lies"), [("K", False), ("5", True), ("A", True)])
def test_newspapers_that_fall_in_the_kiosk_go_back(key, lies):
    """DL-3.7: bones lie everywhere; newspapers too, but in the kiosk they are shuffled back."""
    t = new_table()
    t.place[0], t.bones[0], t.papers[0], t.known[0] = at(key), 1, [7], [7]
    script = Script().run(t, lock_up(t, 0))
    assert t.lying[at(key)] == 1
    assert t.buried[0] == 0
    assert t.dropped == ({at(key): [7]} if lies else {})
    assert len(t.stack) == (12 if lies else 13)
    assert len(script.of(Shuffle)) == (not lies)
    assert t.known[0] == ([7] if lies else [])


def test_cards_are_drawn_in_public():
    """DL-1.1, DL-3.5: one lot among the cards left; used ones do not come again."""
    t = new_table()
    script = Script(lots=[5, 5]).run(t, draw(t, 0))
    assert script.result == 5
    assert Script(lots=[5]).run(t, draw(t, 0)).result == 6
    assert t.decks[0] == (0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 12)
    assert [each.sides for each in script.of(OpenRoll)] == [13]


def test_the_shuffle_card_makes_the_deck_whole():
    """DL-3.5: as often as it takes; the last card left needs no lot."""
    t = new_table()
    t.decks[0] = (3, SHUFFLE)
    script = Script(lots=[1, 12, 4]).run(t, draw(t, 0))
    assert script.result == 4
    assert len(t.decks[0]) == RESULTS
    assert said(t) == ["reshuffles", "reshuffles"]
    t.decks[0] = (SHUFFLE,)
    script = Script(lots=[0]).run(t, draw(t, 0))
    assert [each.sides for each in script.of(OpenRoll)] == [13]


def test_every_card_of_a_deck_comes_once():
    """DL-3.5: the first twelve lots that are not the shuffle card draw each card once."""
    t = new_table()
    cards = [Script().run(t, draw(t, 0)).result for _ in range(12)]
    assert sorted(cards) == list(range(12))


@pytest.mark.parametrize(("food", "prize", "after"), [(0, 3, 3), (3, 2, 4), (4, 1, 4), (2, 0, 2)])
def test_food_fills_the_track(food, prize, after):
    """DL-4.3: up to 4."""
    t = new_table()
    t.hunger[0] = food
    gain(t, 0, prize)
    assert t.hunger[0] == after


def test_the_supply_of_bones_is_limited():
    """DL-1.5, DL-4.3: the last bone is taken, after it none."""
    t = new_table()
    t.supply = 1
    gain(t, 0, BONE)
    gain(t, 1, BONE)
    assert (t.supply, t.bones) == (0, [1, 0, 0])
    assert new_table().supply == BONES


def test_the_last_marker_empties_the_bins():
    """DL-1.5, DL-3.6: the fifteenth stays alone."""
    t = new_table()
    place = at("C9")
    others = [n for n, each in enumerate(TOWN.bins) if each != place]
    t.searched = sum(1 << number for number in others[:13])
    t.place[0] = place
    Script(acts=[action(a.SEARCH)]).run(t, act(t, 0))
    assert t.searched.bit_count() == 14
    t.place[0] = TOWN.bins[others[13]]
    Script(acts=[action(a.SEARCH)]).run(t, act(t, 0))
    assert t.searched == 1 << others[13]


def van_at(t, key, came):
    t.van, t.came = at(key), at(came)


def test_the_van_follows_the_actions():
    """DL-3.3: a die, a path, and the heading is kept (DL-3.9)."""
    t = new_table()
    van_at(t, "H11", "H10")
    script = Script(lots=[2]).run(t, turn(t, 0))
    assert [type(question).__name__ for _, question in script.asked] == ["Act", "Steer"]
    assert script.asked[1][1].die == 3
    path = script.asked[1][1].drives()[-1]
    van_at(t, "H11", "H10")
    Script(lots=[2], drives=[path]).run(t, drive(t, 0))
    assert (t.van, t.came) == (path[-1], path[-2])
    assert t.die == 0


def test_the_van_moves_at_least_one_space_and_no_more_than_rolled():
    """DL-3.3, DL-3.9: as many as the die shows at most, along the table."""
    question = Steer(at("H11"), at("H10"), 2)
    one = question.drives()[0]
    two = question.drives()[-1]
    assert (len(one), len(two)) == (1, 2)
    question.check(one)
    question.check(two)
    three = Steer(at("H11"), at("H10"), 3).drives()[-1]
    odd_two = (two[0], float(two[1]))
    for odd in (
        (),
        three,
        (at("H10"),),
        (at("A9"),),
        None,
        1,
        (None,),
        (True,),
        (-1,),
        ((),),
        odd_two,
    ):
        with pytest.raises(Illegal):
            question.check(odd)


def test_a_drive_is_offered_with_its_end_its_heading_and_its_length():
    """DL-3.3, DL-3.9: two ways to one space differ by where the van comes from."""
    t = new_table()
    ask = Steer(at("H11"), at("H10"), 3)
    options = next(ask.dialogue(View(0, t, None, []))).options
    assert tuple(option.value for option in options) == ask.drives()
    for option in options:
        path = (at("H11"), *option.value)
        end = {"place": path[-1], "from": path[-2], "count": len(option.value)}
        assert option.label.values == end
    assert {*ask.ends()} == {option.value[-1] for option in options}


def test_a_forced_drive_is_not_asked():
    """DL-3.9: one space, one way; otherwise there is a choice."""
    t = new_table()
    view = View(0, t, None, [])
    for (place, came), ways in TOWN.ways.items():
        assert (Steer(place, came, 1).only_answer(view) is None) == (len(ways) > 1)
        assert Steer(place, came, 2).only_answer(view) is None


def test_a_dog_under_the_van_is_caught():
    """DL-3.3: at once, and drops everything there; the others around draw after it (DL-3.9)."""
    t = new_table(4)
    van_at(t, "H10", "I9")
    way = TOWN.ways[t.van, t.came][0]
    t.place[1] = way
    t.bones[1] = 1
    near = [each for each in TOWN.beside[way] if each not in (t.van, TOWN.kiosk)]
    t.place[2] = near[0]
    t.place[3] = near[1]
    hold(t, 2, card(REX, "catcher", 0))
    hold(t, 3, DOGS[3].catcher.index(1))
    Script(drives=[(way,)]).run(t, drive(t, 0))
    assert t.pound == [0, 1, 1, 0]
    assert t.place[1] == NOWHERE
    assert t.lying[way] == 1
    assert [each for each in said(t) if each in ("caught", "escapes")] == [
        "caught",
        "caught",
        "escapes",
    ]


def test_dogs_near_the_van_draw_from_the_first_seat_on():
    """DL-3.3: the seat's own dog included."""
    t = new_table(3)
    t.first = 2
    way = at("D10")
    t.van, t.came = next(key for key, ways in TOWN.ways.items() if way in ways)
    near = [each for each in TOWN.beside[way] if each != t.van]
    t.place = near[:3]
    t.decks = [(card(dog, "catcher", 1), SHUFFLE) for dog in range(3)]
    Script(drives=[(way,)]).run(t, drive(t, 0))
    order = [message.values["seat"] for message in t.log if message.id == "escapes"]
    assert order == [2, 0, 1]


@pytest.mark.parametrize(
    ("stop", "key", "reached"),
    [("D10", "10", True), ("C9", "10", False), ("B11", "F", False), ("I9", "P", False)],
)
def test_the_van_before_an_entrance_is_next_to_the_dog_inside(stop, key, reached):
    """DL-3.3, DL-3.8: dens and the pound building are safe."""
    t = new_table(6)
    t.dogs = (BELLE, FIDO, REX, 3, 4, 5)
    t.place = [at("A")] + [at(each) for each in "BCDE"] + [at(key)]
    hold(t, 5, DOGS[5].catcher.index(0))
    t.van, t.came = next(key for key, ways in TOWN.ways.items() if at(stop) in ways)
    Script(drives=[(at(stop),)]).run(t, drive(t, 0))
    assert bool(t.pound[5]) == reached


def test_the_van_passes_over_dogs():
    """DL-3.3: only where it stops is anybody caught."""
    t = new_table()
    van_at(t, "H10", "I9")
    path = next(p for p in TOWN.drives(t.van, t.came, 4) if len(p) == 4)
    t.place[1] = path[0]
    assert path[0] not in TOWN.beside[path[-1]]
    Script(lots=[3], drives=[path]).run(t, drive(t, 0))
    assert t.pound[1] == 0


def test_no_van_for_a_dog_in_the_pound():
    """DL-3.3, DL-3.2 k: a beaten attacker does not steer."""
    t = new_table()
    t.place[0], t.place[1] = at("C9"), at("D10")
    for dog, cards in enumerate(paws(BELLE, FIDO, -1)):
        hold(t, dog, *cards)
    script = Script(acts=[action(a.ATTACK, 1)]).run(t, turn(t, 0))
    assert len(script.of(Choose)) == 1
    assert t.pound[0] == 1


def jailed(cell, *fields):
    """Return a table with seat 0 in a cell, and its next cards saying stay (0) or out (1)."""
    t = new_table()
    t.place[0], t.pound[0], t.hunger[0] = NOWHERE, cell, 4
    cards, lots = [], []
    for value in fields:
        cards.append(
            next(n for n, each in enumerate(DOGS[0].pound) if each == value and n not in cards)
        )
    left = sorted([*cards, SHUFFLE])
    t.decks[0] = tuple(left)
    for each in cards:
        lots.append(left.index(each))
        left.remove(each)
    return t, lots


@pytest.mark.parametrize("cell", [1, 2, 3])
def test_staying_in_the_pound(cell):
    """DL-3.4: one card more each turn, no hunger, no actions, no van."""
    t, lots = jailed(cell, *[0] * cell)
    script = Script(lots=lots).run(t, turn(t, 0))
    assert len(script.of(OpenRoll)) == cell
    assert script.asked == []
    assert (t.pound[0], t.place[0], t.hunger[0]) == (cell + 1, NOWHERE, 4)


@pytest.mark.parametrize("cell", [1, 2, 3])
def test_getting_out_of_the_pound(cell):
    """DL-3.4: up to the first "out"; food 2, actions that begin at the exit, the van."""
    t, lots = jailed(cell, *[0] * (cell - 1), 1)
    script = Script(lots=lots, acts=[action(a.MOVE, at("I9"))]).run(t, turn(t, 0))
    assert (t.pound[0], t.place[0], t.hunger[0]) == (0, at("I9"), 2)
    first, second, van = [question for _, question in script.asked]
    assert first.options == (action(a.MOVE, at("I9")),)
    assert (first.points, second.points) == (6, 5)
    assert isinstance(van, Steer)


def test_the_fourth_turn_frees_without_a_card():
    """DL-3.4: in any case, in the same way."""
    t, _ = jailed(4)
    script = Script(acts=[action(a.MOVE, at("I9"))]).run(t, turn(t, 0))
    assert (t.place[0], t.hunger[0]) == (at("I9"), 2)
    assert len(script.of(OpenRoll)) == 1
    assert len(script.of(Choose)) == 3


def test_a_barred_exit_keeps_a_freed_dog_in_the_building():
    """DL-3.8: the van moves; its next turn begins as any dog's."""
    t, _ = jailed(4)
    t.place[1] = at("I9")
    t.marks[at("I9")] = 2
    script = Script().run(t, turn(t, 0))
    assert t.place[0] == TOWN.pound
    assert [type(question) for _, question in script.asked] == [Steer]
    Script(lots=[0]).run(t, turn(t, 0))
    assert t.hunger[0] == 1
    t.place[2] = TOWN.pound
    assert legal(t, 0) == legal(t, 2) == (a.STOP,)


def test_the_first_to_bury_enough_wins_at_once():
    """DL-4.1: the rest of the turn and the van are left out."""
    for bones in (2, 3, 4, 5, 6):
        t = new_table(bones=bones)
        t.buried[0], t.bones[0] = bones - 1, 2
        script = Script(acts=[action(a.BURY)] * 2).run(t, turn(t, 0))
        assert t.winners == (0,)
        assert (t.buried[0], t.bones[0]) == (bones, 1)
        assert len(script.asked) == 1


def test_a_game_limited_by_rounds():
    """DL-4.2: no number of bones ends it; a tie is played on, for ten rounds at most."""
    t = new_table(rounds=10)
    t.buried[0], t.bones[0] = 5, 1
    Script(acts=[action(a.BURY)]).run(t, turn(t, 0))
    assert (t.buried[0], t.winners) == (6, ())
    t.round = 9
    assert not is_over(t)
    t.round = 10
    t.buried[1] = 6
    assert not is_over(t)
    t.round = 19
    assert not is_over(t)
    t.round = 20
    assert is_over(t)
    assert t.winners == (0, 1)
    t.winners, t.round = (), 11
    t.buried[0] = 7
    assert is_over(t)
    assert t.winners == (0,)


def test_no_game_lasts_for_ever():
    """DL-4.4: after 100 rounds most bones win."""
    t = new_table()
    t.round = 99
    t.buried[1] = 1
    assert not is_over(t)
    t.round = 100
    assert is_over(t)
    assert t.winners == (1,)


def test_piddle_holds_the_one_who_comes():
    """DL-3.2 l, DL-3.3: after sniffing the van follows."""
    t = new_table()
    t.place[0] = at("B9")
    t.marks[at("B10")] = 1
    script = Script(acts=[action(a.MOVE, at("B10"))]).run(t, turn(t, 0))
    assert [type(question).__name__ for _, question in script.asked] == ["Act", "Steer"]
