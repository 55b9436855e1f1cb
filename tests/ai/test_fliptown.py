"""The bots of Fliptown: exact odds, a search that loses nothing, sense in phases, levels."""

from __future__ import annotations

from importlib.resources import files
from itertools import combinations

import pytest

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.question import answers
from lanplay.engine.record import Header
from lanplay.engine.requests import Choose
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View
from lanplay.games import load
from lanplay.games.fliptown import questions as q
from lanplay.games.fliptown.asks import Turn
from lanplay.games.fliptown.bounties import MET
from lanplay.games.fliptown.codes import PLAN
from lanplay.games.fliptown.phases import WORK_CASH
from lanplay.games.fliptown.questions import Move
from lanplay.games.fliptown.table import TURNS
from lanplay.games.fliptown.turn import follow
from lanplay.games.fliptown.visits import robbed
from lanplay_ai.fliptown import features, odds
from lanplay_ai.fliptown.outlook import FAILS, HIGH, LOW, FliptownOutlook
from lanplay_ai.fliptown.players import FliptownPlayer
from lanplay_ai.fliptown.profiles import PROFILES
from lanplay_ai.fliptown.prospects import MISSING, NEVER
from lanplay_ai.fliptown.search import Search
from tests.ai.test_hints import Explaining
from tests.fliptown.script import RULEBOOK, cards, circle, new_table, sheet

GAME = load("fliptown")

VARIANTS = [
    {},
    {"characters": "random", "holdem": "best", "cowbot": "random", "guns": "english"},
    {"holdem": "each", "cowbot": "card", "level": "hard"},
]


def simulation(bots, seed=b"flip", options=None):
    header = Header(GAME.name, options or {}, tuple(bots), seed)
    agents = [ai.make(bot, seed + b"%d" % seat, "fliptown") for seat, bot in enumerate(bots)]
    return Simulation(GAME, header, agents, Chance(seed))


def view_of(t, seat=0):
    return View(seat, t, Header("fliptown", {}, ("x",) * t.seats), [])


def said(view, question, bot="expert"):
    """Return a bot's answer, which must be legal."""
    answer = ai.make(bot, b"key", "fliptown").answer(view, question)
    question.check(answer)
    return answer


@pytest.mark.sweep(3)
@pytest.mark.parametrize("bot", PROFILES)
@pytest.mark.parametrize("seats", [1, 3])
@pytest.mark.parametrize("options", VARIANTS)
def test_every_answer_is_legal_and_explained(bot, seats, options):
    """Whole games of every variant: the referee refuses nothing, every reason has words."""
    seen = set()
    game = simulation(["random"] * (seats - 1) + [bot], options=options)
    game.agents[-1] = Explaining(game.agents[-1], "fliptown", seen)
    game.run()
    assert seen


def test_a_hint_with_a_chance_names_the_robbery_that_it_is_of():
    """Its chain may lead there from a place that has no risk at all; pauses are looks, too."""
    seen = set()
    for number in range(4):
        simulated = simulation(["strong"] * 2, b"rob%d" % number)
        adviser = ai.adviser("fliptown", b"")
        while (request := simulated.request) is not None:
            asked = getattr(request, "questions", {}).get(0)
            if isinstance(asked, Move):
                hint = adviser.explain(simulated.views[0], asked)
                if hint.odds is not None:
                    seen.add(hint.reason.id)
            simulated.step()
    assert {"rob", "then-rob"} <= seen
    assert not seen & {"site", "stone"}


def test_the_chance_of_a_robbery_counts_the_cards_not_seen():
    """FT-5: of 2, 5, 9 and king two reach a stagecoach of 8, three with a rifle."""
    faces = cards("2h 5s 9d Kc")
    at_least = odds.at_least(faces)
    assert (at_least[8], at_least[4], at_least[0]) == (2 / 4, 3 / 4, 1)


def test_the_chance_of_an_arrest_counts_the_cards_not_seen_or_is_known():
    """FT-3.3: a sheriff card below WANTED arrests; who has looked at the card knows."""
    t = new_table(2)
    t.sheriff = 60
    view = view_of(t)
    assert odds.arrest(view, cards("2h 5s 9d Kc"))[6] == 2 / 4
    view.own[60] = cards("5s")[0]
    assert odds.arrest(view, cards("2h 5s 9d Kc"))[5:7] == (0, 1)


