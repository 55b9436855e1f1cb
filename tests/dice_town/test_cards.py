"""Store cards: when they are played, what they do, and what stops them."""

from __future__ import annotations

import pytest

from lanplay.engine.question import Illegal
from lanplay.engine.record import Header
from lanplay.engine.requests import Choose, ClaimRefuted, Deal
from lanplay.engine.view import View
from lanplay.games.dice_town import questions as q
from lanplay.games.dice_town.cards import CARDS, CLAIM_VALUES, EQUIPMENT_VALUES, STORE
from lanplay.games.dice_town.doc import doc
from lanplay.games.dice_town.hand import cheat
from lanplay.games.dice_town.poker import JACK, KING
from lanplay.games.dice_town.town import badge, bank, mine, saloon, store, town_hall
from lanplay.games.dice_town.windows import PlayedCard, take_effect
from tests.dice_town.script import Script, card, claim, give, new_table, plays, run
from tests.dice_town.test_town import row


def view_of(t, seat, *cards):
    """Return a seat's view in which it knows the given cards of its own."""
    view = View(seat, t, Header("dice-town", {}, ("a", "b")), [])
    view.own = {one: one for one in cards}
    return view


def stop(seat, target):
    return {q.Stop: lambda who, ask: (card("wanted"), target) if who == seat else None}


def test_the_deck_is_what_the_components_list_says():
    """Components: 19 Store cards of twelve kinds and five claims of each value."""
    counts = {kind: STORE.count(kind) for kind in set(STORE)}
    assert counts.pop("equipment") == 6
    assert (counts.pop("brute"), counts.pop("cheater")) == (2, 2)
    assert set(counts.values()) == {1}
    assert (len(STORE), len(CLAIM_VALUES), CARDS) == (19, 25, 44)


def test_credit_brings_one_more_store_action():
    """DT-6.4: two actions instead of one, three in round one; once per visit."""
    for number, actions in ((2, 2), (1, 3)):
        t = new_table(2, ["JJ999", "99999"])
        t.round = number
        give(t, 0, card("credit"))
        script = run(t, store(t), answers=plays(credit=0))
        assert len(script.questions(q.Buy)) == actions


def test_credit_is_said_with_the_card_that_is_kept():
    """DT-6.4: the answer at the Store has it; nobody is asked anything more, played or not."""
    for answers, asked in (({}, [q.Buy]), (plays(credit=0), [q.Buy, q.Buy])):
        t = new_table(2, ["JJ999", "99999"])
        give(t, 0, card("credit"))
        script = run(t, store(t), answers=answers)
        assert [type(ask) for _, ask in script.asked] == asked


def test_a_card_that_is_not_kept_brings_no_second_action():
    """DT-6.4, DT-6.5: of the cards to choose from only the one kept can be laid at once."""
    for ask, first in (
        (q.Buy((1, 2), (1,), (5, 1, 2)), (1, None)),
        (q.KeepLoot((1, 2), (5, 2)), (2,)),
    ):
        ask.check((*first, 5))
        ask.check((*first, first[0]))
        for wrong in (3 - first[0], 7, 1.0, (5,)):
            with pytest.raises(Illegal):
                ask.check((*first, wrong))
    with pytest.raises(Illegal):
        q.Buy((1, 2), (1,), (5, 1, 2)).check((1, 1, 1))  # Nervous Joe does not stay


def test_credit_just_drawn_serves_at_once():
    """DT-6.4: asked again right after each action, so that a copy just drawn can be played."""
    t = new_table(2, ["JJ999", "99999"])
    credit = card("credit")
    t.deck.remove(credit)
    t.deck.insert(0, credit)
    script = run(t, store(t), answers=plays(credit=0))
    assert len(script.questions(q.Buy)) == 2


def test_the_girls_rob_twice():
    """DT-6.5: the Saloon action happens twice, and the victims may differ."""
    t = new_table(3, ["Q9999", "99999", "99999"])
    give(t, 0, card("girls"))
    give(t, 1, card("equipment", 0))
    give(t, 2, card("equipment", 1))
    run(t, saloon(t), answers=plays(girls=0))
    assert len(t.hands[0]) == 2


