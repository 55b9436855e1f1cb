"""Round, part II: locations, ties, bribes and the Doc."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from lanplay.engine.question import Illegal
from lanplay.engine.question import answers as found
from lanplay.engine.record import Header
from lanplay.engine.requests import Choose, ClaimRefuted, Deal, Mix, OpenRoll, Show, Shuffle
from lanplay.engine.view import View
from lanplay.games.dice_town import questions as q
from lanplay.games.dice_town.cards import STORE_FACES
from lanplay.games.dice_town.doc import doc
from lanplay.games.dice_town.poker import ACE, JACK, KING, NINE
from lanplay.games.dice_town.questions.town import consolations
from lanplay.games.dice_town.rules import one_round
from lanplay.games.dice_town.sheriff import move_cards
from lanplay.games.dice_town.town import (
    badge,
    bank,
    mine,
    saloon,
    stagecoach,
    store,
    town_hall,
)
from tests.dice_town.script import Script, card, claim, dice, give, new_table, plays, run


def town(t, **options):
    """Run part II up to the Doc."""

    def part():
        yield from mine(t)
        yield from bank(t)
        stagecoach(t)
        yield from store(t)
        yield from saloon(t)
        yield from badge(t)
        yield from town_hall(t)
        yield from doc(t)

    return run(t, part(), **options)


def row(t, *values):
    """Lay claims of these values into the row."""
    for value in values:
        one = next(c for c in t.claims if claim(value) <= c < claim(value) + 5)
        t.claims.remove(one)
        t.row.append(one)


def test_worked_case_one():
    """Worked case 1: mine, Bank and badge, Store and Town Hall, Saloon, and the Doc's fence."""
    t = new_table(5, ["999JK", "TTTKK", "JJJJA", "QQQAA", "9QQJJ"])
    row(t, 3, 4, 5)
    t.sheriff = 4
    give(t, 1, *(card("equipment", n) for n in range(4)))
    give(t, 4, claim(1), claim(2))
    script = town(t)
    assert t.nuggets[0] == 3
    assert t.dollars[1] == 8 + 3
    assert t.sheriff == 1
    assert len(t.hands[2]) == 1
    assert len(t.deeds[2]) == 2
    assert len(t.hands[3]) == 1
    assert len(t.fences[4]) == 2
    assert [seat for seat, _ in script.questions(q.Consolation)] == [4]


def test_the_locations_come_in_their_order():
    """DT-3.1 to DT-3.8: mine, Bank, Stagecoach, Store, Saloon, badge, Town Hall, Doc Badluck."""
    t = new_table(3)
    t.sheriff = 2
    row(t, 1, 2, 3)
    give(t, 2, claim(5))
    keep_all = {q.Keep: lambda seat, ask: (tuple(range(ask.dice)), ())}
    rolls = [{0: "99TTJ", 1: "QQKKA", 2: "9TQAA"}]
    run(t, one_round(t), rolls=rolls, answers=keep_all)
    places = ["mine", "bank", "coach", "draws", "robs", "badge", "hall", "row", "doc-wire"]
    assert [event.id for event in t.log if event.id in places] == places


def test_the_most_of_a_face_takes_the_location():
    """DT-3.0: the seat with the most nines, at least one, takes the mine."""
    t = new_table(3, ["9TJQK", "99TJQ", "TTTJQ"])
    script = run(t, mine(t))
    assert (t.nuggets, script.asked) == ([0, 2, 0], [])


def test_without_such_a_die_nobody_takes_it():
    """DT-3.0: with no nine on the table the mine is left alone."""
    t = new_table(2, ["TTTTT", "JJJJJ"])
    run(t, mine(t))
    assert t.mine == 30


def test_the_mine_gives_at_most_what_it_holds():
    """DT-3.1: one nugget per 9, at most what is left."""
    t = new_table(2, ["99999", "TTTTT"])
    t.mine = 3
    run(t, mine(t))
    assert (t.mine, t.nuggets[0]) == (0, 3)


def test_the_bank_is_robbed_before_the_coach_comes():
    """DT-3.2, DT-3.3: all dollars of the Bank are taken, then the Stagecoach fills it again."""
    t = new_table(2, ["TTTTT", "99999"])
    t.coach = 4
    run(t, bank(t))
    stagecoach(t)
    assert (t.dollars[0], t.bank, t.coach) == (11, 4, 0)


