"""Intervals, ratings and the sequential test, against what is known of them."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import log10, prod
from random import Random

import pytest

from lanplay.engine.game import Result
from lanplay.errors import UserError
from lanplay.tournament.moments import Moments, student
from lanplay.tournament.outcome import FinishedGame
from lanplay.tournament.plan import make_plan
from lanplay.tournament.rankings import UNIT, Choices, fit, points, ratings, stages
from lanplay.tournament.results import results
from lanplay.tournament.sprt import FEWEST, Sprt, expected
from lanplay.tournament.storage import Goal
from lanplay.tournament.tally import added
from tests.tournament.conftest import tally_of


def test_places_put_winners_first():
    """Winners are first whatever they scored; who scored alike shares a place."""
    assert Result((5, 9, 9, 2), (1,)).places == (3, 1, 2, 4)
    assert Result((5, 9, 9, 5), (1, 2)).places == (3, 1, 1, 3)


def test_nobody_is_first_in_a_game_that_nobody_has_won():
    """Then places begin with the second, and there is no share of the win."""
    assert Result((5, 9), ()).places == (3, 2)
    lost = Result((70,), ())
    assert lost.places == (2,)
    assert lost.share(0) == 0
    assert Result((5, 9, 9), (1, 2)).share(2) == 1 / 2


@pytest.mark.parametrize(
    ("freedom", "point"),
    [(1, 12.706), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)],
)
def test_student(freedom, point):
    """The points of Student's distribution are those of the tables."""
    assert student(freedom) == pytest.approx(point, rel=1e-3)


def test_an_interval_holds_the_truth_95_times_in_100():
    """Over 2000 experiments of 12 deals, 95 % of the intervals hold the mean (within 1.5 %)."""
    random, held = Random(1), 0
    for _ in range(2000):
        moments = Moments()
        for _ in range(12):
            moments.add(sum(random.randrange(7) for _ in range(4)))
        found = moments.estimate(4)
        held += found.low <= 3 <= found.high
    assert held / 2000 == pytest.approx(0.95, abs=0.015)


def test_sums_do_not_depend_on_order():
    """Moments merged from parts are those of the whole, to the bit."""
    values = [10**9, 3, -7, 123456789, 0, 5]
    whole, parts = Moments(), [Moments(), Moments()]
    for place, value in enumerate(values):
        whole.add(value)
        parts[place % 2].add(value)
    assert added(parts[1], parts[0]) == whole


def test_a_share_is_never_certain():
    """Where every deal was lost the interval of the share still goes up from zero."""
    moments = Moments()
    for _ in range(100):
        moments.add(0)
    found = moments.share(4)
    assert found.low == 0
    assert found.high == pytest.approx(0.036, abs=0.001)


def likelihood(ranking, strengths):
    """Return the Plackett-Luce probability of a ranking."""
    return prod(
        strengths[winner] / sum(strengths[other] for other in ranking[place:])
        for place, winner in enumerate(ranking)
    )


def ranked(random, strengths):
    rest, order = list(range(len(strengths))), []
    while rest:
        order.append(random.choices(rest, [strengths[each] for each in rest])[0])
        rest.remove(order[-1])
    return tuple(order)


def test_stages_of_a_ranking_with_level_places():
    """Level places count as all their orders, in equal parts that sum to the whole."""
    weights = dict(stages((0, 1, 2), (1, 2, 2)))
    assert weights == {
        ((0, 1, 2), 0): UNIT,
        ((1, 2), 1): UNIT // 2,
        ((1, 2), 2): UNIT // 2,
    }
    orders = [
        stages((0, 1, 2), tuple(order.index(s) + 1 for s in range(3)))
        for order in permutations(range(3))
    ]
    level = dict(stages((0, 1, 2), (1, 1, 1)))
    for stage, weight in level.items():
        assert weight * 6 == sum(dict(order).get(stage, 0) for order in orders)


def test_the_fit_is_the_maximum_of_the_likelihood():
    """No small change of a strength makes the games (with the imaginary ones) more likely."""
    random = Random(3)
    rankings = [ranked(random, [4, 2, 1, 1]) for _ in range(200)]
    weights = {}
    for ranking in rankings:
        for stage, weight in stages(ranking, (1, 2, 3, 4)):
            weights[stage] = weights.get(stage, 0) + weight
    found = fit(Choices.of(weights, 4))

    def total(strengths):
        drawn = sum(log10(s) / 2 - log10(s + 1) for s in strengths)
        return drawn + sum(log10(likelihood(ranking, strengths)) for ranking in rankings)

    for entrant in range(4):
        for factor in (0.97, 1.03):
            other = list(found)
            other[entrant] *= factor
            assert total(other) < total(found)


def test_ratings_find_the_strengths():
    """The rating's interval holds the true strength of most entrants; who is field plays thrice."""
    random, cells = Random(5), {}
    truth = points([6.0, 3.0, 1.0])
    for deal in range(400):
        seats = [(0, 2, 2, 2), (1, 2, 2, 2)][deal % 2]
        order = ranked(random, [[6.0, 3.0, 1.0][entrant] for entrant in seats])
        cell = cells.setdefault(deal % 100, {})
        for stage, weight in stages(seats, tuple(order.index(seat) + 1 for seat in range(4))):
            cell[stage] = cell.get(stage, 0) + weight
    found = ratings(cells, 3, b"key", 400)
    assert all(f.low - 20 <= true <= f.high + 20 for f, true in zip(found, truth, strict=True))
    assert all(10 < f.high - f.mean < 80 for f in found)
    assert ratings(cells, 3, b"key", 400) == found


