"""The dice, and what may be scored of them: every roll against a scorer written anew."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise, product

import pytest

from lanplay.engine.question import Illegal, picked
from lanplay.games.charidice import questions as q
from lanplay.games.charidice.dice import ALL, DICE, MASKS, NUMBERS, colour, colours, faces, mask_of
from lanplay.games.charidice.sets import dice_set
from tests.charidice.script import all_sets

ROLLS = list(product(NUMBERS, repeat=DICE))


def roll_of(*wanted):
    """Return a roll that shows these (number, colour) faces; other dice show what is left over."""
    dice = [0] * DICE
    for number, tint in wanted:
        place = (tint - number + 1) % DICE
        assert not dice[place], "one die cannot show two faces"
        dice[place] = number
    return tuple(dice)


def mask(dice, *wanted):
    return mask_of((tint - number + 1) % DICE for number, tint in wanted)


def brings(dice, chosen):
    """Return points, bonus and gift of the dice of a mask."""
    found = dice_set(dice, chosen)
    return found.points, found.bonus, found.gift


def test_every_number_exists_once_in_each_colour():
    """CH-1.2: over the six dice the 36 faces are all different."""
    shown = Counter((n, colour(place, n)) for place in range(DICE) for n in NUMBERS)
    assert len(shown) == 36
    assert set(shown.values()) == {1}


def test_every_die_bears_every_number_and_every_colour():
    """CH-1.2: on one die each number has another colour."""
    for place in range(DICE):
        assert {colour(place, number) for number in NUMBERS} == set(range(DICE))


# -- an independent scorer: slow, from the words of the rules page -------------------------------


@cache
def slow(chosen, rest):
    """Return (points, bonus, gift) of faces (number, colour) scored and given; None if illegal."""
    numbers = sorted(number for number, _ in chosen)
    tints = [tint for _, tint in chosen]
    one_colour = len(chosen) >= 4 and all(tint == tints[0] for tint in tints)
    all_differ = all(tints.count(tint) == 1 for tint in tints)
    if not chosen or not (one_colour or all_differ):
        return None
    bonus = 0
    if one_colour:
        in_a_row = all(high == low + 1 for low, high in pairwise(numbers))
        if in_a_row:
            bonus = {4: 25, 5: 40, 6: 50}[len(chosen)]
        elif len(chosen) == 4:
            bonus = 15
    elif numbers[0] == numbers[-1]:
        bonus = {1: 0, 2: 0, 3: 0, 4: 15, 5: 30, 6: 60}[len(chosen)]
    gift = 0
    for number in rest:
        gift += number
        if number > 4:
            gift += number
    return sum(numbers), bonus, gift


def judged(dice, chosen):
    """Return what the slow scorer says of the dice of a mask."""
    shown = faces(dice)
    scored = [place for place in range(DICE) if chosen >> place & 1]
    given = [dice[place] for place in range(DICE) if not chosen >> place & 1]
    return slow(tuple([shown[place] for place in scored]), tuple(sorted(given)))


def scored(dice, chosen):
    """Return what the game says of the dice of a mask, without its memory."""
    found = dice_set.__wrapped__(dice, chosen)
    return None if found is None else (found.points, found.bonus, found.gift)


def test_every_set_of_every_roll_is_scored_as_the_rules_say():
    """CH-2.2, CH-2.3, CH-2.4, CH-3.1: all choices of dice of all rolls but for turning them round.

    Of each six rolls that are one roll turned round the first is taken (see the next test).
    """
    bonuses = Counter()
    first = [dice for dice in ROLLS if dice == min(turns(dice))]
    assert len(first) == 7826
    for dice in first:
        for chosen in MASKS:
            found = scored(dice, chosen)
            assert found == judged(dice, chosen), (dice, chosen)
            bonuses[found and found[1]] += 1
    assert set(bonuses) == {None, 0, 15, 25, 30, 40, 50, 60}


def turns(dice):
    return [dice[step:] + dice[:step] for step in range(DICE)]


def test_a_roll_turned_round_is_worth_the_same():
    """CH-1.2: for all 6^6 rolls every turn shifts all colours alike; what is scored stays."""
    for number, dice in enumerate(ROLLS):
        tints = colours(dice)
        shifted = tuple([(tint - 1) % DICE for tint in tints[1:] + tints[:1]])
        turned = dice[1:] + dice[:1]
        assert colours(turned) == shifted
        chosen = number * 37 % 64
        assert scored(turned, chosen >> 1 | (chosen & 1) << 5) == scored(dice, chosen)
        assert scored(dice, chosen) == judged(dice, chosen)


# -- the worked cases ----------------------------------------------------------------------------

LENA = roll_of((1, 0), (2, 0), (3, 0), (4, 0), (6, 0), (6, 1))


def test_the_first_worked_case():
    """CH-2.4: of one colour 2 3 4 6 brings 15 + 15 and gives 13; 1 2 3 4 brings 10 + 25, 24."""
    assert brings(LENA, mask(LENA, (2, 0), (3, 0), (4, 0), (6, 0))) == (15, 15, 13)
    assert brings(LENA, mask(LENA, (1, 0), (2, 0), (3, 0), (4, 0))) == (10, 25, 24)


def test_the_second_worked_case():
    """CH-2.4: 2 2 2 2 brings 8 + 15 and gives 24; 2 2 2 6 6, all of other colours, 18 and 2."""
    found = set()
    for dice in ROLLS:
        if sorted(dice) == [2, 2, 2, 2, 6, 6]:
            found |= {(s.points, s.bonus, s.gift) for s in all_sets(dice)}
    assert {(8, 15, 24), (18, 0, 2)} <= found


def test_the_third_worked_case():
    """CH-3.1: a gift of 2 and 5 counts 12."""
    assert brings((3, 3, 3, 3, 2, 5), 0b001111) == (12, 15, 12)


@pytest.mark.parametrize(
    ("numbers", "bonus"),
    [
        ((1, 2, 3, 4), 25),
        ((3, 4, 5, 6), 25),
        ((1, 2, 3, 5), 15),
        ((1, 3, 5, 6), 15),
        ((1, 2, 3, 4, 5), 40),
        ((2, 3, 4, 5, 6), 40),
        ((1, 2, 3, 4, 6), 0),
        ((1, 2, 3, 4, 5, 6), 50),
    ],
)
def test_the_bonus_of_one_colour(numbers, bonus):
    """CH-2.4: runs of four, five, six; four that are no run; five that are none bring nothing."""
    for tint in range(DICE):
        wanted = [(number, tint) for number in numbers]
        dice = tuple(number or 1 for number in roll_of(*wanted))
        assert brings(dice, mask(dice, *wanted))[:2] == (sum(numbers), bonus)


@pytest.mark.parametrize(("count", "bonus"), [(1, 0), (2, 0), (3, 0), (4, 15), (5, 30), (6, 60)])
def test_the_bonus_of_equal_numbers(count, bonus):
    """CH-2.4: four, five and six equal numbers, which all differ in colour."""
    for number in NUMBERS:
        dice = (number,) * DICE
        assert brings(dice, (1 << count) - 1)[:2] == (count * number, bonus)


def test_a_die_beyond_the_combination_costs_the_bonus():
    """CH-2.4: four equal numbers and a fifth die of another colour bring their sum alone."""
    seen = 0
    for dice in ROLLS[::5]:
        equal = mask_of(place for place in range(DICE) if dice[place] == 3)
        for place in range(DICE):
            if equal.bit_count() == 4 and not equal >> place & 1:
                found = dice_set(dice, equal | 1 << place)
                if found is not None:
                    seen += 1
                    assert found.bonus == 0
    assert seen


def test_scoring_no_die_is_no_set():
    """CH-2.2: at least one die has to be scored; any single one may be."""
    for dice in ROLLS[::11]:
        assert dice_set(dice, 0) is None
        assert all(dice_set(dice, 1 << place) is not None for place in range(DICE))


def test_three_of_one_colour_are_no_set():
    """CH-2.2: dice of one colour are scored from four on, and not with others."""
    wanted = [(1, 0), (2, 0), (3, 0)]
    dice = tuple(number or 6 for number in roll_of(*wanted))
    assert dice_set(dice, mask(dice, *wanted)) is None
    four = tuple(number or 1 for number in roll_of((1, 0), (2, 0), (3, 0), (5, 0)))
    of_one = mask(four, (1, 0), (2, 0), (3, 0), (5, 0))
    others = [place for place in range(DICE) if not of_one >> place & 1]
    assert all(dice_set(four, of_one | 1 << place) is None for place in others)


def test_with_all_dice_scored_nothing_is_given():
    """CH-3.1: the gift of a set of all six dice is 0."""
    assert brings((3,) * DICE, ALL) == (18, 60, 0)


def test_fives_and_sixes_count_double_as_gifts():
    """CH-3.1: a 4 is a gift of 4, a 5 one of 10, a 6 one of 12."""
    gifts = [dice_set((1, number, 1, 1, 1, 1), 1).gift - 4 for number in NUMBERS]
    assert gifts == [1, 2, 3, 4, 10, 12]


# -- what is offered -----------------------------------------------------------------------------


def menu(dice, factor=1):
    """Return what the question for a set offers: (points with bonus, gift) by mask, in order."""
    step = next(q.Score(dice, factor).dialogue(None))
    values = {option.value: option.label.values for option in step.options}
    assert list(values)[-1] == q.OWN_CHOICE
    return {mask: (v["points"] + v["bonus"], v["gift"]) for mask, v in values.items() if mask}


def test_the_menu_offers_a_best_set_for_every_gift_of_every_roll():
    """CH-2.2, CH-3.1: no gift that can be given is missing, the greatest least of all.

    Of each six rolls that are one roll turned round the first is taken; judged by the slow scorer.
    """
    for dice in ROLLS:
        if dice != min(turns(dice)):
            continue
        best = {}
        for chosen in MASKS:
            if (found := judged(dice, chosen)) is not None:
                points, bonus, gift = found
                best[gift] = max(best.get(gift, 0), points + bonus)
        offered = list(menu(dice).values())
        assert sorted(offered, key=lambda each: each[1]) == sorted(
            ((worth, gift) for gift, worth in best.items()), key=lambda each: each[1]
        )
        assert [worth for worth, _ in offered] == sorted((w for w, _ in offered), reverse=True)


def test_what_the_menu_says_of_a_set_is_so():
    """CH-3.2: points, bonus and gift are those of its dice; the greatest gift is doubled."""
    for dice in ROLLS[::97]:
        for factor in (1, 2):
            for chosen, (worth, gift) in menu(dice, factor).items():
                points, bonus, given = judged(dice, chosen)
                assert (worth, gift) == (points + bonus, factor * given)


def test_any_other_set_can_be_picked_die_by_die():
    """CH-2.2: the way to an answer goes through the menu where it has it, else through the dice."""
    for dice in ROLLS[::97]:
        ask = q.Score(dice, 1)
        for each in all_sets(dice):
            steps = picked(ask, None, each.mask)
            assert len(steps) == (1 if each.mask in menu(dice) else 2)


# -- what is refused -----------------------------------------------------------------------------

ODD = [None, True, -1, 64, 1.0, "1", b"1", (), (1,), [1], {}]


@pytest.mark.parametrize("answer", ODD)
@pytest.mark.parametrize(
    "question",
    [q.Demand(0, (1,) * 6, 1), q.Reroll((1,) * 6, 1), q.Score((1,) * 6, 1)],
    ids=lambda question: question.name,
)
def test_answers_of_another_shape_are_refused(question, answer):
    """Whatever a modified program sends is refused with the rule's number and a reason."""
    with pytest.raises(Illegal) as refused:
        question.check(answer)
    assert refused.value.rule == question.rule
    assert refused.value.message.id == "malformed"


def test_what_is_no_set_is_refused():
    """CH-2.2: a mask whose dice are no set is refused, and nothing else."""
    question = q.Score(LENA, 1)
    for chosen in MASKS:
        if dice_set(LENA, chosen) is None:
            with pytest.raises(Illegal, match="no-set"):
                question.check(chosen)
        else:
            question.check(chosen)


def test_every_choice_of_dice_may_be_rolled_again():
    """CH-2.1: any of the dice, also those set aside before, or none."""
    for chosen in MASKS:
        q.Reroll(LENA, 2).check(chosen)
    for demand in (0, 1):
        q.Demand(0, LENA, 1).check(demand)