def test_robbing_an_empty_bank_obtains_nothing():
    """DT-3.9, worked case 4: most tens with an empty Bank leaves the way to the Doc open."""
    t = new_table(2, ["TTTTT", "99999"])
    t.bank = 0
    run(t, bank(t))
    assert not t.obtained[0]


def test_a_tie_for_an_empty_bank_is_void():
    """DT-3.0: nobody is asked about a tie for nothing."""
    t = new_table(2, ["TT999", "TT999"])
    t.bank = 0
    assert run(t, bank(t)).asked == []


def test_the_store_draws_as_many_as_jacks_and_keeps_one():
    """DT-3.4: the cards not kept go face down on the discards."""
    t = new_table(2, ["JJJ99", "99999"])
    top = t.deck[:3]
    answers = {q.Buy: lambda seat, ask: (top[1], None, None)}
    script = run(t, store(t), answers=answers)
    assert [d.cards for d in script.requests if isinstance(d, Deal)] == [top]
    assert t.hands[0] == [top[1]]
    assert t.discards == [top[0], top[2]]


def test_the_store_action_happens_twice_in_the_first_round():
    """DT-3.4: two complete actions in round one."""
    t = new_table(2, ["JJ999", "99999"])
    t.round = 1
    run(t, store(t))
    assert (len(t.hands[0]), len(t.discards)) == (2, 2)


def test_a_short_deck_is_made_anew_from_the_discards():
    """DT-3.4: draw what is there, shuffle the discards, draw the rest."""
    t = new_table(2, ["JJJ99", "99999"])
    t.discards, t.deck = t.deck[2:], t.deck[:2]
    script = run(t, store(t))
    (shuffled,) = [r for r in script.requests if isinstance(r, Shuffle)]
    assert len(shuffled.piles["store"]) == 17
    (ask,) = [ask for _, ask in script.questions(q.Buy)]
    assert len(ask.cards) == 3


def test_with_both_piles_short_the_store_gives_what_there_is():
    """DT-3.4, DT-3.0: one card for three Jacks; with none at all the action and a tie are void."""
    t = new_table(2, ["JJJ99", "99999"])
    give(t, 1, *t.deck[1:])
    run(t, store(t))
    assert len(t.hands[0]) == 1
    empty = new_table(2, ["JJ999", "JJ999"])
    give(empty, 1, *empty.deck)
    assert run(empty, store(empty)).asked == []


def test_the_saloon_takes_blind_from_a_mixed_hand():
    """DT-3.5: the victim's hand is mixed before the thief names places, one card per Queen."""
    t = new_table(2, ["QQ999", "99999"])
    give(t, 1, *(card("equipment", n) for n in range(3)), claim(5))
    answers = {q.Take: lambda seat, ask: 1, q.KeepLoot: lambda seat, ask: (ask.cards[1], None)}
    script = run(t, saloon(t), answers=answers)
    kinds = [type(r) for r in script.requests]
    assert kinds == [Choose, Mix, Choose, OpenRoll, Deal, Choose]
    assert (len(t.hands[1]), len(t.deeds[1]), len(t.deeds[0])) == (3, 0, 1)


def test_the_thief_says_how_many_of_each_back():
    """DT-3.5: any number of Store cards that the hand allows, the rest claims; nothing else."""
    for hand, counts in (((3, 1, 2), (1, 2)), ((1, 4, 3), (0, 1)), ((3, 0, 2), (2,))):
        ask = q.Take(1, *hand)
        view = View(0, new_table(2), Header("dice-town", {}, ("a", "b")), [])
        assert tuple(found(ask, view)) == counts
        assert ask.only_answer(view) == ((counts[0],) if len(counts) == 1 else None)
        for answer in (*{-1, 0, 1, 2, 3, 4}.difference(counts), None, (1,), True):
            with pytest.raises(Illegal) as caught:
                ask.check(answer)
            assert caught.value.rule == "DT-3.5"


def test_which_cards_a_thief_takes_is_drawn_after_the_mix():
    """DT-3.5: every choice of cards is as likely as any other, whatever order the victim made."""
    counts = Counter()
    for number in range(6):
        t = new_table(2, ["QQ999", "99999"])
        give(t, 1, *(card("equipment", n) for n in range(3)), claim(5))
        answers = {q.Take: lambda seat, ask: 2}
        script = run(t, saloon(t), answers=answers, opens=[(0, 0, 0, number)])
        (dealt,) = [r for r in script.requests if isinstance(r, Deal)]
        counts[frozenset(script.truth[one] for one in dealt.cards)] += 1
    equipment = [card("equipment", n) for n in range(3)]
    assert counts == {frozenset(pair): 2 for pair in combinations(equipment, 2)}