def test_who_has_met_nobody_has_no_rating():
    """A rating compares: there is none of who has not played yet, or plays alone."""
    cells = {cell: dict(stages((0, 2), (1, 2))) for cell in range(5)}
    found = ratings(cells, 4, b"key", 5)
    assert [each is None for each in found] == [False, True, False, True]
    assert ratings({0: {}, 1: {}}, 2, b"key", 2) == [None, None]
    assert ratings({0: {}}, 2, b"key", 1) == [None, None]


def test_an_entrant_that_never_wins_has_a_finite_rating():
    """One who lost every game is rated, far below."""
    cells = {cell: dict(stages((0, 1), (1, 2))) for cell in range(50)}
    best, worst = ratings(cells, 2, b"key", 50)
    assert 500 < best.mean - worst.mean < 2000


@pytest.mark.parametrize("places", [((1, 2), (1, 2)), ((1, 2), (2, 1))], ids=["won", "level"])
def test_deals_that_were_all_alike_leave_a_rating_open(places):
    """Its interval is no point, and the narrower the more deals there were."""
    deal = Counter()
    for each in places:
        deal.update(dict(stages((0, 1), each)))
    widths = []
    for count in (5, 80):
        best, _ = ratings(dict.fromkeys(range(count), deal), 2, b"key", count)
        widths.append(best.high - best.low)
    assert widths[0] > widths[1] > 10


@pytest.mark.parametrize("strengths", [[1.0, 1.0], [30.0, 1.0]], ids=["even", "apart"])
def test_a_rating_of_few_deals_is_not_too_sure(strengths):
    """Of 20 tournaments of five deals no more than 10 % have an interval without the truth."""
    random, missed = Random(7), 0
    truth = points(strengths)[0]
    for number in range(20):
        cells = {}
        for deal in range(5):
            cells[deal] = Counter()
            for _ in range(2):
                order = ranked(random, strengths)
                cells[deal].update(dict(stages(order, (1, 2))))
        found, _ = ratings(cells, 2, b"%d" % number, 5)
        missed += not found.low <= truth <= found.high
    assert missed <= 2


# A deal of two mirrored games: how often the first comes out above in 0, 1 and 2 of them. Luck
# that cancels makes most deals end 1-1.


def verdict(random, sprt, better, most=20_000):
    """Return what a test says of deals whose share is ``expected(better)``."""
    share = expected(better)
    moments = Moments()
    lost = 0.25 - (share - 0.5) / 2
    while moments.deals < most:
        draw = random.random()
        moments.add(0 if draw < lost else 4 if draw < lost + 2 * (share - 0.5) + lost else 2)
        found = sprt.verdict(moments, 4)
        if found:
            return found
    return "open"


@pytest.mark.parametrize(
    ("elo", "wrong"), [(0, "better"), (60, "not better")], ids=["even", "better"]
)
def test_the_sequential_test_errs_as_rarely_as_it_says(elo, wrong):
    """At either hypothesis the wrong answer comes in at most 5 % of 300 runs (within 2.5 sigma)."""
    random, sprt = Random(11), Sprt(elo0=0, elo1=60)
    answers = [verdict(random, sprt, elo) for _ in range(300)]
    assert "open" not in answers
    assert answers.count(wrong) / 300 <= 0.05 + 2.5 * (0.05 * 0.95 / 300) ** 0.5


def test_the_sequential_test_waits():
    """A few deals decide nothing, however clear they are."""
    moments = Moments()
    for _ in range(FEWEST - 1):
        moments.add(4)
    assert Sprt().verdict(moments, 4) is None


def test_the_sequential_test_turns_with_its_pair():
    """Asking whether 2 is better than 1 answers the mirrored question."""
    moments = Moments()
    for deal in range(200):
        moments.add([4, 4, 2, 0][deal % 4])
    there, back = Sprt(elo1=20), Sprt(elo1=20, a=2, b=1)
    assert there.pair == back.pair == (0, 1)
    assert there.verdict(moments, 4) == "better"
    assert back.verdict(moments, 4) == "not better"


@pytest.mark.parametrize(
    "text", ["", "elo0", "elo0=5,elo1=0", "alpha=0.7", "elo2=3", "elo1=x", "elo1=nan"]
)
def test_a_test_that_cannot_be_is_told(text):
    """A sequential test that makes no sense is refused."""
    with pytest.raises(UserError):
        Sprt.parse(text)


def test_what_duplicate_deals_save():
    """Where nine tenths of the variance are luck that both have, it takes ten times more games."""
    random, deals = Random(2), []
    plan = make_plan("dice-town", ["random", "random"])
    for deal in range(2000):
        games = []
        luck = [random.gauss(0, 90**0.5) for _ in range(2)]
        for number, line_up in enumerate([(0, 1), (1, 0)]):
            scores = [round(10 * (each + random.gauss(0, 10**0.5))) for each in luck]
            games.append(
                FinishedGame(number, deal, line_up, tuple(scores), (1, 2), 9, (1, 1), (0, 0), "")
            )
        deals.append(games)
    tally = tally_of(plan, (), deals)
    [pair] = results(plan, Goal(2000), tally, "")["pairs"]
    assert pair["saves"] == pytest.approx(10, rel=0.1)
