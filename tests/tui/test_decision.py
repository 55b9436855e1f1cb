"""A person's way through a question: free until it is committed, and never illegal."""

from __future__ import annotations

import pytest

from lanplay.engine.question import Option, Phrase, answers
from lanplay.games.charidice.questions import Demand
from lanplay.games.dice_town.questions import Decide, SheriffOffer, Take, Winner
from lanplay.games.dice_town.text import word
from lanplay.games.fliptown.questions import Bribe, FliptownCheat
from lanplay.language import speaking
from lanplay.tui.cells import line, plain
from lanplay.tui.drawing import options
from lanplay.tui.glyphs import ASCII
from lanplay.ui.decision import Decision, numbers
from tests.tui.harness import position

KINDS = ("keep", "offer", "decide", "store", "rob", "take", "keep-loot", "doc", "doc-order", "play")


@pytest.mark.parametrize("kind", KINDS)
def test_taking_what_is_pointed_at_leads_to_a_legal_answer(kind):
    """Whatever is asked, a person that only ever says yes gets to an answer the rules take."""
    _game, view, question = position(kind)
    decision = Decision(view, question)
    while not decision.ready:
        place = 0
        while not decision.settle():
            decision.toggle(place)
            place += 1
    question.check(decision.answer)
    question.check_own(decision.answer, view)
    assert decision.answer in set(answers(question, view))


def test_going_back_brings_everything_back():
    """Each step back shows what was picked there; at the first step there is nowhere to go."""
    _game, view, question = position("offer")
    decision = Decision(view, question)
    decision.move(1)
    while not decision.ready:
        decision.settle()
    while decision.begun:
        assert decision.back()
    assert decision.cursor == 1
    assert not decision.back()


def test_going_back_brings_back_all_that_was_picked():
    """Of a step that takes several, in the order in which they were picked (DT-3.8: two claims)."""
    _game, view, question = position("doc")
    decision = Decision(view, type(question)((0,), (900, 901, 902)))
    decision.point(1)
    assert decision.settle()
    for place in (2, 0):
        decision.toggle(place)
    assert decision.settle()
    assert decision.ready
    assert decision.answer == (0, (902, 900))
    assert decision.back()
    assert decision.chosen == [2, 0]
    assert decision.back()
    assert (decision.cursor, decision.chosen) == (1, [])


def test_dice_that_cost_too_much_are_refused_with_the_rule():
    """The price is known before the choice; what cannot be paid says so (DT-2.3)."""
    game, view, _question = position("keep")
    game.table.dollars[view.seat] = 1
    question = next(iter(game.request.questions.values()))
    question = type(question)(5, 1, question.hand, question.option)
    decision = Decision(view, question)
    assert decision.note.values["dollars"] == 1
    decision.toggle(0)
    assert decision.note.values["dollars"] == 0
    decision.toggle(1)
    assert decision.why_not(2).rule == "DT-2.3"
    decision.toggle(2)
    assert decision.refused.rule == "DT-2.3"
    assert decision.chosen == [0, 1]
    decision.toggle(0)
    assert decision.refused is None
    assert decision.settle()
    assert decision.answer == ((1,), ())


def test_only_slips_are_asked_about_again():
    """One deliberate step is not; nothing picked at all, and several steps, are."""
    _game, view, question = position("keep")
    one, none = Decision(view, question), Decision(view, question)
    one.toggle(0)
    assert one.settle()
    assert not one.slip
    assert none.settle()
    assert none.slip


def test_a_step_that_needs_more_waits():
    """With fewer options than a step needs, nothing happens (DT-3.8: two claims)."""
    _game, view, question = position("doc")
    decision = Decision(view, type(question)((0,), (900, 901, 902)))
    decision.point(1)
    assert decision.settle()
    decision.toggle(0)
    assert not decision.settle()
    decision.toggle(2)
    decision.toggle(1)
    assert decision.chosen == [0, 2]
    assert decision.settle()
    assert decision.answer == (0, (900, 902))


@pytest.mark.parametrize(
    ("question", "place", "slip"),
    [
        (Demand(1, (0,) * 6, 1), 0, False),
        (Demand(1, (0,) * 6, 1), 1, True),
        (Winner((0, 2)), 0, True),
        (Decide("mine", (0, 2), {}), 0, False),
        (Decide("mine", (0, 2), {2: (3, 0, ())}), 0, True),
        (SheriffOffer("mine", (0, 2), 3, 0, ()), 0, False),
        (SheriffOffer("mine", (0, 2), 3, 0, ()), 2, True),
        (FliptownCheat(1, 2), 0, False),
        (FliptownCheat(1, 2), 1, True),
        (Bribe(2), 1, False),
    ],
)
def test_what_is_used_up_or_given_away_is_asked_about_again(question, place, slip):
    """One step is enough for the rest (CH-3.2, DT-7.3, DT-4.1, DT-4.2, FT-9.2, FT-3.3)."""
    _game, view, _question = position("keep")
    decision = Decision(view, question)
    decision.point(place)
    assert decision.settle()
    assert decision.ready
    assert decision.slip is slip


def test_a_number_never_stands_for_another_number():
    """``1 $0 2 $1 3 $2`` is a trap: an amount is called by itself, a seat as on the board."""
    amounts = [Option(count, Phrase("dollars", {"count": count})) for count in range(3)]
    seats = [Option(seat, Phrase("seat", {"seat": seat})) for seat in (0, 3)]
    dice = [Option(place, Phrase("die", {"face": 5 - place})) for place in range(3)]
    assert list(numbers(amounts)) == [0, 1, 2]
    assert list(numbers(seats)) == [1, 4]
    assert list(numbers(seats, seats=False)) == [1, 2]
    assert list(numbers(dice)) == [1, 2, 3]
    backs = [Option(n, Phrase("backs", {"store": n, "claims": 2 - n})) for n in (0, 1, 2)]
    assert list(numbers(backs)) == [0, 1, 2]
    assert list(numbers([*seats, Option(None, Phrase("pass"))])) == [1, 2, 3]


@pytest.mark.parametrize(
    ("tag", "told"), [("en", "0 Store cards, 2 claims"), ("hu", "0 Vegyesbolt-lap, 2 ingatlan")]
)
def test_an_amount_that_is_its_own_number_is_said_once(tag, told):
    """``0 Store cards``, and not ``0 0 Store cards`` (DT-3.5)."""
    _game, view, _question = position("keep")
    with speaking(tag):
        decision = Decision(view, Take(1, 2, 4, 2))
        rows, _across = options(decision, lambda o: line(word(o.label, ())), str, 40, ASCII)
    assert plain(rows[0]).split(maxsplit=1) == [">", told]
