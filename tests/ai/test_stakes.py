"""What bots of Dice Town keep from one question to the next is never of another table or moment."""

from __future__ import annotations

import pytest

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.record import Header
from lanplay.engine.requests import Choose
from lanplay.engine.simulation import Simulation
from lanplay.games import load
from lanplay.games.dice_town.questions import Keep
from lanplay_ai.dice_town import odds, stakes
from lanplay_ai.dice_town.odds import contest
from lanplay_ai.dice_town.profiles import PROFILES
from lanplay_ai.dice_town.stakes import KeepStakes, stakes_of

GAME = load("dice-town")

WEIGHERS = sorted(PROFILES)


def simulation(seed, seats=4):
    options = {name: values[0] for name, values in GAME.options.items()}
    header = Header(GAME.name, options, ("x",) * seats, seed)
    agents = [ai.make("random", seed + b"%d" % seat, GAME.name) for seat in range(seats)]
    return Simulation(GAME, header, agents, Chance(seed))


def keeping(game):
    """Go on to the next moment at which dice are kept; tell whether there is one."""
    if game.request is not None:
        game.step()
    while (request := game.request) is not None:
        if isinstance(request, Choose) and any(
            isinstance(each, Keep) for each in request.questions.values()
        ):
            return True
        game.step()
    return False


def fresh(p, t):
    """Return what is at stake, worked out with nothing kept."""
    return KeepStakes(p, t, not (t.deck or t.discards)).fields() | {"table": None}


def kept(p, t):
    return stakes_of(p, t).fields() | {"table": None}


def weighed(p, t):
    assert kept(p, t) == fresh(p, t)
    return kept(p, t)


@pytest.mark.parametrize("name", WEIGHERS)
def test_stakes_are_those_of_the_table_and_the_round_under_way(name):
    """Two tables in turn, each at other rounds: at every question what is kept is what is true."""
    p = PROFILES[name]
    games = [simulation(b"one"), simulation(b"two", seats=3)]
    seen = []
    while all(keeping(game) for game in games):
        seen += [weighed(p, game.table) for game in games]
    assert len(seen) > 40
    assert len({tuple(each["hall"]) for each in seen}) > 5


@pytest.mark.parametrize("name", WEIGHERS)
def test_stakes_of_one_table_follow_its_rounds(name):
    """Without another table in between, a new round is weighed anew."""
    p, game, seen = PROFILES[name], simulation(b"one"), []
    while keeping(game):
        seen.append((game.table.round, repr(weighed(p, game.table))))
    rounds = {number for number, _ in seen}
    assert len({what for _, what in seen}) > len(rounds) // 2 > 2


def test_profiles_do_not_share_their_stakes():
    """Asked in turn at one table, each gets its own."""
    game = simulation(b"one")
    keeping(game)
    found = [weighed(PROFILES[name], game.table) for name in WEIGHERS for _ in range(2)]
    assert len({repr(each) for each in found}) > 1


@pytest.mark.parametrize("name", WEIGHERS)
def test_a_store_that_sells_out_in_a_round_is_worth_nothing_more(name):
    """The deck and the discards may run out while the stakes of a round are kept."""
    p, game = PROFILES[name], simulation(b"one")
    keeping(game)
    t = game.table.copy()
    before = weighed(p, t)
    t.deck.clear()
    t.discards.clear()
    after = weighed(p, t)
    assert (before["sold_out"], after["sold_out"]) == (False, True)
    assert after["scales"] != before["scales"] or not before["scales"][2]


def test_the_contest_is_that_of_the_dice_that_lie_there():
    """Dice are set aside in the list that the bots were shown before: what was worked out of them
    then is not taken for what is true now."""
    dice = [(), (1, 2), (3,)]
    first = contest(dice)
    assert contest(dice) is first
    dice[0] = (4, 4, 4)
    now = contest(dice)
    odds._LATEST[0] = odds.Contest([], [], [])
    again = contest([(4, 4, 4), (1, 2), (3,)])
    assert (now.sums, [each.own for each in now.shares]) == (
        again.sums,
        [each.own for each in again.shares],
    )
    assert now.sums != first.sums


def test_what_is_kept_does_not_grow_with_the_tables():
    """One per profile, however many games are played."""
    before = set(stakes._LATEST)
    for number in range(5):
        game = simulation(b"%d" % number)
        keeping(game)
        stakes_of(PROFILES["steady"], game.table)
    assert set(stakes._LATEST) <= before | {PROFILES["steady"]}