def test_what_a_seat_sees_is_not_among_the_cards_not_seen():
    """Flipped cards, discards and own cards are seen, those of others are not."""
    t = new_table(2)
    t.discards, t.flipped, t.hole = [0, 1], [2, 3, 4], [[5, 6], [7, 8]]
    t.deck = list(range(9, 52))
    t.faces = {card: card for card in range(5)}
    view = view_of(t)
    view.own = {5: 5, 6: 6}
    assert odds.unseen(view) == tuple(range(7, 52))


def test_the_last_poker_card_is_the_best_of_three():
    """FT-3.1: what four cards pay on average is that of all flips of three."""
    held, faces = cards("2h 3h 4h 5h"), cards("Ah 6s 2d 9h Kc 5d Ts")
    every = list(combinations(faces, 3))
    mean = sum(max(odds.PAY[odds.rank((*held, card))] for card in flip) for flip in every)
    assert odds.draw(held, faces) == pytest.approx(mean / len(every))


@pytest.mark.parametrize("number", range(3))
def test_a_wide_search_finds_the_best_of_all_answers(number):
    """No option that the search leaves out is better than what it finds."""
    game = simulation(["casual"], b"wide %d" % number)
    looked = 0
    while (request := game.request) is not None and looked < 4:
        if isinstance(request, Choose) and isinstance(request.questions.get(0), Move):
            question, view = request.questions[0], game.views[0]
            every = [*zip(range(3_000), answers(question, view), strict=False)]
            if len(every) < 3_000:
                looked += 1
                outlook = FliptownOutlook(view)
                best = max(judged(outlook, question, answer) for _, answer in every)
                found = Search(outlook, question.turn, 1_000, 10**6).ways(question.sheet)
                assert found[0].worth == pytest.approx(best)
                assert judged(outlook, question, found[0].answer) == pytest.approx(best)
        game.step()
    assert looked


def judged(outlook, question, answer):
    s = question.sheet.copy()
    return outlook.worth(s, follow(s, question.turn, answer))


class Layers(Search):
    """A search that notes each depth: from which ways it went on, and with which."""

    def __init__(self, *args):
        super().__init__(*args)
        self.layers = []

    def _deeper(self, frontier, found):
        after = super()._deeper(frontier, found)
        self.layers.append((frontier, after))
        return after


@pytest.mark.parametrize("beam", [1, 2, 5])
def test_a_narrow_search_goes_on_with_the_best_of_each_depth(beam):
    """Best first, and of equals the one with the smaller options: none that it drops comes before
    one that it keeps. What it finds at last stands in that order, too."""
    game = simulation(["casual"], b"narrow")
    looked = dropped = 0
    while (request := game.request) is not None and looked < 4:
        if isinstance(request, Choose) and isinstance(request.questions.get(0), Move):
            question, outlook = request.questions[0], FliptownOutlook(game.views[0])
            narrow = Layers(outlook, question.turn, beam, 10**6)
            found = narrow.ways(question.sheet)
            assert [rank(way) for way in found] == sorted(rank(way) for way in found)
            for before, after in narrow.layers:
                wide = Layers(outlook, question.turn, 10**6, 10**6)
                every = sorted(way[:2] for way in wide._deeper(before, []))
                assert [way[:2] for way in after] == every[:beam]
                dropped += len(every) - len(after)
            looked += 1
        game.step()
    assert dropped > 20


def rank(way):
    return -way.worth, way.answer


@pytest.mark.parametrize(("beam", "options"), [(6, {}), (12, {"characters": "random"})])
def test_work_that_is_saved_changes_no_choice(beam, options):
    """With nothing shared and nothing left out the same way is the best, turn after turn."""
    game = simulation(["casual", "strong"], b"saved", options)
    looked = 0
    while (request := game.request) is not None:
        if isinstance(request, Choose):
            for seat, question in request.questions.items():
                if isinstance(question, Move):
                    outlook, whole = (FliptownOutlook(game.views[seat]) for _ in range(2))
                    whole.thrifty = False
                    saved, plain = (
                        Search(o, question.turn, beam, 20_000).best(question.sheet)
                        for o in (outlook, whole)
                    )
                    assert saved.answer == plain.answer
                    assert saved.worth == pytest.approx(plain.worth)
                    assert saved.sheet == plain.sheet
                    looked += outlook.thrifty
        game.step()
    assert looked > 30