def test_the_largest_hand_can_be_robbed():
    """DT-3.5: five Queens draw five different cards of any hand; dice have 2**16 sides at most."""
    t = new_table(2, ["QQQQQ", "99999"])
    give(t, 1, *(one for one in t.deck if one != card("joe")), *t.claims)
    answers = {q.Take: lambda seat, ask: 3}
    script = run(t, saloon(t), answers=answers, opens=[(65535, 65535, 65535, 65535)])
    (dealt,) = [r for r in script.requests if isinstance(r, Deal)]
    faces = [script.truth[one] for one in dealt.cards]
    assert len(set(faces)) == 5
    assert sum(face in STORE_FACES for face in faces) == 3


def test_nothing_is_drawn_where_there_is_nothing_to_choose():
    """DT-3.5: all cards of one back and none of the other need no die."""
    t = new_table(2, ["Q9999", "99999"])
    give(t, 1, card("equipment"), claim(5))
    script = run(t, saloon(t), answers={q.Take: lambda seat, ask: 0})
    assert not [r for r in script.requests if isinstance(r, OpenRoll)]
    assert (len(t.hands[1]), len(t.deeds[0])) == (1, 1)


def test_a_small_hand_is_looked_at_whole():
    """DT-3.5: all of a hand no larger than the Queens is looked at, mixed; one card is kept."""
    t = new_table(2, ["QQQ99", "99999"])
    give(t, 1, card("equipment"), claim(2))
    script = run(t, saloon(t))
    assert Mix in [type(r) for r in script.requests]
    assert q.Take not in [type(ask) for _, ask in script.asked]
    assert (len(t.hands[0]), len(t.loot(1))) == (1, 1)
    assert script.truth[t.hands[0][0]] == card("equipment")


def test_nobody_else_can_tell_which_card_was_kept():
    """DT-3.5: a claim known from the row loses its public face when its hand is robbed."""
    t = new_table(3, ["QQ999", "99999", "99999"])
    give(t, 1, claim(1), claim(5))
    t.faces |= {claim(1): claim(1), claim(5): claim(5)}
    run(t, saloon(t))
    assert not any(kept in t.faces for kept in (*t.deeds[0], *t.deeds[1]))


def refutations(script):
    return [request for request in script.requests if isinstance(request, ClaimRefuted)]


@pytest.mark.parametrize("others", [(), ("brute",)])
def test_nervous_joe_in_a_robbed_hand_convicts_who_hid_him(others):
    """DT-6.8: a thief that finds Joe shows him; he is discarded, and it keeps another card."""
    t = new_table(2, ["QQQ99", "99999"])
    give(t, 1, card("joe"), *map(card, others))

    def denounce(seat, ask):
        joe = [one for one in ask.cards if script.kind(one) == "joe"]
        return tuple(joe) if joe else (ask.cards[0], None)

    script = Script(t, {q.KeepLoot: denounce})
    script.run(saloon(t))
    assert refutations(script) == [ClaimRefuted(1, "DT-6.8", last=False)]
    assert [script.kind(one) for one in t.hands[0]] == list(others)
    assert (t.hands[1], [script.kind(one) for one in t.discards]) == ([], ["joe"])
    assert t.obtained[0] == bool(others)


def test_a_thief_that_calls_another_card_nervous_joe_gets_nothing():
    """DT-6.8: it convicts itself, and the card stays in the robbed hand."""
    t = new_table(2, ["QQQ99", "99999"])
    give(t, 1, card("equipment"))
    denounce = {q.KeepLoot: lambda seat, ask: (ask.cards[0],)}
    script = run(t, saloon(t), answers=denounce)
    assert refutations(script) == [ClaimRefuted(0, "DT-6.8")]
    assert ([len(hand) for hand in t.hands], t.obtained[0]) == ([0, 1], False)


