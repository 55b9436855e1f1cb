"""Every action of DL-3.2: where it is open, where not, and what it does."""

from __future__ import annotations

import pytest

from lanplay.engine.question import Illegal
from lanplay.engine.requests import ClaimRefuted, Deal, Show, Shuffle
from lanplay.engine.view import View
from lanplay.games.dogs_life import actions as a
from lanplay.games.dogs_life.actions import action, legal, parts
from lanplay.games.dogs_life.dogs import BONE
from lanplay.games.dogs_life.questions import Act
from lanplay.games.dogs_life.reach import reach, sniffs
from lanplay.games.dogs_life.town import TOWN
from lanplay.games.dogs_life.turn import act, question
from tests.dogs_life.moving import can_enter, is_passing
from tests.dogs_life.script import (
    BELLE,
    FIDO,
    NOWHERE,
    Script,
    at,
    can,
    can_go,
    card,
    food,
    hold,
    new_table,
    paws,
    said,
)


def standing(key, seats=3, **options):
    """Return a table with the dog of seat 0 on a place."""
    t = new_table(seats, **options)
    t.place[0] = at(key)
    return t


def play(t, *codes, **script):
    """Let seat 0 take some actions, then stop."""
    return Script(acts=list(codes), **script).run(t, act(t, 0))


def go(*keys):
    return [action(a.MOVE, at(key)) for key in keys]


def test_a_code_is_a_kind_and_what_it_is_done_with():
    """DL-3.2: codes can be taken apart again."""
    assert parts(action(a.ATTACK, 5)) == (a.ATTACK, 5)
    assert TOWN.size < a.STEP
    assert len(a.KIND_NAMES) == len(a.KINDS)


def test_every_action_costs_a_point_and_the_rest_is_lost():
    """DL-3.2: a move, a search, then nothing more; no question without points."""
    t = standing("C9")
    t.points = 2
    script = play(t, *go("D10"), *go("C9"), *go("D10"))
    assert [question.points for _, question in script.asked] == [2, 1]
    assert t.points == 0
    t.points = 5
    assert len(play(t, a.STOP).asked) == 1
    assert t.points == 5


def test_a_move_goes_to_neighbours_only():
    """DL-3.2 a: to spaces with a common side and through entrances."""
    t = standing("D10")
    assert {parts(code)[1] for code in legal(t, 0) if parts(code)[0] == a.MOVE} == {
        at("C9"),
        at("D9"),
        at("D11"),
        at("E9"),
        at("E10"),
        at("10"),
    }
    assert not can_go(t, "E12")
    t.place[0] = at("C9")
    assert not can_go(t, "10")
    with pytest.raises(Illegal):
        Act(legal(t, 0), 1).check(action(a.MOVE, at("A9")))


def test_a_building_is_walked_through():
    """DL-3.2 a: in by one entrance, out by another, a point each."""
    t = standing("E12")
    play(t, *go("c", "F11"))
    assert t.place[0] == at("F11")
    assert t.points == 6


def test_nobody_enters_the_pound_or_another_den():
    """DL-3.2 a: one's own den is open."""
    t = standing("I9")
    assert not can_go(t, "P")
    t.place[0] = at("H14")
    assert can_go(t, "A")
    t.dens = (1, 0, 2)
    assert not can_go(t, "A")


@pytest.mark.parametrize("obstacle", ["dog", "van"])
def test_a_space_that_is_taken_is_passed_and_not_stopped_on(obstacle):
    """DL-3.2 a: it takes a point to go on; there only moves are open."""
    t = standing("H12", seats=3)
    if obstacle == "dog":
        t.place[1] = at("H11")
    else:
        t.van, t.came = at("H11"), at("G11")
    t.points = 1
    assert not can_go(t, "H11")
    t.points = 2
    assert can_go(t, "H11")
    t.lying[at("H11")] = 1
    t.place[0], t.points = at("H11"), 1
    assert all(parts(code)[0] == a.MOVE for code in legal(t, 0))
    assert a.STOP not in legal(t, 0)
    assert can_go(t, "H10")
    assert is_passing(t, 0)


def test_a_space_with_a_dog_and_anothers_piddle_is_not_entered():
    """DL-3.2 a: nor one with the van and such piddle; one's own does nothing."""
    t = standing("B9")
    for obstacle in (1, None):
        t.marks[at("B10")] = 2
        if obstacle:
            t.place[obstacle] = at("B10")
        else:
            t.place[1] = t.home(1)
            t.van, t.came = at("B10"), at("B11")
        assert not can_go(t, "B10")
        t.marks[at("B10")] = 0
        assert can_go(t, "B10")