def looked_at(s, left):
    """Return what a second look adds, unit by unit, from the file and the features of a sheet."""
    text = files("lanplay_ai.fliptown").joinpath("together.txt").read_text("utf-8")
    network = {k: [*map(int, v.split())] for k, v in (x.split(": ") for x in text.splitlines())}
    cash, gold = s.cash, s.gold
    if len(s.poker) == TURNS:  # tools pay at the end of a round
        cash, gold = cash + WORK_CASH * s.hammers, gold + s.pans
    here = ["start", f"turn {left}", *features.owned_features(s.items, s.hotel, s.land)]
    for region, circled in enumerate(s.circled):
        here += features.region_features(region, circled)
    counted = (("cash", cash), ("gold", gold), ("wanted", s.wanted))
    for name, amount in (*counted, ("pans", s.pans), ("hammers", s.hammers)):
        here += features.counter_features(name, amount)
    found = 0
    for unit, share in enumerate(network["share"]):
        added = 0
        for each in here:
            name, times = (each, 1) if isinstance(each, str) else each
            added += times * network[name][unit] if name in network else 0
        found += max(added, 0) * share
    return found / 1e6


def test_a_second_look_is_the_network_of_its_file_and_a_robbery_counts_both_ways():
    """Each unit counts if it is above 0; what a robbery brings counts by the odds of its card."""
    game = simulation(["casual", "casual"], b"looks")
    looked = robberies = 0
    while robberies < 200 and (request := game.request) is not None:
        for seat, question in request.questions.items() if isinstance(request, Choose) else ():
            if isinstance(question, Move):
                outlook = FliptownOutlook(game.views[seat])
                for way in Search(outlook, question.turn, 6, 3_000).ways(question.sheet):
                    worth, s = outlook.together(way.sheet, way.pause), way.sheet
                    if way.pause is None or way.pause < 2:
                        assert worth == pytest.approx(looked_at(s, outlook.left))
                    else:
                        won, lost = s.copy(), s.copy()
                        robbed(won, way.pause, HIGH, outlook.guns, None)
                        robbed(lost, way.pause, LOW, FAILS, None)
                        chance = outlook.success(s, way.pause)
                        both = (looked_at(each, outlook.left) for each in (won, lost))
                        mean = sum(x * c for x, c in zip(both, (chance, 1 - chance), strict=True))
                        assert worth == pytest.approx(mean)
                        robberies += 0.05 < chance < 0.95
                    looked += 1
        game.step()
    assert looked > 1000
    assert robberies >= 200


def ending(way):
    """Return what a way comes to, for its seat."""
    s = way.sheet
    counters = s.cash, s.gold, s.stars, s.wanted, s.pans, s.hammers, s.hotel, s.land, s.items
    return (
        *s.circled,
        *counters,
        s.mined,
        s.bonuses,
        s.moments,
        s.poker,
        *sorted(s.pool),
    ), way.pause


def test_a_second_look_is_not_wasted_on_a_sheet_that_was_looked_at():
    """Of ways that come to the same the best one stays, and the order of the others too."""
    game = simulation(["casual"], b"distinct")
    fewer = 0
    while (request := game.request) is not None:
        for seat, question in request.questions.items() if isinstance(request, Choose) else ():
            if isinstance(question, Move):
                outlook = FliptownOutlook(game.views[seat])
                one, two, three = (Search(outlook, question.turn, 4, 1_000) for _ in range(3))
                best, ways = {}, one.ways(question.sheet)
                for way in ways:
                    best.setdefault(ending(way), way.worth)
                worths = [way.worth for way in two.distinct(question.sheet, len(ways))]
                assert worths == list(best.values())
                assert [way.worth for way in three.distinct(question.sheet, 5)] == worths[:5]
                fewer += len(worths) < len(ways)
        game.step()
    assert fewer > 10


