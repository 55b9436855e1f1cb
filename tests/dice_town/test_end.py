"""The end of the game, and whole games."""

from __future__ import annotations

from collections import Counter
from itertools import chain, product

import pytest

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.record import Header, Record
from lanplay.engine.replay import Replay
from lanplay.engine.requests import Choose, ClaimRefuted, Mix, OpenRoll, Roll, Round, Shuffle
from lanplay.engine.simulation import Simulation
from lanplay.games import load
from lanplay.games.dice_town import questions as q
from lanplay.games.dice_town.ending import ending, over, sources
from lanplay.games.dice_town.text import word
from lanplay.games.wording import closing
from tests.dice_town.script import card, claim, give, new_table, run

GAME = load("dice-town")

TABLES = [
    (seats, {"claim_row": claims, "brute": brute})
    for seats, claims, brute in product((2, 3, 4, 5), ("recycle", "slide"), ("free", "one_extra"))
]


def simulation(seats, options, seed, bot="random"):
    header = Header(GAME.name, options, ("x",) * seats, seed)
    agents = [ai.make(bot, seed + b"%d" % seat, "dice-town") for seat in range(seats)]
    return Simulation(GAME, header, agents, Chance(seed))


def test_the_game_ends_with_the_mine_or_the_claims():
    """DT-7.1: an empty mine ends it, and so do a row and a deck without claims."""
    t = new_table(2)
    assert not over(t)
    t.mine = 0
    assert over(t)
    t = new_table(2)
    t.claims = []
    assert over(t)
    t.row = [claim(1)]
    assert not over(t)


def test_worked_case_three():
    """DT-7.2, worked case 3: 6 nuggets, $7, badge, equipment 3+5+2, claims 2+1+5+4 make 36."""
    t = new_table(2)
    t.nuggets[0], t.dollars[0], t.sheriff = 6, 7, 0
    give(t, 0, card("equipment", 2), card("equipment", 4), card("equipment", 1))
    give(t, 0, claim(2), claim(1), claim(5))
    t.fences[0] = [claim(4)]
    assert list(sources(t, 0).values()) == [6, 3, 5, 10, 12]
    run(t, ending(t))
    assert t.scores[0] == 36


def test_a_tie_goes_to_the_most_claims():
    """DT-7.3: of equal scores the seat with the most claims wins, fenced ones included."""
    t = new_table(3)
    t.sheriff, t.dollars = 2, [0, 0, 0]
    give(t, 0, claim(5))
    give(t, 1, claim(3))
    t.claims.remove(claim(2))
    t.fences[1] = [claim(2)]
    script = run(t, ending(t))
    assert t.scores == [5, 5, 5]
    assert (t.winner, script.asked) == (1, [])


def test_a_tie_in_claims_too_is_the_sheriffs():
    """DT-7.3: if still tied the Sheriff picks, itself if it likes."""
    t = new_table(3)
    t.sheriff, t.dollars, t.nuggets = 1, [14, 4, 0], [0, 0, 0]
    script = run(t, ending(t), answers={q.Winner: lambda seat, ask: 1})
    assert [(seat, ask.tied) for seat, ask in script.questions(q.Winner)] == [(1, (0, 1))]
    assert t.winner == 1


def test_whoever_loses_a_tie_is_told_by_what():
    """DT-7.3: the score alone does not say why one of two has won; an unfinished game says none."""
    names = ("Ann", "Bo", "Cy")
    t = new_table(3)
    assert not [told for told in closing("dice-town", t, names) if "as many" in told]
    t.sheriff, t.dollars = 2, [0, 0, 0]
    give(t, 0, claim(5))
    give(t, 1, claim(3), claim(2))
    run(t, ending(t))
    told = [
        f"{name} has as many points as Bo, but fewer claims: {claims} against 2."
        for name, claims in (("Ann", 1), ("Cy", 0))
    ]
    assert closing("dice-town", t, names)[:2] == told
    t = new_table(3)
    t.sheriff, t.dollars, t.nuggets = 1, [14, 4, 0], [0, 0, 0]
    run(t, ending(t), answers={q.Winner: lambda seat, ask: 1})
    chosen = "Ann has as many points and claims as Bo: the Sheriff has chosen the winner."
    assert closing("dice-town", t, names)[0] == chosen