@pytest.mark.parametrize("kind", ["joe", "equipment"])
def test_nervous_joe_in_a_bribe_convicts_who_is_wrong(kind):
    """DT-6.8: a Sheriff that finds Joe in a bribe shows him; another card stays with it."""
    t = new_table(2)
    give(t, 0, card(kind))
    t.faces.clear()
    called = {q.Denounce: lambda seat, ask: ask.cards[0]}
    script = Script(t, called, truth={card(kind): card(kind)})
    script.run(move_cards(t, t.hands[0][:], 0, 1))
    false = ClaimRefuted(0, "DT-6.8", last=False) if kind == "joe" else ClaimRefuted(1, "DT-6.8")
    assert refutations(script) == [false]
    assert (t.hands[1], t.discards) == (([], [card(kind)]) if kind == "joe" else ([card(kind)], []))


def test_only_nervous_joe_is_called_so():
    """DT-6.8: a seat cannot call another card Joe, nor be silent of him."""
    t = new_table(2)
    view = View(0, t, Header("dice-town", {}, ("a", "b")), [])
    view.own = {7: card("joe"), 8: card("brute")}
    for ask, wrong in (
        (q.KeepLoot((8, 7)), ((8, None), (7, None), (8,))),
        (q.KeepLoot((8,)), ((8,),)),
        (q.Denounce((8, 7)), (None, 8)),
        (q.Denounce((8,)), (8,)),
    ):
        for answer in wrong:
            with pytest.raises(Illegal):
                ask.check_own(answer, view)
        ask.check_own(*ask.only_answer(view), view)


def test_an_honest_client_shows_nervous_joe_by_itself():
    """DT-6.8: the only answer of a seat that finds him is to show him."""
    t = new_table(2)
    view = View(0, t, Header("dice-town", {}, ("a", "b")), [])
    view.own = {7: card("joe"), 8: card("brute")}
    assert q.KeepLoot((8, 7)).only_answer(view) == ((7,),)
    assert q.Denounce((8, 7)).only_answer(view) == (7,)
    assert q.Denounce((8,)).only_answer(view) == (None,)


def test_fences_cannot_be_stolen_and_empty_hands_not_picked():
    """DT-3.5: a fenced claim is no part of a hand; with nobody to rob the action is void."""
    t = new_table(3, ["QQ999", "99999", "99999"])
    t.fences[1] = [t.claims.pop()]
    script = run(t, saloon(t))
    assert script.asked == []
    assert not t.obtained[0]


def test_a_tie_in_the_saloon_without_victims_is_void():
    """DT-3.0: a tie in which no tied seat has a victim is not put to the Sheriff."""
    t = new_table(2, ["QQ999", "QQ999"])
    assert run(t, saloon(t)).asked == []


def test_the_badge_goes_to_the_most_kings_and_decides_from_then_on():
    """DT-3.6, DT-4.1: a tie for the badge is the old Sheriff's, the next one the new one's."""
    t = new_table(3, ["KK9TJ", "KK9TJ", "99999"])
    t.sheriff = 2
    answers = {q.Decide: lambda seat, ask: 1 if ask.place == "badge" else ask.tied[0]}
    script = run(t, badge(t), answers=answers)
    assert t.sheriff == 1
    row(t, 1, 2, 3)
    t.dice = [dice("KK9TJ"), dice("KK9TJ"), dice("9TJQA")]
    later = run(t, town_hall(t))
    assert [seat for seat, _ in script.questions(q.Decide)] == [2]
    assert [seat for seat, _ in later.questions(q.Decide)] == [1]


def test_the_town_hall_gives_one_claim_and_one_more_for_each_ace():
    """DT-3.7: two aces in the winning hand take three claims; others' aces are worth nothing."""
    t = new_table(2, ["AAJJJ", "AA999"])
    row(t, 1, 2, 3)
    first = list(t.row)
    run(t, town_hall(t))
    assert t.deeds == [first, []]
    assert len(t.row) == 3


def test_recycled_claims_go_below_the_deck_in_slot_order():
    """DT-3.7: with ``recycle`` unclaimed cards go to the bottom and three new ones are turned."""
    t = new_table(2, ["JJJJ9", "99999"][::-1])
    row(t, 1, 2, 3)
    rest, top = t.row[1:], t.claims[:3]
    run(t, town_hall(t))
    assert t.claims[-2:] == rest
    assert t.row == top


def test_sliding_claims_move_to_the_low_slots():
    """DT-3.7: with ``slide`` unclaimed cards slide down and the free slots are filled."""
    t = new_table(2, ["99999", "JJJJ9"], claim_row="slide")
    row(t, 1, 2, 3)
    rest, top = t.row[1:], t.claims[0]
    run(t, town_hall(t))
    assert t.row == [*rest, top]


