"""Rounds: set-up, flips, steps, the phases after five turns, bounties, cowbots, the end."""

from __future__ import annotations

import pytest

from lanplay.engine.requests import Choose, Deal, OpenRoll, Round, Show, Shuffle
from lanplay.games.fliptown import GAME, bounties, phases, rules
from lanplay.games.fliptown import questions as q
from lanplay.games.fliptown.asks import NO
from lanplay.games.fliptown.cowbot import rival_score
from lanplay.games.fliptown.deck import draw
from lanplay.games.fliptown.ending import challenges, ending, title, winners
from lanplay.games.fliptown.map import ALL_CIRCLED, ITEMS, MINE, TOWN, TRAIL
from lanplay.games.fliptown.setup import setup
from tests.fliptown.script import at, card, cards, new_table, run, sheet, stack

OFFICE = ("site", "town J")


def circle(s, *names):
    for name in names:
        region, place = divmod(at(name), 16)
        s.circled[region] |= 1 << place


def own(s, *names):
    for name in names:
        s.items |= 1 << ITEMS.index(name)


# --- set-up and course ----------------------------------------------------------------------------


def test_three_bounties_for_several_seats_none_for_one():
    """FT-1.2: three different ones of the twelve are drawn; one seat plays without."""
    for number in (0, 1, 500, 1319):
        t = GAME.table(2, {})
        script = run(t, setup(t), opens=[number])
        assert [each.sides for each in script.of(OpenRoll)] == [12 * 11 * 10]
        assert len(set(t.bounties)) == 3
        assert set(t.bounties) <= set(range(12))
    t = GAME.table(1, {})
    assert run(t, setup(t)).requests == []
    assert t.bounties == ()


def test_every_draw_of_bounties_is_another():
    """FT-9.7: the 1,320 ways are all there."""
    found = set()
    for number in range(1320):
        t = GAME.table(2, {})
        run(t, setup(t), opens=[number])
        found.add(t.bounties)
    assert len(found) == 1320


def test_characters_are_drawn_at_random_and_none_twice():
    """FT-9.2: by the table option; the start of each replaces the money."""
    t = GAME.table(4, {"characters": "random"})
    run(t, setup(t), opens=[0, 14 * 13 * 12 * 11 - 1])
    characters = [s.character for s in t.sheets]
    assert len(set(characters)) == 4
    assert all(s.uses for s in t.sheets)


def test_one_card_sets_up_a_solo_game():
    """FT-9.5, FT-9.9: suit for the cowbot, rank for the character; two seats have none."""
    t = GAME.table(1, {"cowbot": "card"})
    script = run(t, setup(t), opens=[card("Qd")])
    assert [each.sides for each in script.of(OpenRoll)] == [52]
    assert (t.cowbot, t.sheets[0].character) == (2, 11)
    assert t.sheets[0].cash == 7
    t = GAME.table(2, {"cowbot": "card"})
    run(t, setup(t))
    assert (t.cowbot, t.sheets[0].character) == (-1, -1)


def test_a_game_is_three_rounds_of_five_turns():
    """FT-1.1, FT-2.1: each begins with all 52 cards shuffled and one of them set aside unseen."""
    t = GAME.table(1, {})
    script = run(t, rules.rules(t))
    assert [each.number for each in script.of(Round)] == [1, 2, 3]
    assert [len(each.piles["deck"]) for each in script.of(Shuffle)] == [52] * 3
    assert [len(each.cards) for each in script.of(Show)] == ([3] * 5 + [1]) * 3
    assert len(script.questions(q.Move)) == 15
    assert t.sheets[0].ranks


def test_all_seats_plan_at_once_and_nobody_sees_another():
    """FT-2.2: one choice of all seats, in which each has its own sheet alone."""
    t = new_table(3)
    script = run(t, rules.one_turn(t))
    assert [list(each.questions) for each in script.of(Choose)] == [[0, 1, 2]]
    assert [len(s.poker) for s in t.sheets] == [1, 1, 1]