def test_a_building_with_a_dog_is_passed_too():
    """DL-3.2 a: a building is one space."""
    t = standing("F11")
    t.place[1] = at("c")
    t.points = 1
    assert not can_go(t, "c")
    t.points = 2
    assert can_go(t, "c")
    t.place[0] = at("c")
    assert legal(t, 0) == tuple(go("E12", "F11"))


def test_the_way_on_may_be_the_way_back():
    """DL-3.2 a: into a building with one entrance, past the dog in it, and out again."""
    t = standing("D12")
    t.place[1] = at("a")
    assert TOWN.walk[0][at("a")] == (at("D12"),)
    t.points = 2
    assert can_go(t, "a")
    assert can_enter(t, 0, at("a"), 2)
    play(t, *go("a", "D12"))
    assert (t.place[0], t.points) == (at("D12"), 0)


def test_no_move_without_a_point():
    """DL-3.2 a: each costs one, onto a free space and past a dog alike."""
    t = standing("H12")
    assert can_enter(t, 0, at("H11"), 1)
    assert not can_enter(t, 0, at("H11"), 0)
    t.place[1] = at("H11")
    assert not can_enter(t, 0, at("H11"), 1)


@pytest.mark.parametrize(("key", "passing"), [("H12", False), ("H11", True)])
def test_passing_is_sharing_a_space(key, passing):
    """DL-3.2 a, DL-3.8: with a dog or the van; not alone, in the pound, or in its cells."""
    t = standing("H11", seats=3)
    t.place[1] = at(key)
    assert is_passing(t, 0) == passing
    t.place[1:] = [NOWHERE, NOWHERE]
    assert not is_passing(t, 0)
    assert not is_passing(t, 1)
    t.place[:2] = [at("P"), at("P")]
    assert not is_passing(t, 0)
    t.place[0] = t.van
    assert is_passing(t, 0)


def test_several_spaces_in_a_row_are_passed_with_enough_points():
    """DL-3.2 a: from the pound, whose exit is behind one dog after another, it takes three."""
    t = standing("P", seats=4)
    t.place[1:] = [at("I9"), at("H10"), at("J9")]
    for points, way in ((1, False), (2, False), (3, True)):
        t.points = points
        assert can_go(t, "I9") == way
        assert can_enter(t, 0, at("I9"), points) == way


def test_a_bin_is_searched_once():
    """DL-3.2 b: food, or a bone with room; the bin is marked in any case."""
    t = standing("C9")
    t.hunger[0] = 1
    found, eaten = food(BELLE, "trash")
    hold(t, 0, found)
    play(t, action(a.SEARCH))
    assert t.hunger[0] == 1 + eaten > 1
    assert not can(t, a.SEARCH)
    assert t.searched == 1 << TOWN.bin_at[at("C9")]
    t.place[0] = at("D9")
    assert not can(t, a.SEARCH)


@pytest.mark.parametrize(("carried", "found"), [(0, 1), (1, 2), (2, 2)])
def test_a_bone_in_a_bin_needs_room(carried, found):
    """DL-3.2 b: two things at most; what cannot be carried is nothing, the bin is marked."""
    t = standing("C9")
    t.bones[0] = carried
    t.supply = 30 - carried
    t.dogs = (FIDO, BELLE, *t.dogs[2:])
    hold(t, 0, card(FIDO, "trash", BONE))
    play(t, action(a.SEARCH))
    assert t.bones[0] == found
    assert t.supply == 30 - found
    assert t.searched
    assert ("leaves-bone" in said(t)) == (carried == 2)


def test_things_are_dropped_and_picked_up():
    """DL-3.2 c, d: bones and newspapers, any number on a space."""
    t = standing("D7")
    t.bones[0], t.papers[0], t.known[0] = 1, [7], [7]
    t.lying[at("D7")] = 3
    assert not can(t, a.PICK_BONE)
    play(t, action(a.DROP_BONE), action(a.DROP_PAPER, 0))
    assert t.lying[at("D7")] == 4
    assert t.dropped == {at("D7"): [7]}
    assert (t.bones[0], t.papers[0]) == (0, [])
    assert not can(t, a.DROP_BONE)
    assert not can(t, a.DROP_PAPER)
    play(t, action(a.PICK_PAPER, 0), action(a.PICK_BONE))
    assert t.dropped == {}
    assert (t.bones[0], t.papers[0], t.lying[at("D7")]) == (1, [7], 3)
    assert not can(t, a.PICK_BONE)
    assert not can(t, a.PICK_PAPER)


