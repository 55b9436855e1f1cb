"""What hints say comes true: a small table of the one that scripts/campaigns/hints.py makes."""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import pytest

from lanplay.games.dice_town.poker import ACE, DICE, FACES, JACK, NINE, QUEEN
from lanplay_ai.dice_town import aims
from lanplay_ai.dice_town.outlook import rivals_of
from lanplay_ai.dice_town.profiles import PROFILES
from lanplay_ai.dice_town.worth import PLACES
from scripts.campaigns.hints import games
from tests.ai.test_bots import view_of
from tests.dice_town.script import claim, new_table

GAMES = 24
"""Of Dice Town, some 2,000 hints for dice: seconds."""
WIDE = 0.25
NEAR = 0.06
"""What so few hints may be off; thousands are told apart by the script."""


def test_chances_of_dice_come_true_at_tables_of_mixed_levels():
    """Hints for dice of Dice Town, by quarters of what they say: as often as they say."""
    bins = defaultdict(list)
    for found in games("dice-town", 50_000, GAMES):
        for told in found:
            bins[int(told.said / WIDE)].append(told)
    assert sum(map(len, bins.values())) > 60 * GAMES
    for some in bins.values():
        said = sum(told.said for told in some) / len(some)
        came = sum(told.came for told in some) / len(some)
        assert len(some) < 100 or abs(came - said) < NEAR, (said, came, len(some))


def test_points_of_a_turn_come_as_hints_for_charidice_say():
    """What rolling on promises is what the turn brings, on average."""
    told = [each for found in games("charidice", 50_000, 40) for each in found]
    said = sum(each.said for each in told) / len(told)
    came = sum(each.came for each in told) / len(told)
    assert len(told) > 700
    assert abs(came - said) < 2


def test_small_chances_of_cards_come_true_in_a_dogs_life():
    """What brings a dog nothing that it could use has not come off: food where it is full."""
    found = [each for some in games("dogs-life", 50_000, 100) for each in some]
    small = [each for each in found if each.said < 0.4]
    said = sum(each.said for each in small) / len(small)
    came = sum(each.came for each in small) / len(small)
    assert len(small) > 150
    assert abs(came - said) < NEAR, (said, came)


@pytest.mark.parametrize("level", ["strong", "expert"])
@pytest.mark.parametrize(("cup", "kept"), [("99JQA", (0, 1)), ("JJKAA", (3, 4)), ("9JQQA", (2,))])
def test_the_place_that_a_hint_names_is_what_the_dice_are_kept_for(level, cup, kept):
    """Of all places its worth is raised most by the dice, over all rolls of the rest, one by one.

    An oracle of its own: every roll of the dice to come, not multisets.
    """
    t = new_table(3)
    t.row, t.bank = [claim(3), claim(2), claim(4)], 5
    t.deeds[1] = [claim(5), claim(1), claim(2, 1)]
    view, p = view_of(t, 0, cup), PROFILES[level]
    dice = tuple(view.cup[place] for place in kept)
    rivals = rivals_of(view, last=False)

    def expected(held, place):
        brings, total = aims._brings(view, p, place), 0.0
        rolls = list(product(range(FACES), repeat=DICE - len(held)))
        for roll in rolls:
            hand = (*held, *roll)
            if place == aims.HALL:
                number = aims.multisets().number[aims.code(hand)] - aims.multisets().first[DICE]
                won = 1.0
                for beaten in rivals.beaten:
                    won *= beaten[number]
                total += won * brings[hand.count(ACE)]
            else:
                count = hand.count(aims.FACE_OF[place])
                total += rivals.places[aims.FACE_OF[place]].taken[count] * brings[count]
        return total / len(rolls)

    gains = {
        place: expected(dice, place) - expected((), place) for place in (*aims.FACE_OF, aims.HALL)
    }
    assert aims.aim(view, p, dice).place == max(gains, key=gains.__getitem__)


def test_what_places_bring_is_what_the_bot_counts():
    """A place brings what its face does, times what the bot takes it to be worth now."""
    t = new_table(2)
    t.deeds[1] = [claim(5)]
    view, p = view_of(t, 0, "99JQA"), PROFILES["expert"]
    for place, face in (("mine", NINE), ("store", JACK), ("saloon", QUEEN)):
        brings = aims._brings(view, p, place)
        assert [each / brings[1] for each in brings] == pytest.approx(
            [each / PLACES[face][1] for each in PLACES[face]]
        )