def test_the_girls_may_follow_when_just_stolen():
    """DT-6.5: asked again right after the first action, even for a copy it brought."""
    t = new_table(2, ["Q9999", "99999"])
    give(t, 1, card("girls"))
    t.hands[1].append(t.deck.pop())
    script = run(t, saloon(t), answers=plays(girls=0))
    assert len(script.questions(q.Rob)) == 2
    assert [script.kind(one) for one in t.discards] == ["girls"]
    assert (len(t.hands[0]), t.hands[1]) == (1, [])


def test_the_marshal_keeps_the_badge_where_it_is():
    """DT-6.6, DT-6.14: any seat may play it, the Sheriff included; the winner goes without."""
    for holder in (0, 1, 2):
        t = new_table(3, ["KKKKK", "99999", "99999"])
        t.sheriff = 1
        give(t, holder, card("marshal"))
        run(t, badge(t), answers=plays(marshal=holder))
        assert (t.sheriff, t.obtained) == (1, [False] * 3)


def test_what_was_bribed_for_the_badge_stays_bribed():
    """DT-6.14: the Marshal is played after the tie was decided; the bribe is not given back."""
    t = new_table(3, ["KK999", "KK999", "99999"])
    t.sheriff = 2
    give(t, 2, card("marshal"))
    answers = {**plays(marshal=2), q.SheriffOffer: lambda seat, ask: (2, 0, ())}
    script = run(t, badge(t), answers=answers)
    kinds = [
        type(next(iter(r.questions.values()))) for r in script.requests if isinstance(r, Choose)
    ]
    assert kinds == [q.SheriffOffer, q.Decide, q.Play]
    assert (t.sheriff, t.dollars[2]) == (2, 10)


def test_a_sheriff_who_wins_the_kings_again_obtains_the_badge_unasked():
    """DT-3.9, DT-6.6: nobody is about to take the badge from anybody: no Marshal is asked for."""
    t = new_table(2, ["KKKKK", "99999"])
    give(t, 1, card("marshal"))
    script = run(t, badge(t))
    assert script.asked == []
    assert t.obtained == [True, False]


def test_corruption_draws_the_top_claim_unseen():
    """DT-6.7: after the claims, before the row is refilled; not with the deck empty."""
    t = new_table(2, ["AJJJJ", "99TTT"])
    row(t, 1, 2, 3)
    give(t, 0, card("corruption"))
    taken, top, following = t.row[:2], t.claims[0], t.claims[1:4]
    truth = {top: t.faces.pop(top)}
    script = run(t, town_hall(t), answers=plays(corruption=0), truth=truth)
    assert t.deeds[0] == [*taken, top]
    assert [(r.cards, r.seat) for r in script.requests if isinstance(r, Deal)] == [([top], 0)]
    assert top not in t.faces
    assert t.row == following
    empty = new_table(2, ["AJJJJ", "99TTT"])
    empty.row, empty.claims = empty.claims[:3], []
    give(empty, 0, card("corruption"))
    assert run(empty, town_hall(empty)).asked == []


def test_nervous_joe_visits_as_soon_as_he_is_kept():
    """DT-6.8: the victim hands over $4, what it has if less; Joe goes to the discards."""
    t = new_table(3, ["JJ999", "99999", "99999"])
    joe = card("joe")
    t.deck.remove(joe)
    t.deck.insert(0, joe)
    t.dollars[2] = 3
    run(t, store(t), answers={q.Buy: lambda seat, ask: (joe, 2, None)})
    assert (t.dollars[0], t.dollars[2]) == (11, 0)
    assert joe in t.discards
    assert t.hands[0] == []


def test_joe_drawn_at_the_doc_comes_out_too():
    """DT-6.8: a card drawn at Doc Badluck's enters the hand, and Joe cannot stay in it."""
    t = new_table(2, ["JJJJJ", "99999"])
    joe = card("joe")
    t.deck.remove(joe)
    t.deck.insert(0, joe)
    t.obtained = [False, True]
    run(t, doc(t), answers={q.DeclareJoe: lambda seat, ask: 1})
    assert t.dollars == [12, 4]