def test_robbery_cards_are_flipped_in_seat_order_and_a_step_follows():
    """FT-2.7, FT-5: each robbing seat has its own card; who has more to choose goes on."""
    t = new_table(3)
    stack(t, "2s 5h 9d Kc Ah")
    circle(t.sheets[2], "badlands 6", "badlands 7")
    turns = {0: [], 1: [("site", "badlands 5")], 2: [("site", "badlands 5"), ("bonus", "mine 1a")]}
    script = run(t, rules.one_turn(t), turns=turns)
    assert [each.cards for each in script.of(Show)] == [
        list(cards(c)) for c in ("2s 5h 9d", "Kc Ah")
    ]
    assert [list(each.questions) for each in script.of(Choose)] == [[0, 1, 2], [2]]
    assert [(s.stars, s.cash) for s in t.sheets] == [(0, 4), (4, 5), (2, 4)]
    assert t.sheets[2].circled[MINE]
    assert set(t.discards) == set(cards("2s 5h 9d Kc Ah"))


def test_only_who_looks_learns_the_sheriff_card():
    """FT-6.2: several seats may look in one step; each is dealt the card, nobody is shown it."""
    t = new_table(3)
    t.sheriff = t.deck.pop()
    stack(t, "2c Jh 9d")
    looking = [OFFICE, ("next", 16 + 11), ("look", 1), ("office", 0), ("bonus", NO)]
    script = run(t, rules.one_turn(t), turns={0: [*looking], 2: [*looking]})
    assert [(each.cards, each.seat) for each in script.of(Deal)] == [
        ([t.sheriff], 0),
        ([t.sheriff], 2),
    ]
    assert [list(each.questions) for each in script.of(Choose)] == [[0, 1, 2], [0, 2]]
    assert [s.stars for s in t.sheets] == [1, 0, 1]


def test_a_deck_that_runs_out_is_made_anew_of_the_discards():
    """FT-2.8: what is left is drawn first; the cards on the table stay."""
    t = new_table(1)
    t.discards, t.deck = t.deck[3:], t.deck[:3]
    script = run(t, draw(t, 5))
    assert script.result[:3] == [0, 1, 2]
    assert (len(t.deck), t.discards) == (47, [])
    assert script.of(Shuffle)[0].at == (1, "anew", 1)


@pytest.mark.parametrize(
    ("flipped", "bets", "stars"),
    [
        ("2h 3d 4h", ("red-bet",), 2),
        ("2h 3d 4h", ("black-bet",), 0),
        ("2s 3c 4s", ("black-bet", "red-bet"), 2),
        ("2h 3c 4h", ("black-bet", "red-bet"), 0),
    ],
)
def test_the_bank_pays_for_three_cards_of_a_colour(flipped, bets, stars):
    """FT-6 (2), FT-2.6: 1, 2, 3 stars in rounds 1, 2, 3, before anything is changed."""
    t = new_table(1, round=2)
    own(t.sheets[0], *bets)
    stack(t, flipped)
    run(t, rules.one_turn(t))
    assert t.sheets[0].stars == stars


def test_each_flipped_card_of_a_hunted_rank_pays():
    """FT-6 (10), FT-2.6: two jacks pay twice; nothing for what is not hunted."""
    t = new_table(1)
    own(t.sheets[0], "hunt-jack")
    stack(t, "Jh Jd Qc")
    run(t, rules.one_turn(t), turns={0: [("bail", 0), ("bail", 1)]})
    assert (t.sheets[0].cash, t.sheets[0].gold) == (8, 4)


def test_what_is_bought_at_the_bank_pays_from_the_next_turn_on():
    """FT-6 (2, 10): the cards of the same turn do not count."""
    t = new_table(1)
    stack(t, "2c 2s 4s 5c 6s 7c")
    bet = ITEMS.index("black-bet")
    run(t, rules.one_turn(t), turns={0: [("site", "town 2"), ("buy", bet)]})
    assert t.sheets[0].stars == 1
    run(t, rules.one_turn(t))
    assert t.sheets[0].stars == 2


