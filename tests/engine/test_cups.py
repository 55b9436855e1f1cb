"""Dice under cups: as many as a game wants, alike on every driver."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import blake2b
from struct import unpack

import pytest

from lanplay.engine.chance import Chance
from lanplay.engine.fork import fork
from lanplay.engine.plain import encode
from lanplay.engine.record import Header, Record, from_bytes
from lanplay.engine.replay import Replay
from lanplay.engine.requests import Choose, Uncover
from lanplay.engine.simulation import Simulation
from lanplay.engine.stepper import Stepper
from lanplay_ai.outside.messages import question_message
from lanplay_ai.random_agent import RandomAgent
from tests.games.liars_dice import GAME
from tests.replica.fairness import SIDES, judge

SEED = b"cups"
COUNTS = range(1, 13)


def simulation(dice, seats=3, seed=SEED):
    header = Header(GAME.name, {"dice": str(dice)}, ("x",) * seats, seed)
    agents = [RandomAgent(seed + b"%d" % seat) for seat in range(seats)]
    return Simulation(GAME, header, agents, Chance(seed))


def to_bids(game):
    """Go on to the first question that needs the dice."""
    while not (isinstance(game.request, Choose) and len(game.request.questions) == 1):
        game.step()
    return next(iter(game.request.questions))


def drawn(dice, seats, seed=SEED, at=(1,)):
    return Chance(seed).cups(at, dict.fromkeys(range(seats), dice))


@pytest.mark.parametrize("dice", [*COUNTS, 250])
@pytest.mark.parametrize("seats", [2, 8, 10])
def test_a_simulation_rolls_as_many_dice_for_as_many_seats_as_a_game_wants(dice, seats):
    """Every seat sees all of its dice, and the same ones are shown to all."""
    game = simulation(dice, seats)
    to_bids(game)
    cups = [view.cup for view in game.views]
    assert [len(cup) for cup in cups] == seats * [dice]
    while not isinstance(game.request, Uncover):
        game.step()
    game.step()
    assert list(game.referee.history[-1]) == cups


@pytest.mark.parametrize("dice", COUNTS)
def test_replay_stepper_and_fork_go_through_a_game_with_so_many_dice(dice):
    """Each has the dice that the simulation had."""
    game = simulation(dice)
    to_bids(game)
    for view in game.views:
        twin = fork(GAME, view, b"key", [RandomAgent(b"%d" % seat) for seat in range(3)])
        assert twin.views[view.seat].cup == view.cup
        assert [len(each.cup) for each in twin.views] == 3 * [dice]
        twin.run()
    game.run()
    made = Record(game.header, tuple(game.referee.history), game.table.hash())
    record = from_bytes(made.to_bytes())
    Replay(GAME, record).run()
    stepper = Stepper(GAME, record)
    assert stepper.to_end()
    assert [view.cup for _, view in sorted(stepper.now.views.items())] == [
        view.cup for view in game.views
    ]


def test_a_fork_guesses_the_dice_of_a_seat_that_does_not_know_them():
    """As of one in which an AI stands in: it can be finished like any other."""
    game = simulation(6)
    to_bids(game)
    view = game.views[1]
    view.cup = ()
    guesses = set()
    for key in (b"one", b"two", b"three"):
        twin = fork(GAME, view, key, [RandomAgent(b"%d" % seat) for seat in range(3)])
        guesses.add(twin.views[1].cup)
        twin.run()
    assert {len(guess) for guess in guesses} == {6}
    assert len(guesses) == 3


@pytest.mark.parametrize("dice", COUNTS)
def test_programs_outside_see_all_dice(dice):
    game = simulation(dice)
    seat = to_bids(game)
    view, question = game.views[seat], game.request.questions[seat]
    said = json.loads(json.dumps(question_message(1, 1, view, question)))
    assert said["view"]["cup"] == list(view.cup)
    assert len(view.cup) == dice


@pytest.mark.parametrize("dice", range(1, 6))
def test_up_to_five_dice_are_drawn_as_they_always_were(dice):
    """One digest feeds eight seats: a word each, whose digits to the base of six are the dice."""
    digest = blake2b(encode(("cup", 1)), key=SEED).digest()
    words = unpack("<8Q", digest)
    for seat, cup in drawn(dice, 8).items():
        number = words[seat] % 6**5
        assert cup == tuple(number // 6**place % 6 for place in (4, 3, 2, 1, 0))[:dice]


def test_the_same_seed_brings_the_same_dice():
    """One golden value for all counts: whoever changes a draw breaks old seeds."""
    cups = [drawn(dice, seats) for dice in (*COUNTS, 250) for seats in (3, 10)]
    plain = tuple(tuple(cups.items()) for cups in cups)
    assert blake2b(encode(plain), digest_size=8).hexdigest() == "04632f8343a1915f"


@pytest.mark.parametrize("dice", [*COUNTS, 250])
def test_dice_under_cups_are_even_and_no_two_hang_together(dice):
    """Chi-square over a fixed seed: faces, a seat's first and last die, the first of two seats."""
    rolls = [drawn(dice, 10, at=(number,)) for number in range(60 + 3600 // dice)]
    faces = Counter(face for cups in rolls for cup in cups.values() for face in cup)
    ends = Counter((cup[0], cup[-1]) for cups in rolls for cup in cups.values())
    seats = Counter((cups[0][0], cups[9][0]) for cups in rolls)
    pairs = [(a, b) for a in range(SIDES) for b in range(SIDES)]
    assert judge("faces", [faces[face] for face in range(SIDES)])
    assert dice == 1 or judge("ends", [ends[pair] for pair in pairs])
    assert judge("seats", [seats[pair] for pair in pairs])