def test_the_newspaper_that_is_named_is_the_one_dropped_and_picked():
    """DL-3.2 c, d: by its place among those carried or lying."""
    t = standing("5")
    t.papers[0], t.known[0] = [7, 8], [6, 7, 8, 9]
    t.dropped[at("5")] = [9, 6]
    play(t, action(a.DROP_PAPER, 1), action(a.PICK_PAPER, 1))
    assert t.papers[0] == [7, 6]
    assert t.dropped == {at("5"): [9, 8]}


def test_no_newspaper_is_dropped_in_the_kiosk():
    """DL-3.2 c: a bone is."""
    t = standing("K")
    t.bones[0], t.papers[0] = 1, [7]
    assert can(t, a.DROP_BONE)
    assert not can(t, a.DROP_PAPER)


def test_a_dog_sees_newspapers_where_it_comes():
    """DL-3.2 d: dealt without a question, once, to nobody else; also while passing."""
    t = standing("H12")
    t.dropped[at("H11")] = [7, 8]
    t.place[1] = at("H11")
    script = play(t, *go("H11", "H12", "H11", "H10"))
    assert script.of(Deal) == [Deal([7, 8], 0)]
    assert t.known == [[7, 8], [], []]


def test_an_address_that_all_know_is_not_dealt():
    """DL-3.2 d: nor one that the seat has seen."""
    t = standing("H12")
    t.dropped[at("H11")], t.faces, t.known[0] = [7, 8, 9], {7: 3}, [8]
    assert play(t, *go("H11")).of(Deal) == [Deal([9], 0)]
    assert t.known[0] == [8, 9]


def test_bones_are_buried_at_home():
    """DL-3.2 e: one point each, in one's own den only."""
    t = standing("A")
    t.bones[0] = 2
    play(t, action(a.BURY), action(a.BURY))
    assert (t.bones[0], t.buried[0], t.points) == (0, 2, 6)
    assert not can(t, a.BURY)
    t.bones[0] = 1
    t.place[0] = at("H14")
    assert not can(t, a.BURY)


def test_begging_once_per_restaurant_and_turn():
    """DL-3.2 f: another restaurant is open, and the next turn."""
    t = standing("f")
    found, eaten = food(BELLE, "restaurant")
    hold(t, 0, found)
    t.hunger[0] = 1
    play(t, action(a.BEG))
    assert t.hunger[0] == 1 + eaten > 1
    assert not can(t, a.BEG)
    t.place[0] = at("j")
    assert can(t, a.BEG)
    t.place[0] = at("f")
    t.pass_on(0)
    t.points = 1
    assert can(t, a.BEG)
    t.place[0] = at("5")
    assert not can(t, a.BEG)


@pytest.mark.parametrize(
    ("bladder", "reserve", "full"), [(0, 7, (2, 5)), (1, 1, (2, 0)), (0, 1, (1, 0))]
)
def test_drinking_fills_the_bladder(bladder, reserve, full):
    """DL-3.2 g: up to two, as far as the reserve goes, for one point."""
    t = standing("D6")
    t.bladder[0], t.reserve[0] = bladder, reserve
    play(t, action(a.DRINK))
    assert (t.bladder[0], t.reserve[0]) == full
    assert t.points == 7
    assert not can(t, a.DRINK)


def test_drinking_needs_a_fountain_and_a_reserve():
    """DL-3.2 g: neither elsewhere nor in vain."""
    t = standing("D7")
    assert not can(t, a.DRINK)
    t.place[0] = at("D6")
    t.reserve[0] = 0
    assert not can(t, a.DRINK)


def test_piddling_marks_a_lamp_post():
    """DL-3.2 h: from the bladder, one marker per space."""
    t = standing("G13")
    play(t, action(a.PIDDLE))
    assert (t.bladder[0], t.marks[at("G13")]) == (0, 0)
    t.bladder[0] = 1
    assert not can(t, a.PIDDLE)
    t.place[0] = at("B10")
    assert can(t, a.PIDDLE)
    t.bladder[0] = 0
    assert not can(t, a.PIDDLE)
    t.bladder[0] = 1
    t.place[0] = at("D7")
    assert not can(t, a.PIDDLE)


def test_a_newspaper_is_taken_in_the_kiosk():
    """DL-3.2 i: only its carrier sees it; room and a newspaper are needed."""
    t = standing("K")
    script = play(t, action(a.TAKE))
    assert script.of(Deal) == [Deal([31], 0)]
    assert t.papers[0] == [31]
    assert len(t.stack) == 11
    t.bones[0] = 1
    assert not can(t, a.TAKE)
    t.bones[0] = 0
    t.stack = []
    assert not can(t, a.TAKE)
    t.stack = [20]
    t.place[0] = at("H10")
    assert not can(t, a.TAKE)