def test_the_mayor_replaces_the_cards_for_all():
    """FT-9.2, FT-2.6: at once after the flip, before the Bank pays; once."""
    t = new_table(2, characters=("mayor",))
    own(t.sheets[1], "red-bet")
    stack(t, "2c 3h 4d 5h 6h 7d 8s")
    script = run(t, rules.one_turn(t), answers={q.Replace: 1})
    assert script.questions(q.Move)[0][1].turn.flipped == cards("5h 6h 7d")
    assert t.sheets[1].stars == 1
    assert len(t.discards) == 6
    assert run(t, rules.one_turn(t)).questions(q.Replace) == []


# --- the phases after five turns ------------------------------------------------------------------


def hands(t, *texts):
    for s, text in zip(t.sheets, texts, strict=True):
        s.poker = cards(text)


def test_poker_pays_whatever_the_others_hold():
    """FT-3.1: two pair and a pair of queens both pay."""
    t = new_table(2)
    hands(t, "Qh Qs 8d 8c 3h", "Qd Qc 2h 5s 9d")
    run(t, phases.poker(t))
    assert [(s.cash, s.stars, s.ranks) for s in t.sheets] == [(7, 2, (2,)), (6, 1, (1,))]


def test_hold_em_cards_are_dealt_to_their_seat_and_shown_at_the_end():
    """FT-9.3: after the sheriff card, two each; then they are discarded."""
    t = new_table(2, holdem="each")
    script = run(t, rules.one_round(t))
    deals = script.of(Deal)
    assert [(each.seat, len(each.cards)) for each in deals] == [(0, 2), (1, 2)]
    shown = [card for each in script.of(Show)[:5] for card in each.cards]
    assert not {*deals[0].cards, *deals[1].cards} & set(shown)
    assert script.of(Show)[5].cards == [*deals[0].cards, *deals[1].cards]
    assert len(t.deck) == 52


@pytest.mark.parametrize(
    ("first", "second", "gains"),
    [
        ("Qh Qs 8d 8c 3h", "Qd Qc 2h 5s 9d", [(3, 2), (0, 0)]),
        ("6h 6s Ad 2c 3h", "Kh Ks Qd 2s 3d", [(2, 1), (0, 0)]),
        ("6h 6s Ad 2c 3h", "6d 6c As 2s 3d", [(1, 0), (1, 0)]),
        ("2h 4s 6d 8c Th", "2s 4d 6c 8h 9s", [(0, 0), (0, 0)]),
    ],
)
def test_only_the_best_hand_of_the_table_pays(first, second, gains):
    """FT-9.3, FT-9.10: by the sub-option; perfect ties split, rounded down."""
    t = new_table(2, holdem="best")
    hands(t, first, second)
    run(t, phases.poker(t))
    assert [(s.cash - 4, s.stars) for s in t.sheets] == gains


def test_the_cheat_makes_a_pair_of_nothing_once():
    """FT-9.2 (2), FT-9.8: if it likes; not asked where nothing would be better."""
    t = new_table(1, characters=("cheat",))
    hands(t, "2h 5s 9d Jc Kh")
    run(t, phases.poker(t), answers={q.Cheat: 1})
    assert (t.sheets[0].cash, t.sheets[0].uses) == (9, 0)
    t = new_table(1, characters=("cheat",))
    hands(t, "Ts Js Qs Ks As")
    assert run(t, phases.poker(t)).asked == []


def test_pans_and_hammers_work():
    """FT-3.2: 1 pan and 3 hammers bring 1 gold and $6."""
    t = new_table(1)
    t.sheets[0].pans, t.sheets[0].hammers = 1, 3
    phases.pan_and_work(t)
    assert (t.sheets[0].gold, t.sheets[0].cash) == (3, 10)