def test_joe_is_compulsory_and_nobody_else_is_joe():
    """DT-6.8: keeping Joe without a victim, or naming one for another card, is refused."""
    t = new_table(2)
    joe, other = card("joe"), card("dynamite")
    ask = q.Buy((joe, other), (1,))
    view = view_of(t, 0, joe, other)
    ask.check_own((joe, 1, None), view)
    ask.check_own((other, None, None), view)
    for answer in ((joe, None, None), (other, 1, None)):
        with pytest.raises(Illegal) as caught:
            ask.check_own(answer, view)
        assert caught.value.rule == "DT-6.8"


def test_even_split_takes_half_of_the_loot():
    """DT-6.9: half the loot, rounded down; each side has obtained what it ends up with."""
    t = new_table(2, ["TTTTT", "99999"])
    give(t, 1, card("split"))
    run(t, bank(t), answers=plays(split=1))
    assert t.dollars == [10, 9]
    assert t.obtained == [True, True]


def test_even_split_needs_two_dollars():
    """DT-6.9: a loot of one dollar cannot be split."""
    for dollars, asked in ((1, []), (2, [1])):
        t = new_table(2, ["TTTTT", "99999"])
        t.bank = dollars
        give(t, 1, card("split"))
        assert [seat for seat, _ in run(t, bank(t)).asked] == asked


def test_the_elixir_opens_the_doc_to_the_lucky():
    """DT-6.10: played before the first visit; one visit, in the Sheriff's order with the others."""
    t = new_table(2, ["KKKKK", "AAAAA"])
    t.obtained = [True, False]
    give(t, 0, card("elixir"))
    script = run(t, doc(t), answers=plays(elixir=0))
    assert {seat for seat, _ in script.questions(q.Consolation)} == {0, 1}
    assert len(script.questions(q.DocOrder)) == 1


def test_wanted_stops_a_card_and_both_are_discarded():
    """DT-6.11: the card has no effect; both lie on the discards."""
    t = new_table(2, ["999TJ", "TTTTT"])
    dynamite, wanted = card("dynamite"), card("wanted")
    give(t, 0, dynamite)
    give(t, 1, wanted)
    run(t, mine(t), answers={**plays(dynamite=0), **stop(1, dynamite)})
    assert t.nuggets[0] == 3
    assert set(t.discards) == {dynamite, wanted}


def test_nervous_joe_can_be_stopped():
    """DT-6.11: Joe is one of the cards that Wanted may name."""
    t = new_table(2, ["JJ999", "99999"])
    joe = card("joe")
    t.deck.remove(joe)
    t.deck.insert(0, joe)
    give(t, 1, card("wanted"))
    answers = {q.Buy: lambda seat, ask: (joe, 1, None), **stop(1, joe)}
    run(t, store(t), answers=answers)
    assert t.dollars == [8, 8]


def test_wanted_stops_no_card_of_its_own_holder():
    """DT-6.11, DT-6.15: a Wanted window names to every seat only what others have just played."""
    t = new_table(3)
    one, two = card("cheater", 0), card("cheater", 1)
    give(t, 0, one, card("wanted"))
    give(t, 1, two, card("equipment", 0))
    give(t, 2, card("equipment", 1))
    both = [PlayedCard(0, one, "cheater"), PlayedCard(1, two, "cheater")]
    script = run(t, take_effect(t, both))
    targets = {seat: ask.targets for seat, ask in script.questions(q.Stop)}
    assert targets == {0: (two,), 1: (one,), 2: (one, two)}


def test_wanted_cannot_be_stopped():
    """DT-6.11, DT-6.15: one Wanted window follows what is played, and none follows a Wanted."""
    t = new_table(3)
    dynamite, wanted = card("dynamite"), card("wanted")
    give(t, 0, dynamite, card("equipment", 0))
    give(t, 1, wanted)
    give(t, 2, card("equipment", 1))
    script = run(
        t, take_effect(t, [PlayedCard(0, dynamite, "dynamite")]), answers=stop(1, dynamite)
    )
    assert [seat for seat, _ in script.asked] == [1, 2]
    assert script.result == []
    assert t.discards == [dynamite, wanted]
    assert t.hands == [[card("equipment", 0)], [], [card("equipment", 1)]]


def test_credit_stopped_by_wanted_brings_no_action():
    """DT-6.11, DT-6.4: Credit is gone and brings nothing; it is not asked for again."""
    t = new_table(2, ["JJ999", "99999"])
    credit = card("credit")
    give(t, 0, credit)
    give(t, 1, card("wanted"))
    script = run(t, store(t), answers={**plays(credit=0), **stop(1, credit)})
    assert [type(ask) for _, ask in script.asked] == [q.Buy, q.Stop]