def test_a_newspaper_is_delivered_at_its_address():
    """DL-3.2 j: shown, shuffled back, then a card of the newspaper field."""
    t = standing("5")
    t.papers[0], t.known[0], t.bones[0] = [7], [7], 1
    hold(t, 0, card(BELLE, "newspaper", BONE))
    script = play(t, action(a.DELIVER, 0), faces={7: 4})
    assert script.of(Show) == [Show([7])]
    assert script.of(Shuffle)[0].piles["papers"] == [*range(20, 32), 7]
    assert (t.papers[0], t.bones[0], len(t.stack)) == ([], 2, 13)
    assert t.known[0] == []
    assert t.points == 7


def test_a_newspaper_is_offered_at_every_address_and_nowhere_else():
    """DL-3.2 j: others cannot tell whether it is the right one; the seat can."""
    t = standing("5")
    t.papers[0] = [7]
    assert can(t, a.DELIVER)
    asked = question(t, 0, legal(t, 0))
    view = View(0, t, None, [])
    for face, own in ((4, True), (3, False)):
        view.own = {7: face}
        assert (action(a.DELIVER) in asked.legal(view)) == own
        assert asked.only_answer(view) is None
        if not own:
            with pytest.raises(Illegal, match="other-address"):
                asked.check_own(action(a.DELIVER), view)
        else:
            asked.check_own(action(a.DELIVER), view)
    for key in ("f", "K", "D7"):
        t.place[0] = at(key)
        assert not can(t, a.DELIVER)


def test_options_name_the_addresses_that_the_seat_knows():
    """DL-3.2 c, d, i: of newspapers carried and lying, and of no others."""
    t = standing("5")
    t.papers[0], t.dropped[at("5")] = [7], [8]
    asked = question(t, 0, legal(t, 0))
    for own, drop, pick in (({}, {}, {}), ({7: 4, 8: 9}, {"address": 4}, {"address": 9})):
        view = View(0, t, None, [])
        view.own = own
        labels = [
            asked.option(action(a.DROP_PAPER), view),
            asked.option(action(a.PICK_PAPER), view),
        ]
        assert [each.label.values for each in labels] == [drop, pick]
        assert [each.label.id.endswith("-unknown") for each in labels] == [not own] * 2
    view.own = {7: 4}
    labels = {option.label.id for option in next(asked.dialogue(view)).options}
    assert {"do-deliver", "do-drop-paper", "do-pick-paper-unknown"} <= labels
    t.papers[0], view.own = [], {8: 9}
    (pick,) = [
        option
        for option in next(question(t, 0, legal(t, 0)).dialogue(view)).options
        if option.value == action(a.PICK_PAPER)
    ]
    assert pick.label.values == {"address": 9}


def test_a_newspaper_of_another_address_has_no_effect():
    """DL-3.2 j: it is refuted, costs nothing, stays with its dog, and is not offered again."""
    t = standing("5")
    t.papers[0] = [7]
    script = play(t, action(a.DELIVER, 0), faces={7: 3})
    assert script.of(ClaimRefuted) == [ClaimRefuted(0, "DL-3.2")]
    assert (t.papers[0], t.points, len(t.stack)) == ([7], 8, 12)
    assert not can(t, a.DELIVER)


def fight(*signs):
    """Return a table on which Belle at C9 can attack Fido at D10, and lots for such fights.

    A sign says who will have more paws: 1 for Belle, -1 for Fido, 0 for neither.
    """
    t = standing("C9")
    t.place[1] = at("D10")
    t.bones[0] = t.bones[1] = 1
    drawn = paws(BELLE, FIDO, *signs)
    left = [sorted(cards) for cards in drawn]
    lots = []
    for pair in zip(*drawn, strict=True):
        for dog, each in enumerate(pair):
            lots.append(left[dog].index(each))
            left[dog].remove(each)
    for dog, cards in enumerate(drawn):
        hold(t, dog, *cards)
    return t, lots


def test_a_fight_won_sends_the_other_to_the_pound():
    """DL-3.2 k: what it carried stays where it stood, the winner where it was."""
    t, _ = fight(1)
    t.papers[1] = [7]
    play(t, action(a.ATTACK, 1))
    assert (t.place[1], t.pound[1]) == (NOWHERE, 1)
    assert (t.place[0], t.points) == (at("C9"), 7)
    assert t.lying[at("D10")] == 1
    assert t.dropped == {at("D10"): [7]}
    assert (t.bones[1], t.papers[1]) == (0, [])