def arrest(t, sheriff, answers=(), **values):
    """Let the sheriff come; ``values`` are fields of seat 0."""
    for name, each in values.items():
        setattr(t.sheets[0], name, each)
    t.sheriff = card(sheriff)
    t.deck = [each for each in t.deck if each != t.sheriff]
    script = run(t, phases.sheriff(t), answers=dict(answers))
    assert t.sheriff is None
    assert card(sheriff) in t.discards
    return script


@pytest.mark.parametrize(
    ("sheriff", "wanted", "arrested"),
    [
        ("6h", 8, 1),
        ("8h", 8, 0),
        ("Ah", 1, 0),
        ("Ah", 2, 1),
        ("Jh", 11, 0),
        ("Qh", 13, 1),
        ("Kh", 13, 0),
    ],
)
def test_the_sheriff_card_against_wanted(sheriff, wanted, arrested):
    """FT-3.3, FT-1.4: as high is safe; A 1, J 11, Q 12, K 13. 8 WANTED against a 6: arrested."""
    t = new_table(1)
    arrest(t, sheriff, wanted=wanted, gold=0)
    assert t.sheets[0].arrests == arrested
    assert t.sheets[0].wanted == wanted


@pytest.mark.parametrize(("round_", "cash", "stars"), [(1, 10, 4), (2, 14, 6), (3, 18, 8)])
def test_the_fine_of_each_round(round_, cash, stars):
    """FT-3.3: in cash or in stars, as the seat chooses if it has both."""
    for answer, left in ((0, (20 - cash, 9)), (1, (20, 9 - stars))):
        t = new_table(1, round=round_)
        script = arrest(t, "Ah", {q.Fine: answer}, wanted=5, gold=0, cash=20, stars=9)
        assert len(script.questions(q.Fine)) == 1
        assert (t.sheets[0].cash, t.sheets[0].stars) == left


@pytest.mark.parametrize(
    ("values", "left"),
    [
        ({"wanted": 5, "cash": 9, "stars": 9}, (9, 5)),
        ({"wanted": 14, "cash": 50, "stars": 9}, (50, 5)),
        ({"wanted": 14, "cash": 50, "stars": 3}, (50, 0)),
        ({"wanted": 5, "cash": 9, "stars": 3}, (9, 0)),
        ({"wanted": 5, "cash": 10, "stars": 3}, (0, 3)),
    ],
)
def test_fines_without_a_choice(values, left):
    """FT-3.3: no cash, 14 WANTED, too few stars."""
    t = new_table(1)
    script = arrest(t, "Ah", gold=0, **values)
    assert script.asked == []
    assert (t.sheets[0].cash, t.sheets[0].stars) == left


def test_a_bribe_costs_a_gold_per_wanted_and_is_safe():
    """FT-3.3, FT-3.4: all who can pay in full decide at once, before the card is turned."""
    t = new_table(3)
    for s, wanted, gold in zip(t.sheets, (5, 3, 0), (6, 2, 9), strict=True):
        s.wanted, s.gold, s.stars = wanted, gold, 9
    script = arrest(t, "2h", {q.Bribe: 1})
    assert [seat for seat, _ in script.questions(q.Bribe)] == [0]
    assert isinstance(script.requests[0], Choose)
    assert [(s.gold, s.stars, s.wanted) for s in t.sheets] == [(1, 9, 5), (2, 5, 3), (9, 9, 0)]


def test_the_preacher_crosses_out_before_the_bribes():
    """FT-9.2 (7), FT-9.8: up to 6, once; none keeps the ability."""
    t = new_table(1, characters=("preacher",))
    script = arrest(t, "Ah", {q.Preach: 6, q.Bribe: 1}, wanted=8, gold=2)
    assert [type(each) for _, each in script.asked] == [q.Preach, q.Bribe]
    assert (t.sheets[0].wanted, t.sheets[0].gold, t.sheets[0].uses) == (2, 0, 0)
    t = new_table(1, characters=("preacher",))
    arrest(t, "Kh", {q.Preach: 0}, wanted=8)
    assert t.sheets[0].uses == 1