def test_the_girls_stopped_by_wanted_rob_once():
    """DT-6.11, DT-6.5: the Saloon action happens once, and the Girls are not asked for again."""
    t = new_table(2, ["Q9999", "99999"])
    give(t, 0, card("girls"))
    give(t, 1, card("wanted"), claim(1), claim(2))
    script = Script(t, {**plays(girls=0), q.Take: lambda seat, ask: 0})
    script.answers[q.Stop] = lambda seat, ask: (
        next(one for one in ask.hand if script.kind(one) == "wanted"),
        ask.targets[0],
    )
    script.run(saloon(t))
    assert [type(ask) for _, ask in script.asked] == [q.Rob, q.Take, q.KeepLoot, q.Stop]
    assert (len(t.deeds[0]), len(t.deeds[1]), t.hands) == (1, 1, [[], []])


def test_corruption_stopped_by_wanted_draws_no_claim():
    """DT-6.11, DT-6.7: the top claim stays with the deck and is the next one in the row."""
    t = new_table(2, ["AJJJJ", "99TTT"])
    row(t, 1, 2, 3)
    corruption = card("corruption")
    give(t, 0, corruption)
    give(t, 1, card("wanted"))
    taken, top = t.row[:2], t.claims[0]
    run(t, town_hall(t), answers={**plays(corruption=0), **stop(1, corruption)})
    assert t.deeds[0] == taken
    assert t.row[0] == top


def test_equipment_is_never_played():
    """DT-6.12: no question of any kind plays equipment, and its values are 1 to 5 and 8."""
    assert EQUIPMENT_VALUES == (1, 2, 3, 4, 5, 8)
    t = new_table(2, ["999TJ", "TTTTT"])
    own = card("equipment")
    give(t, 0, own)
    view = view_of(t, 0, own)
    played = [(q.Play(kind, (own,)), own) for kind in sorted({*STORE} - {"equipment", "wanted"})]
    played.append((q.DiceTownCheat((1, 2), (own,)), ((own, 0, 5),)))
    played.append((q.Stop((card("dynamite"),), (own,)), (own, card("dynamite"))))
    played.append((q.Keep(5, 8, (own,), "free"), ((0, 1), (own,))))
    for ask, answer in played:
        ask.check(answer)
        with pytest.raises(Illegal):
            ask.check_own(answer, view)


def test_no_window_opens_for_a_card_that_all_see_on_the_discards():
    """DT-6.13: nobody can hold it, and all know that; with a copy unseen the window opens."""
    for shown, asked in (((), [1]), (("marshal",), [])):
        t = new_table(2, ["KKKKK", "99999"])
        t.sheriff = 1
        give(t, 1, card("equipment"))
        for kind in shown:
            t.deck.remove(card(kind))
            t.discards.append(card(kind))
        assert [seat for seat, _ in run(t, badge(t)).asked] == asked


def test_wanted_is_told_who_plays_what_and_whom_it_would_hit():
    """DT-6.11: what an order may go by: Nervous Joe, and whom he visits."""
    t = new_table(3)
    joe = card("joe")
    give(t, 0, joe)
    give(t, 1, card("equipment"))
    script = run(t, take_effect(t, [PlayedCard(0, joe, "joe", 2)]))
    assert [(ask.by, ask.victims) for _, ask in script.questions(q.Stop)] == [((0,), (2,))]


def test_the_last_reveal_asks_who_could_still_react_by_what_all_can_see():
    """DT-6.13: leading nines, the best hand, another's Bank or badge; nobody else."""
    for hands, asked in (
        (["99999", "TTTTT", "AAAAJ"], [0, 1, 2]),  # the Bank: all but seat 1; it has the best hand
        (["99999", "9999J", "999JJ"], [0]),  # the mine and the best hand
        (["99JJJ", "99JJJ", "9JJJQ"], [0, 1]),  # two lead
        (["JJJQQ", "JJKQQ", "JJJJQ"], [0, 1, 2]),  # a badge that goes to seat 1
    ):
        t = new_table(3, hands)
        for seat in range(3):
            give(t, seat, card("equipment", seat))
        for one in (card("cheater", 0), card("cheater", 1)):
            t.deck.remove(one)
            t.discards.append(one)
        t.bank = 2
        script = run(t, cheat(t, {}, True))
        assert [seat for seat, _ in script.asked] == asked