def test_a_fight_lost_ends_the_turn():
    """DL-3.2 k: the attacker is in the pound, its actions are over."""
    t, _ = fight(-1)
    script = play(t, action(a.ATTACK, 1), *go("D9"))
    assert (t.place[0], t.pound[0], t.points) == (NOWHERE, 1, 0)
    assert t.lying[at("C9")] == 1
    assert len(script.asked) == 1


def test_a_fight_undecided_can_be_repeated():
    """DL-3.2 k: for another point, with the next cards."""
    t, lots = fight(0, 1)
    play(t, action(a.ATTACK, 1), action(a.ATTACK, 1), lots=lots)
    assert t.pound == [0, 1, 0]
    assert t.points == 6


def test_attacks_go_through_entrances_only():
    """DL-3.2 k: into a building from its entrance, and out of it."""
    t = standing("E12")
    t.place[1] = at("c")
    assert can(t, a.ATTACK, 1)
    t.place[0] = at("G11")
    assert not can(t, a.ATTACK, 1)
    t.place[0], t.place[1] = at("c"), at("F11")
    assert can(t, a.ATTACK, 1)
    t.place[1] = at("G11")
    assert not can(t, a.ATTACK, 1)


def test_no_attack_into_or_out_of_a_den_or_the_pound():
    """DL-3.2 k, DL-3.8: dogs there are safe, and do not attack."""
    t = standing("B11", seats=6)
    t.place = [at("B11"), at("A9"), at("A9"), at("A9"), at("A9"), at("F")]
    assert not can(t, a.ATTACK, 5)
    assert not can(t, a.ATTACK, 0, seat=5)
    t.place[0], t.place[1] = at("I9"), at("P")
    assert not can(t, a.ATTACK, 1)
    assert not can(t, a.ATTACK, 0, seat=1)
    assert not can(t, a.ATTACK, 2)


def test_sniffing_ends_the_actions():
    """DL-3.2 l: the marker returns to its owner's reserve; one's own do nothing."""
    t = standing("B9")
    t.marks[at("B10")], t.reserve[1] = 1, 6
    t.dropped[at("B10")] = [7]
    script = play(t, *go("B10", "B11"))
    assert (t.place[0], t.points) == (at("B10"), 0)
    assert (t.marks[at("B10")], t.reserve[1]) == (-1, 7)
    assert script.of(Deal) == [Deal([7], 0)]
    t = standing("B9")
    t.marks[at("B10")] = 0
    play(t, *go("B10", "B11"))
    assert t.place[0] == at("B11")
    assert t.marks[at("B10")] == 0


def test_in_the_pound_building_a_dog_can_only_leave():
    """DL-3.4, DL-3.8: and must; where it cannot, it has no action."""
    t = standing("P")
    assert legal(t, 0) == tuple(go("I9"))
    t.place[1] = at("I9")
    t.points = 1
    assert legal(t, 0) == (a.STOP,)
    assert not is_passing(t, 0)
    assert play(t).asked == []


def test_reach_names_every_place_to_stop_with_a_way():
    """DL-3.2 a, l: what single moves reach, and no more; piddles and obstacles as in play."""
    t = standing("H12", seats=4)
    t.place[1] = at("G11")
    t.place[2] = at("f")
    t.van, t.came = at("I11"), at("H11")
    t.marks[at("I12")] = 3
    t.marks[at("G13")] = 0
    for points in range(1, 7):
        found = reach(t, 0, points)
        assert set(found) == walked(t, points)
        for place, path in found.items():
            assert path[-1] == place
            assert len(path) <= points
            t.points = points
            for there in path:
                assert action(a.MOVE, there) in legal(t, 0)
                t.place[0] = there
                t.points -= 1
            t.place[0] = at("H12")
    assert sniffs(t, 0, at("I12"))
    assert not sniffs(t, 0, at("G13"))


def walked(t, points):
    """Return every place where walks of up to so many single legal moves can stop."""
    home, ends, edge = t.place[0], set(), {t.place[0]}
    for left in range(points, 0, -1):
        further = set()
        for place in edge:
            t.place[0], t.points = place, left
            further |= {parts(code)[1] for code in legal(t, 0) if parts(code)[0] == a.MOVE}
        ends |= {place for place in further if place not in (*t.place[1:], t.van)}
        edge = {place for place in further if not sniffs(t, 0, place)}
    t.place[0] = home
    return ends - {home}


@pytest.mark.parametrize("odd", [None, True, -1, (), (1,), 1.5, "1", 2**63, 255])
def test_what_is_no_action_is_refused(odd):
    """DL-3.2: whatever a modified program sends."""
    t = standing("C9")
    with pytest.raises(Illegal):
        Act(legal(t, 0), 8).check(odd)
