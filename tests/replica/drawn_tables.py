"""Tables as people have them, drawn: several seats at a laptop, AI, options, rules of the house."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lanplay.check.random_games import requests
from lanplay.engine.chance import Chance
from lanplay.engine.game import Game
from lanplay.engine.plain import Plain
from lanplay.engine.record import Header
from lanplay.engine.requests import Round
from lanplay.engine.simulation import Simulation
from lanplay_ai.random_agent import RandomAgent
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.replica.settings import ABSENT, TableSettings
from tests.replica.harness import roster

AI = "random"
KEY = b"before"
LATEST = 4
"""The last round from which a game is continued anew."""


def drawn_table(
    game: Game, peers: int, settings: TableSettings, below: Callable[[int], int]
) -> Roster:
    """Return a table of some laptops; ``below`` draws a number from 0 to its argument - 1.

    The first laptop has all further seats, as a host's AI, or each a few. AI is at one in three of
    the laptops' own seats, and at two in three of those. One in four goes on from a later round.
    """
    seats = peers + below(max(game.seats) - peers + 1)
    options = {name: values[below(len(values))] for name, values in game.options.items()}
    bots = tuple(AI if below(3) < (1 if seat < peers else 2) else "" for seat in range(seats))
    settings = replace(settings, absent=ABSENT[below(len(ABSENT))], bot=AI)
    drawn = roster(peers, seats, settings, game, bots, **options)
    if below(2):
        further = tuple(range(peers, seats))
        held = [(peer, *(further if peer == 0 else ())) for peer in range(peers)]
        own = zip(drawn.peers, held, strict=True)
        drawn = replace(drawn, peers=tuple(replace(peer, seats=each) for peer, each in own))
    later = 0 if below(4) < 3 else below(LATEST)
    return replace(drawn, start=_at_round(game, drawn.header, later + 1)) if later else drawn


def _at_round(game: Game, header: Header, number: int) -> Plain:
    """Return what a game starts from that is continued anew in a round; ``None`` if it has none."""
    agents = [RandomAgent(KEY + b"%d" % seat) for seat in range(len(header.seats))]
    simulation = Simulation(game, replace(header, seed=KEY), agents, Chance(KEY))
    for request in requests(simulation):
        if isinstance(request, Round) and request.number == number:
            return game.snapshot(simulation.table)
    return None