def test_nervous_joe_in_a_final_hand_names_its_seat():
    """DT-6.8: hands are shown at the end, and Joe cannot be in one: he is discarded."""
    t = new_table(2)
    give(t, 1, card("joe"))
    script = run(t, ending(t))
    assert ClaimRefuted(1, "DT-6.8", last=False) in script.requests
    assert (t.hands[1], t.discards) == ([], [card("joe")])
    assert len(t.scores) == 2


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_nothing_is_made_or_lost(seats, options):
    """Invariants: dollars, nuggets, claims and Store cards are conserved and never negative."""
    game = simulation(seats, options, b"conserved")
    t = game.table
    while game.request is not None:
        game.step()
        assert t.bank + t.coach + sum(t.dollars) == 8 * seats + 3
        assert t.mine + sum(t.nuggets) == 30
        assert min(*t.dollars, *t.nuggets, t.bank, t.coach, t.mine) >= 0
        if isinstance(game.request, Round | Roll) and t.round:
            claims = [*t.claims, *t.row, *chain(*t.deeds), *chain(*t.fences)]
            store = [*t.deck, *t.discards, *chain(*t.hands)]
            assert (len(set(claims)), len(set(store))) == (25, 19)


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_no_rule_looks_at_a_hidden_face(seats, options):
    """A driver that knows public answers alone plays whole games to the same end."""
    game = simulation(seats, options, b"hidden", bot="steady")
    game.run()
    record = Record(game.views[0].header, game.referee.history, game.table.hash())
    replay = Replay(GAME, record)
    replay.run()
    assert replay.table.scores == game.table.scores


def test_every_piece_of_chance_has_a_slot_of_its_own():
    """No two rolls share a slot, under a cup or open, and no two shuffles or mixes."""
    game = simulation(4, {"claim_row": "recycle", "brute": "free"}, b"slots")
    dice, cards = [], []
    while (request := game.request) is not None:
        if isinstance(request, Roll | OpenRoll):
            dice.append(request.at)
            assert isinstance(request, Roll) or request.sides <= 1 << 16
        elif isinstance(request, Shuffle | Mix):
            cards.append(request.at)
        game.step()
    assert len(set(dice)) == len(dice) > 20
    assert len(set(cards)) == len(cards) > 20
    assert any(at[1] == "take" for at in dice)


def test_no_luck_depends_on_how_often_others_were_asked():
    """DT-3.4, DT-3.5: what a seat rolls, mixes and draws is numbered by itself, round by round."""
    game = simulation(5, {"claim_row": "recycle", "brute": "free"}, b"slots")
    counts = Counter()
    while (request := game.request) is not None:
        if isinstance(request, Mix | OpenRoll) and request.at[0]:
            *slot, number = request.at
            counts[tuple(slot)] += 1
            assert slot[0] == game.table.round
            assert slot[2] in range(5)
            assert number == counts[tuple(slot)]
        game.step()
    assert max(counts.values()) > 1


def test_entropy_rides_ahead_only_where_the_roll_follows():
    """DT-2.5: ``prefetch`` names the very next chance of the hand; no question comes before it."""
    for seed in (b"a", b"b", b"c"):
        game = simulation(3, {"claim_row": "recycle", "brute": "free"}, seed)
        promised = None
        while (request := game.request) is not None:
            if isinstance(request, Roll):
                assert promised in (None, request.at) or request.at[1] == 0
                promised = None
            elif isinstance(request, Choose):
                if promised is not None:
                    assert all(len(dice) == 5 for dice in game.table.dice)
                    promised = None
                promised = request.prefetch
            game.step()


def test_every_event_has_words():
    """Whatever happens in whole games can be said in English."""
    for seats, options in TABLES[:8]:
        game = simulation(seats, options, b"words")
        game.table.log = []
        game.run()
        names = [f"seat {seat}" for seat in range(seats)]
        lines = [word(message, names) for message in game.table.log]
        assert all(line and "{" not in line for line in lines)