def test_the_marshal_draws_an_own_card_when_arrested():
    """FT-9.2 (6), FT-9.8, FT-3.4: after the turn of the card, for that seat alone."""
    for own_card, arrests in (("5d", 0), ("4d", 1)):
        t = new_table(2, characters=("marshal",))
        stack(t, own_card)
        t.sheets[1].wanted, t.sheets[1].gold = 5, 0
        arrest(t, "2h", {q.Redraw: 1}, wanted=5, gold=0)
        assert [s.arrests for s in t.sheets] == [arrests, 1]
        assert card(own_card) in t.discards
    t = new_table(1, characters=("marshal",))
    assert arrest(t, "9h", wanted=5, gold=0).questions(q.Redraw) == []


# --- bounties -------------------------------------------------------------------------------------


def met(number, s):
    return bounties.MET[number - 1](s)


BOUNTIES = {
    1: [f"{r} {p}" for r in ("trail", "badlands", "town") for p in "2345"]
    + [f"mine {room}" for room in ("1a", "1b", "2a", "2b")],
    2: ["trail 3", "trail 6", "trail 9", "trail Q"],
    4: ["town 2", "town 3", "town 6", "town T", "town Q"],
    6: ["badlands 2", "badlands 7", "badlands 8", "badlands K"],
    7: [f"cemetery {stone}" for stone in ("TL", "TC", "TR", "BL", "BR")],
}


@pytest.mark.parametrize("number", BOUNTIES)
def test_bounties_for_sites(number):
    """FT-9.1: 1, 2, 4, 6 and 7 need every one of these sites."""
    s = sheet(circled=BOUNTIES[number])
    assert met(number, s)
    for name in BOUNTIES[number]:
        region, place = divmod(at(name), 16)
        less = s.copy()
        less.circled[region] &= ~(1 << place)
        assert not met(number, less), name


def test_bounties_for_tools_gold_and_outlaws():
    """FT-9.1: 3 five pans and hammers, 5 nine gold of the Mine, 8 Trail K or two outlaws."""
    assert met(3, sheet(pans=4, hammers=1))
    assert not met(3, sheet(pans=4))
    assert met(5, sheet(mined=9))
    assert not met(5, sheet(mined=8))
    assert met(8, sheet(circled=["trail K"]))
    s = sheet(circled=["trail Q"])
    own(s, "hunt-jack")
    assert not met(8, s)
    own(s, "hunt-king")
    assert met(8, s)


def test_bounties_for_what_is_owned_and_bonus_actions():
    """FT-9.1, FT-9.7: 10 four of seven, 12 a bonus action of each region."""
    s = sheet(pans=1, hammers=3)
    own(s, "bandana", "work-horse", "rifle", "shovel")
    assert not met(10, s)
    for name in ("trail-horse", "undertaker", "pickaxe", "pistol"):
        more = s.copy()
        own(more, name)
        assert met(10, more), name
    assert met(12, sheet(bonuses=31))
    assert not met(12, sheet(bonuses=30))


@pytest.mark.parametrize(
    ("number", "kind", "enough"), [(9, "wanted", 9), (11, "cash", 30), (11, "gold", 15)]
)
def test_bounties_for_sums_held_for_a_moment(number, kind, enough):
    """FT-9.1: checked after every gain, whatever is spent then."""
    s = sheet(cash=0, gold=0)
    s.gain(kind, enough - 1)
    assert not met(number, s)
    s.gain(kind, 1)
    setattr(s, kind, 0)
    assert met(number, s)


