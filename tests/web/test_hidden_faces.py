"""No page has what its seat may not know: its bytes do not depend on what others hold.

Games, their options, the moments that are looked at, what is tapped and what is hidden are
generated; each kind of question that comes up in a game is looked at, at several of its steps.
"""

from __future__ import annotations

from functools import partial

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.fork import fork
from lanplay.engine.record import Header
from lanplay.engine.requests import Choose
from lanplay.engine.simulation import Simulation
from lanplay.games import NAMES, load
from lanplay.web.live import Tap
from tests.web.harness import options, parsed
from tests.web.test_pages import drawn, shown

HIDING = [name for name in NAMES if name != "charidice"]
"""The games in which something is hidden."""
GAMES = 4
TAPS = 4
"""Taps on one question, after each of which its page is compared."""
LOOKED_AT = 0.2
"""The share of moments that are looked at of a kind of question that was already."""
MOST = 10
"""Moments that are looked at in one game."""


def simulated(game, seed, luck):
    chosen = {option: luck.choice(values) for option, values in game.options.items()}
    names = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")[: luck.choice(game.seats)]
    key = seed.to_bytes(8, "big")
    agents = [ai.make("random", key + bytes([seat]), game.name) for seat in range(len(names))]
    return Simulation(game, Header(game.name, chosen, names, key), agents, Chance(key))


def questions(played, luck):
    """Yield (seat, question) as the game goes on: the first of each kind, and some of the rest."""
    seen, count = set(), 0
    while (request := played.request) is not None and count < MOST:
        if isinstance(request, Choose):
            for seat, question in request.questions.items():
                if question.only_answer(played.views[seat]) is not None:
                    continue
                if question.name not in seen or luck.random() < LOOKED_AT:
                    seen.add(question.name)
                    count += 1
                    yield seat, question
        played.step()


def taps(page, luck):
    """Return something that can be tapped on a page, if there is anything."""
    found = options(parsed(drawn(page)))
    able = [
        do for do, each in found.items() if each["data-rev"] and each["aria-disabled"] != "true"
    ]
    return luck.choice([do for do in able if do != "yes"] or [None])


async def compare(played, guessed, seat, question, luck):
    """Tap the same things at two tables that differ in what the seat cannot know."""
    names = played.header.seats
    async with (
        shown(played, seat, question, names) as one,
        shown(guessed, seat, question, names) as other,
    ):
        for _ in range(TAPS):
            assert drawn(other) == drawn(one), question.name
            if (do := taps(one, luck)) is None:
                return
            assert one.act(Tap(do, one._revision)) == other.act(Tap(do, other._revision))


def hidden(played, seat):
    """Return what a seat cannot know of a game."""
    others = [(view.cup, view.own) for view in played.views if view.seat != seat]
    return others, played._faces


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", HIDING)
def test_no_page_depends_on_what_its_seat_may_not_know(name):
    differing = 0

    @settings(max_examples=GAMES, deadline=None, database=None)
    @given(seed=st.integers(0, 2**32 - 1), luck=st.randoms(use_true_random=False))
    def look(seed, luck):
        nonlocal differing
        game = load(name)
        played = simulated(game, seed, luck)
        for seat, question in questions(played, luck):
            key = luck.getrandbits(64).to_bytes(8, "big")
            seats = range(len(played.header.seats))
            agents = [ai.make("random", bytes([each]), name) for each in seats]
            guessed = fork(game, played.views[seat], key, agents)
            differing += hidden(played, seat) != hidden(guessed, seat)
            trio.run(partial(compare, played, guessed, seat, question, luck))

    look()
    assert differing > GAMES