def test_a_window_asks_every_seat_with_a_store_card_and_no_other():
    """DT-6.13: who is asked depends on card backs alone, and all are asked at once."""
    t = new_table(4, ["KKKKK", "99999", "99999", "99999"])
    t.sheriff = 1
    give(t, 0, card("equipment", 0))
    give(t, 2, card("equipment", 1))
    script = run(t, badge(t))
    (choose,) = [r for r in script.requests if isinstance(r, Choose)]
    assert set(choose.questions) == {0, 2}


def test_a_seat_that_cannot_react_has_one_answer():
    """DT-6.13: without the card there is nothing to choose: a client answers by itself."""
    t = new_table(2)
    own = card("equipment")
    view = view_of(t, 0, own)
    for ask in (
        q.Play("marshal", (own,)),
        q.DiceTownCheat((1, 2), (own,)),
        q.Stop((card("joe"),), (own,)),
        q.DeclareJoe(own, (1,)),
    ):
        assert ask.only_answer(view) is not None


def test_cards_take_effect_in_seat_order_from_the_sheriff():
    """DT-6.15: what is played in one window is shown together and works from the Sheriff on."""
    t = new_table(3)
    t.sheriff = 2
    one, two = card("cheater", 0), card("cheater", 1)
    give(t, 0, one)
    give(t, 2, two)
    both = [PlayedCard(0, one, "cheater"), PlayedCard(2, two, "cheater")]
    script = run(t, take_effect(t, both))
    assert [play.seat for play in script.result] == [2, 0]
    assert t.discards == [one, two]


def test_a_card_shown_that_is_another_is_lost_without_effect():
    """DT-6.15: what is played is shown; of two cards the one that is what was said works, and the
    other can no longer be stopped by Wanted."""
    t = new_table(3)
    own, true = card("equipment"), card("dynamite")
    give(t, 0, own)
    give(t, 1, true)
    give(t, 2, card("brute"))
    script = run(
        t, take_effect(t, [PlayedCard(0, own, "marshal"), PlayedCard(1, true, "dynamite")])
    )
    assert [r for r in script.requests if isinstance(r, ClaimRefuted)] == [
        ClaimRefuted(0, "DT-6.6")
    ]
    assert [play.seat for play in script.result] == [1]
    assert (t.hands[0], t.discards) == ([], [own, true])
    assert [ask.targets for _, ask in script.questions(q.Stop)] == [(true,)]


def test_a_card_that_is_not_wanted_stops_nothing():
    """DT-6.11: a card said to be Wanted that is another is lost, and what it was to stop works."""
    t = new_table(2)
    own, false = card("dynamite"), card("equipment")
    give(t, 0, own)
    give(t, 1, false)
    stops = {q.Stop: lambda who, ask: (false, own)}
    script = run(t, take_effect(t, [PlayedCard(0, own, "dynamite")]), answers=stops)
    assert [r for r in script.requests if isinstance(r, ClaimRefuted)] == [
        ClaimRefuted(1, "DT-6.11")
    ]
    assert [play.seat for play in script.result] == [0]
    assert t.hands == [[], []]


def test_a_card_called_nervous_joe_brings_no_dollars():
    """DT-6.8: who draws another card and calls it Joe gets nothing for it and loses it."""
    t = new_table(2, ["JJJJJ", "99999"])
    t.sheriff = 1
    top = t.deck[0]
    calls = {q.Buy: lambda seat, ask: (ask.cards[0], 1, None)}
    script = run(t, store(t), answers=calls)
    assert ClaimRefuted(0, "DT-6.8") in script.requests
    assert (t.dollars, t.hands[0]) == ([8, 8], [])
    assert top in t.discards


def test_claims_are_no_store_cards():
    """DT-6.13: a seat with claims alone is asked for no reaction."""
    t = new_table(2, ["KKKKK", "99999"])
    t.sheriff = 1
    give(t, 1, claim(1))
    assert run(t, badge(t)).asked == []
    assert (JACK, KING) == (2, 4)