def test_seven_for_the_first_in_the_same_turn_four_for_later_ones():
    """FT-9.1, FT-9.7: once per seat."""
    t = new_table(3)
    t.bounties = (2, 4, 0)
    t.sheets[0].pans = t.sheets[2].pans = 4
    t.sheets[0].hammers = t.sheets[2].hammers = 1
    bounties.settle(t)
    assert [s.stars for s in t.sheets] == [7, 0, 7]
    t.sheets[1].pans, t.sheets[1].hammers = 4, 2
    bounties.settle(t)
    bounties.settle(t)
    assert [s.stars for s in t.sheets] == [7, 4, 7]


def test_each_phase_after_the_turns_is_a_turn_of_its_own():
    """FT-9.1: $30 by poker in phase 4 comes before $30 by work in phase 5."""
    t = new_table(2)
    t.bounties = (10, 3, 4)
    t.sheets[0].cash, t.sheets[1].cash, t.sheets[1].hammers = 25, 25, 4
    circle(t.sheets[0], "trail K")
    stack(t, "2h 2c 3d Ts 4c 5c Js 6c 7d Qs 8c 9h Ks Tc Jd As")
    turns = {1: [("suit-card", 2), ("value-card", 0)] * 5}
    run(t, rules.one_round(t), turns=turns)
    assert t.sheets[0].ranks == (9,)
    assert t.sheets[1].ranks == (0,)
    assert [s.stars for s in t.sheets] == [9 + 7, 4]


# --- cowbots --------------------------------------------------------------------------------------


def duel(cowbot, flipped, picks, **values):
    t = new_table(1, cowbot=cowbot)
    t.cowbot = {"jane": 0, "kid": 1, "bart": 2, "earp": 3}[cowbot]
    stack(t, flipped)
    for name, each in values.items():
        setattr(t.sheets[0], name, each)
    run(t, rules.one_turn(t), turns={0: picks})
    return len(t.stolen)


@pytest.mark.parametrize(
    ("cowbot", "flipped", "site", "stolen"),
    [
        ("bart", "2d 3h 4c", "mine 1a", 1),
        ("bart", "2c 3h 4s", "town 3", 0),
        ("bart", "2c 3h 4d", "town 3", 0),
        ("earp", "2c 5h 4d", "town 5", 1),
        ("earp", "2c 3h 4d", "town 3", 0),
        ("earp", "2h 6s 4d", "trail 6", 0),
        ("jane", "2h Ac 4d", "trail A", 1),
        ("jane", "2c 3s 4d", "town 3", 0),
        ("jane", "2h 5c 4d", "trail 5", 0),
        ("kid", "2s 5c 4d", "cemetery TL", 1),
        ("kid", "2h 5c 4d", "cemetery TL", 0),
        ("kid", "2s 5c 4d", "none", 0),
    ],
)
def test_what_calls_each_cowbot(cowbot, flipped, site, stolen):
    """FT-9.4: gold, a bonus action, a star, a WANTED, with its suit among the flipped cards."""
    picks = [] if site == "none" else [("site", site)]
    assert duel(cowbot, flipped, picks) == stolen


def test_the_suit_the_card_was_changed_to_counts():
    """FT-9.6: it can call the cowbot, or keep it away."""
    assert duel("bart", "2h 3h 4c", [("suit", 2), ("site", "mine 1a")]) == 1
    assert duel("kid", "2s 5c 4d", [("suit", 0), ("site", "cemetery TL")]) == 0


def test_bank_and_bail_bonds_call_too_and_only_once_a_turn():
    """FT-9.6, FT-9.4: gold at the start and in the Mine, one card stolen."""
    own_hunt = 1 << ITEMS.index("hunt-jack")
    picks = [("bail", 1), ("site", "mine 1a")]
    assert duel("bart", "2d 3h Jc", picks[:1], items=own_hunt) == 1
    assert duel("bart", "2d 3h Jc", picks, items=own_hunt) == 1