def test_hidden_claims_are_shown_when_the_row_is_refilled():
    """DT-3.7: a hidden claim turned into the row is shown to all; recycled ones are known."""
    t = new_table(2, ["99999", "JJJJ9"])
    row(t, 1, 2, 3)
    hidden = t.claims[0]
    script = Script(t, truth={hidden: t.faces.pop(hidden)})
    script.run(town_hall(t))
    assert [r.cards for r in script.requests if isinstance(r, Show)] == [[hidden]]
    assert hidden in t.faces


def test_who_obtained_nothing_may_visit_in_the_sheriffs_order():
    """DT-3.8: several visitors come in an order that the Sheriff chooses, each once."""
    t = new_table(3, ["KKKKK", "AAAAA", "99999"])
    t.sheriff, t.obtained, t.nuggets = 2, [False, False, True], [0, 0, 1]
    answers = {q.DocOrder: lambda seat, ask: (1, 0)}
    script = run(t, doc(t), answers=answers)
    assert [seat for seat, _ in script.questions(q.DocOrder)] == [2]
    assert [seat for seat, _ in script.questions(q.Consolation)] == [1, 0]


@pytest.mark.parametrize(
    ("hand", "claims", "store", "offers"),
    [
        ("99TTT", True, True, (NINE,)),
        ("99TTT", False, True, ()),
        ("JQJQJ", True, True, (JACK,)),
        ("JQJQJ", True, False, ()),
        ("KA9JQ", True, True, (NINE, JACK, KING, ACE)),
    ],
)
def test_a_consolation_needs_its_face(hand, claims, store, offers):
    """DT-3.8: wire for 9 or 10, a card for J or Q, dollars for K, nuggets for A, where possible."""
    assert consolations(dice(hand), claims, store) == offers


def test_the_consolations_do_what_they_say():
    """DT-3.8: $2 and one nugget of every other seat that has it; two claims laid face up."""
    t = new_table(3, ["KKKKK", "AAAAA", "99999"])
    t.dollars, t.nuggets = [0, 5, 1], [2, 0, 1]
    give(t, 2, claim(1), claim(2), claim(3))
    run(t, doc(t))
    assert t.dollars == [3, 3, 0]
    assert t.nuggets == [1, 2, 0]
    assert (len(t.fences[2]), len(t.deeds[2])) == (2, 1)


def test_claims_behind_the_wire_need_no_wire():
    """DT-3.8: a seat whose claims are all fenced cannot pick barbed wire."""
    for fenced, asked in ((True, []), (False, [0])):
        t = new_table(2, ["99TTT", "99999"])
        t.obtained = [False, True]
        (t.fences if fenced else t.deeds)[0].append(t.claims.pop())
        assert [seat for seat, _ in run(t, doc(t)).questions(q.Consolation)] == asked


def test_a_single_claim_is_fenced_alone():
    """DT-3.8: one claim is laid if the seat has only one; two are never left out."""
    ask = q.Consolation((NINE,), (claim(1),))
    ask.check((NINE, (claim(1),)))
    with pytest.raises(Illegal):
        ask.check((NINE, ()))


def test_the_doc_gives_the_top_store_card():
    """DT-3.8: for J or Q the top card, seen by the visitor alone."""
    t = new_table(2, ["JJJJJ", "99999"])
    top = t.deck[0]
    t.obtained = [False, True]
    script = run(t, doc(t))
    assert t.hands[0] == [top]
    assert [r.seat for r in script.requests if isinstance(r, Deal)] == [0]


def test_obtained_counts_whatever_was_lost_again():
    """DT-3.9, worked case 4: a card won and stolen in one round keeps its seat from the Doc."""
    for cards, visitors in ((19, []), (0, [0])):
        t = new_table(3, ["JJ9TA", "QQKKK", "99TTA"])
        row(t, 1, 2, 3)
        t.sheriff, t.nuggets[1] = 2, 1
        del t.deck[cards:]
        script = town(t)
        assert t.hands[0] == []
        asked = [seat for seat, _ in script.questions(q.Consolation)]
        assert [seat for seat in asked if seat == 0] == visitors
        assert len(script.questions(q.Rob)) == (1 if cards else 0)


def test_the_sheriff_decides_a_tie_in_its_own_favour():
    """DT-4.1: the Sheriff may pick itself."""
    t = new_table(2, ["99TJQ", "99TJQ"])
    t.sheriff = 1
    script = run(t, mine(t), answers={q.Decide: lambda seat, ask: 1})
    assert t.nuggets == [0, 2]
    assert [seat for seat, _ in script.questions(q.SheriffOffer)] == [0]