def test_nodes_bound_a_search_and_it_still_answers():
    """A search with next to no budget gives a legal answer."""
    s = sheet()
    s.pool = [PLAN]
    turn = Turn(cards("4h 7s 9d"), 1, RULEBOOK)
    ways = Search(FliptownOutlook(view_of(new_table(1))), turn, 1, 1).ways(s)
    follow(s, turn, ways[0].answer)


def test_hidden_faces_change_no_answer():
    """What lies face down, other than it does, changes nothing that a bot says."""
    games = [simulation(["expert", "expert"], b"hidden") for _ in range(2)]
    while not (isinstance(games[0].request, Choose) and games[0].table.turn == 2):
        for game in games:
            game.step()
    deck = games[1].table.deck
    order = [games[1]._faces[card] for card in deck]
    for card, face in zip(deck, order[::-1], strict=True):
        games[1]._faces[card] = face
    for game in games:
        game.step()
    assert games[0].referee.history[-1] == games[1].referee.history[-1]


def test_a_sure_arrest_is_bought_off_with_gold_that_is_cheaper():
    """FT-3.3: one gold against a known arrest in the last round; not against a known escape."""
    for known, answer in (("Ah", 1), ("Kh", 0)):
        t = new_table(1)
        t.round, t.sheriff = 3, 60
        s = t.sheets[0]
        s.wanted, s.gold, s.cash, s.stars = 2, 2, 40, 30
        view = view_of(t)
        view.own[60] = cards(known)[0]
        assert said(view, q.Bribe(2)) == answer


def test_a_fine_is_paid_with_what_counts_less_in_the_end():
    """FT-3.3: in round 3 $18 are four points and a half, eight stars are eight."""
    t = new_table(1)
    t.round = 3
    t.sheets[0].cash, t.sheets[0].stars = 40, 30
    assert said(view_of(t), q.Fine(18, 8)) == 0


def test_abilities_are_used_when_it_matters():
    """FT-9.2: in the last round the Cheat and the Preacher have nothing to wait for."""
    t = new_table(1)
    t.round = 3
    t.sheets[0].wanted = 3
    assert said(view_of(t), q.FliptownCheat(0, 1)) == 1
    assert said(view_of(t), q.Preach(3)) == 3
    t.round = 1
    assert said(view_of(t), q.FliptownCheat(0, 1)) == 0
    assert said(view_of(t), q.Preach(3)) == 0


def test_a_marshal_draws_a_card_that_may_free_him():
    """FT-9.2: with 3 WANTED nearly every card does, with 14 none."""
    t = new_table(1)
    t.round = 1
    for wanted, answer in ((3, 1), (14, 0)):
        t.sheets[0].wanted = wanted
        assert said(view_of(t), q.Redraw(0)) == answer


def test_nothing_is_missing_of_a_bounty_that_is_met():
    """FT-9.1: as games go on, whoever meets a bounty is no step away; a lost one is never near."""
    game = simulation(["strong", "casual"], b"bounties")
    met = 0
    while game.request is not None:
        for s in game.table.sheets:
            for bounty, missing in enumerate(MISSING):
                if MET[bounty](s) and bounty not in (8, 10):
                    met += 1
                    assert missing(s) <= 0
        game.step()
    assert met > 50
    s = sheet()
    circle(s, "trail 4")
    assert MISSING[1](s) == NEVER


def test_the_levels_are_in_order():
    """The same five games alone: beginner, casual and expert score more than who is below."""
    totals = []
    for bot in ("random", "beginner", "casual", "expert"):
        scores = []
        for seed in range(5):
            game = simulation([bot], b"level %d" % seed)
            game.run()
            scores += game.table.scores
        totals.append(sum(scores))
    assert totals == sorted(set(totals))


def test_an_answer_hangs_on_view_question_and_key_alone():
    """Another player with the same key, asked for the first time, says the same."""
    game = simulation(["beginner"], b"again")
    while (request := game.request) is not None:
        if isinstance(request, Choose) and len(game.referee.history) > 12:
            question, view = request.questions[0], game.views[0]
            fresh = FliptownPlayer(PROFILES["beginner"], b"again0")
            assert fresh.answer(view, question) == game.agents[0].answer(view, question)
            break
        game.step()