def test_stolen_cards_are_unseen_and_gone_for_good():
    """FT-9.4, FT-2.1: later rounds are shuffled without them."""
    t = new_table(1, cowbot="kid")
    t.cowbot = 1
    stone = [("site", f"cemetery {each}") for each in ("TL", "TC", "TR", "BL", "BR")]
    script = run(t, rules.one_round(t), turns={0: stone})
    stolen = len(t.stolen)
    assert stolen
    assert not {*t.stolen} & {each for one in script.of(Show) for each in one.cards}
    assert len(t.deck) == 52 - stolen
    t.round = 2
    again = run(t, rules.one_round(t))
    assert len(again.of(Shuffle)[0].piles["deck"]) == 52 - stolen


ROWS = {
    "bart": (14, 13, 12, 13),
    "earp": (13, 14, 13, 12),
    "jane": (13, 12, 13, 14),
    "kid": (12, 13, 14, 13),
}


@pytest.mark.parametrize("cowbot", ROWS)
@pytest.mark.parametrize(("level", "rows"), [("easy", 2), ("normal", 3), ("hard", 4)])
def test_the_score_of_each_cowbot_at_each_level(cowbot, level, rows):
    """FT-9.4: coefficients 4, 3, 2, 1 per uncircled site, points per card, 5 for each extra."""
    for character, holdem, extra in (
        (None, "none", 0),
        ("miner", "none", 5),
        ("miner", "each", 10),
    ):
        t = new_table(1, characters=(character,), cowbot=cowbot, level=level, holdem=holdem)
        t.cowbot = {"jane": 0, "kid": 1, "bart": 2, "earp": 3}[cowbot]
        t.stolen = [1, 2, 3, 4]
        empty = sum(f * n for f, n in list(zip((4, 3, 2, 1), ROWS[cowbot], strict=True))[:rows])
        assert rival_score(t) == empty + 4 * (rows - 1) + extra
    best = {"bart": MINE, "earp": TOWN, "jane": TRAIL, "kid": 1}[cowbot]
    t.sheets[0].circled[best] = ALL_CIRCLED[best]
    assert rival_score(t) == empty + 4 * (rows - 1) + extra - 4 * ROWS[cowbot][0]


def test_a_cowbot_is_beaten_only_by_more_points():
    """FT-9.4, FT-10.4: as many are not enough, and then nobody has won."""
    t = new_table(1, cowbot="kid", level="easy")
    t.cowbot = 1
    for points, won in ((87, ()), (88, (0,))):
        t.sheets[0].cash = t.sheets[0].gold = 0
        t.sheets[0].stars = points
        ending(t)
        assert t.rival == 87
        assert winners(t) == won
        assert GAME.result(t).winners == won


# --- the end --------------------------------------------------------------------------------------


def test_what_counts_at_the_end():
    """FT-10.1: $/4 and gold/2 rounded down, stars, silver stars of Mine and Hotel."""
    t = new_table(2)
    s = t.sheets[0]
    s.cash, s.gold, s.stars, s.hotel = 11, 5, 20, 2
    circle(s, "mine 4d", "trail 2", "trail 5")
    ending(t)
    assert t.scores == [2 + 2 + 20 + 7 + 2, 1 + 1]


@pytest.mark.parametrize(
    ("first", "second", "won"),
    [
        ({"stars": 5}, {"stars": 4}, (0,)),
        ({"wanted": 1}, {"wanted": 2}, (0,)),
        ({"gold": 2}, {"gold": 3}, (1,)),
        ({"cash": 5}, {"cash": 6}, (1,)),
        ({}, {}, (0, 1)),
    ],
)
def test_ties_go_to_fewer_wanted_then_gold_then_cash(first, second, won):
    """FT-10.1: and then the win is shared."""
    t = new_table(2)
    for s, values in zip(t.sheets, (first, second), strict=True):
        for name, each in values.items():
            setattr(s, name, each)
    ending(t)
    assert winners(t) == won