def test_only_the_offer_of_the_seat_picked_changes_hands():
    """DT-4.2: all tied seats but the Sheriff offer at once; one offer is paid, cards included."""
    t = new_table(3, ["99TJQ", "99TJQ", "TTTTT"])
    t.sheriff = 2
    t.nuggets = [2, 0, 0]
    bribe = card("equipment", 5)
    give(t, 0, bribe)
    offers = {0: (3, 1, (bribe,)), 1: (5, 0, ())}
    answers = {q.SheriffOffer: lambda seat, ask: offers[seat], q.Decide: lambda seat, ask: 0}
    script = run(t, mine(t), answers=answers)
    assert (t.dollars, t.nuggets) == ([5, 8, 11], [3, 0, 1])
    assert t.hands == [[], [], [bribe]]
    assert t.obtained == [True, False, True]
    assert {seat for seat, _ in script.questions(q.SheriffOffer)} == {0, 1}


def test_an_empty_bribe_is_nothing_obtained():
    """DT-3.9: a Sheriff obtains by a bribe only what is at least a dollar, a nugget or a card."""
    for offer, obtained in (((0, 0, ()), False), ((1, 0, ()), True)):
        t = new_table(3, ["99TJQ", "99TJQ", "TTTTT"])
        t.sheriff = 2
        run(t, mine(t), answers={q.SheriffOffer: lambda seat, ask, offer=offer: offer})
        assert t.obtained == [True, False, obtained]


def test_cards_are_offered_from_a_hand_just_mixed():
    """DT-4.2: cards offered are backs alone, even of claims that all saw being taken."""
    t = new_table(4, ["99TJQ", "99TJQ", "99TJQ", "TTTTT"])
    t.sheriff = 2
    give(t, 0, claim(1), claim(5), card("equipment"))
    give(t, 1, claim(2))
    give(t, 2, claim(3), claim(4))
    seen = set(t.deeds[0])
    script = run(t, mine(t), answers={q.SheriffOffer: lambda seat, ask: (0, 0, ask.cards[-1:])})
    assert [(r.seat, set(r.piles)) for r in script.requests if isinstance(r, Mix)] == [
        (0, {"store", "claims"})
    ]
    offers = dict(script.questions(q.SheriffOffer))
    assert [len(offers[seat].cards) for seat in (0, 1)] == [3, 1]
    assert not seen & set(offers[0].cards)
    assert not any(one in t.faces for one in offers[0].cards)
    (bribe,) = [r for r in script.requests if isinstance(r, Deal)]
    assert (bribe.seat, [script.truth[one] for one in bribe.cards]) == (2, [claim(5)])


def test_a_hidden_card_offered_is_learned_by_the_sheriff_alone():
    """DT-4.2: cards are offered as backs; the Sheriff who takes them sees their faces."""
    t = new_table(2, ["99TJQ", "99TJQ"])
    t.sheriff = 1
    bribe = card("equipment")
    give(t, 0, bribe)
    del t.faces[bribe]
    answers = {q.SheriffOffer: lambda seat, ask: (0, 0, (bribe,)), q.Decide: lambda seat, ask: 0}
    script = run(t, mine(t), answers=answers)
    assert [(r.seat, r.cards) for r in script.requests if isinstance(r, Deal)] == [(1, [bribe])]


def test_nobody_offers_what_it_does_not_hold():
    """DT-4.2: an offer beyond one's dollars, nuggets or cards is refused."""
    ask = q.SheriffOffer("mine", (0, 1), dollars=2, nuggets=0, cards=(7,))
    ask.check((2, 0, (7,)))
    for answer in ((3, 0, ()), (0, 1, ()), (0, 0, (8,)), (-1, 0, ()), (0, 0, (7, 7))):
        with pytest.raises(Illegal) as caught:
            ask.check(answer)
        assert caught.value.rule == "DT-4.2"


def test_dynamite_doubles_the_nuggets():
    """DT-6.3: Dynamite doubles the nuggets, at most what the mine holds."""
    for held, taken in ((30, 4), (4, 4), (3, 3)):
        t = new_table(2, ["99TJQ", "TTTTT"])
        give(t, 0, card("dynamite"))
        t.mine = held
        run(t, mine(t), answers=plays(dynamite=0))
        assert (t.nuggets[0], t.mine) == (taken, held - taken)