@pytest.mark.parametrize(
    ("score", "wanted", "words"),
    [
        (49, 0, (0, 0)),
        (50, 3, (1, 0)),
        (59, 4, (1, 1)),
        (60, 7, (2, 2)),
        (70, 10, (3, 3)),
        (80, 14, (4, 4)),
        (79, 13, (3, 3)),
    ],
)
def test_titles(score, wanted, words):
    """FT-10.2: bounds of score and WANTED; 5 higher with a character or hold 'em, 10 with both."""
    for options, more in (({}, 0), ({"holdem": "each"}, 5)):
        for character, extra in ((None, 0), ("miner", 5)):
            t = new_table(1, characters=(character,), **options)
            t.scores = [score + more + extra]
            t.sheets[0].wanted = wanted
            assert title(t, 0) == words


def done(**values):
    """Return a finished solo game."""
    t = new_table(1, round=3)
    s = t.sheets[0]
    s.ranks, s.ever_wanted, s.wanted, s.arrests = (0, 0, 0), 1, 6, 1
    t.scores = [values.pop("score", 10)]
    for name, each in values.items():
        setattr(s, name, each)
    return t


CHALLENGES = {
    2: {"pans": 4, "hammers": 3},
    3: {"wanted": 0},
    9: {"ranks": (0, 7, 0)},
    10: {"ever_wanted": 0},
    11: {"cash": 30, "gold": 15},
    12: {"ranks": (2, 3, 2)},
    13: {"wanted": 5, "arrests": 0},
    17: {"wanted": 20},
    18: {"hotel": 4, "circled": [0, 4, 1 << 13, 0, 16]},
    20: {"score": 80},
}


@pytest.mark.parametrize("number", CHALLENGES)
def test_challenges_by_counters(number):
    """FT-10.3: 2, 3, 9 to 13, 17, 18 and 20."""
    assert number not in challenges(done())
    assert number in challenges(done(**CHALLENGES[number]))


SITES = {
    4: ["mine 1a", "mine 1b", "mine 2a", "mine 2b", "mine 2c", "mine 3a", "mine 3b", "mine 3c"],
    5: ["trail A", "trail 3", "trail 4", "trail 7", "trail T", "trail K"],
    6: ["town 2", "town 3", "town 6", "town T", "town Q"],
    7: ["badlands 2", "badlands 5", "badlands T", "badlands J"],
    8: [f"cemetery {stone}" for stone in ("TL", "TC", "TR", "ML", "MR", "BL", "BC", "BR")],
}


@pytest.mark.parametrize("number", SITES)
def test_challenges_by_sites(number):
    """FT-10.3: 4 to 8; a whole region is challenge 19 as well."""
    t = done()
    circle(t.sheets[0], *SITES[number][1:])
    assert number not in challenges(t)
    circle(t.sheets[0], SITES[number][0])
    assert number in challenges(t)
    assert (19 in challenges(t)) == (number == 8)


def test_the_challenge_of_six_sites_everywhere():
    """FT-10.3: 1, in all five regions."""
    t = done(circled=[0b1111110, 0b11111100, 0b111111, 0b1111110, 0b11111])
    assert 1 not in challenges(t)
    t.sheets[0].circled[4] |= 1 << 8
    assert 1 in challenges(t)


def test_challenges_against_cowbots():
    """FT-10.3: 14 beaten on easy, 15 on hard, 16 one stolen card at most."""
    for level, number in (("easy", 14), ("hard", 15)):
        t = new_table(1, round=3, cowbot="kid", level=level)
        t.sheets[0].ranks = (0, 0, 0)
        t.cowbot, t.stolen, t.scores = 1, [1], [100]
        for t.rival, won in ((100, False), (99, True)):
            assert (number in challenges(t)) is won
        assert 16 in challenges(t)
        t.stolen = [1, 2]
        assert 16 not in challenges(t)
