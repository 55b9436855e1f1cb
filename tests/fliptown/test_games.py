"""Whole games of random seats: invariants, records, rounds continued anew."""

from __future__ import annotations

from functools import cache

import pytest

from lanplay.engine.chance import Chance
from lanplay.engine.fields import HIDDEN
from lanplay.engine.fork import fork
from lanplay.engine.plain import decode, encode
from lanplay.engine.question import Phrase
from lanplay.engine.record import Header, Record, from_bytes
from lanplay.engine.replay import Replay, boundary
from lanplay.engine.requests import Choose, Deal, OpenRoll, Round, Shuffle
from lanplay.engine.simulation import Simulation
from lanplay.games import load
from lanplay.games.fliptown import summary, text
from lanplay.games.fliptown.map import ALL_CIRCLED, EDGES, MINE, POKER, TRAIL
from lanplay.games.fliptown.questions import Move
from lanplay.games.fliptown.turn import TurnWalk
from lanplay.tournament.income import income_of, sources_of
from lanplay_ai.random_agent import RandomAgent

GAME = load("fliptown")

SEATS = list(GAME.seats)
VARIANTS = [
    {},
    {"characters": "random"},
    {"characters": "random", "holdem": "best", "cowbot": "random", "guns": "english"},
    {"holdem": "each", "cowbot": "card", "level": "hard"},
    {"cowbot": "jane", "level": "easy", "jane": "cash", "rows": "points"},
]


def simulation(seats, seed=b"fliptown", options=None, start=None):
    header = Header("fliptown", options or {}, ("x",) * seats, seed, start)
    agents = [RandomAgent(seed + b"%d" % seat) for seat in range(seats)]
    return Simulation(GAME, header, agents, Chance(seed))


@cache
def played(seats, variant):
    game = simulation(seats, b"%d%d" % (seats, variant), VARIANTS[variant])
    game.table.log = []
    game.run()
    return game


def conserved(t):
    """Check what holds between any two requests."""
    hole = [each for cards in t.hole for each in cards]
    sheriff = [] if t.sheriff is None else [t.sheriff]
    every = [*t.deck, *t.discards, *t.flipped, *hole, *sheriff, *t.stolen]
    assert len(every) == len(set(every)) <= 52
    for s in t.sheets:
        counters = (s.cash, s.gold, s.stars, s.wanted, s.pans, s.hammers, s.uses)
        assert min(counters) >= 0
        assert max(s.pans, s.hammers) <= 4
        assert all(m | a == a for m, a in zip(s.circled, ALL_CIRCLED, strict=True))
        assert len(s.poker) <= 5
        for room in range(14):
            if s.circled[MINE] >> room & 1:
                sources = [source for source, _, _ in EDGES[room]]
                assert any(each < 0 or s.circled[MINE] >> each & 1 for each in sources)
    return len(every)


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
@pytest.mark.parametrize("seats", SEATS)
def test_nothing_is_lost_and_nobody_goes_below_zero(seats, variant):
    """FT-1.3, FT-2.1, FT-7: 52 cards, counters, reachable rooms; what is circled stays so."""
    game = simulation(seats, b"conserve%d" % variant, VARIANTS[variant])
    before = [s.copy() for s in game.table.sheets]
    choices = 0
    while (request := game.request) is not None:
        if isinstance(request, Choose):
            choices += 1
            assert conserved(game.table) == 52
            for old, s in zip(before, game.table.sheets, strict=True):
                assert all(a & b == a for a, b in zip(old.circled, s.circled, strict=True))
                assert s.circled[TRAIL] >= old.circled[TRAIL]
            before = [s.copy() for s in game.table.sheets]
        game.step()
    assert choices >= 15
    assert all(len(s.ranks) == 3 for s in game.table.sheets)


@pytest.mark.parametrize("seats", SEATS)
def test_whoever_is_asked_to_move_has_a_choice(seats):
    """FT-2.7: a turn that has nothing more to choose is not asked; a question never changes."""
    game = simulation(seats, b"choice", VARIANTS[1])
    asked, moves = 0, []
    while (request := game.request) is not None:
        if isinstance(request, Choose):
            for seat, question in request.questions.items():
                if isinstance(question, Move):
                    asked += 1
                    assert TurnWalk(question.sheet.copy(), question.turn).ask is not None
                    assert question.sheet == game.table.sheets[seat]
                    moves.append((question.sheet, question.sheet.copy()))
                    assert hash(question) == hash(Move(question.sheet.copy(), question.turn))
        game.step()
    assert asked >= 15 * seats
    assert all(sheet == before for sheet, before in moves)


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
@pytest.mark.parametrize("seats", SEATS)
def test_a_game_replays_from_its_public_record(seats, variant):
    """FT-2.7: answers and what was shown lead to the same state without any hidden face."""
    game = played(seats, variant)
    made = Record(game.header, tuple(game.referee.history), game.table.hash())
    replay = Replay(GAME, from_bytes(made.to_bytes()))
    replay.run()
    assert replay.table.hash() == game.table.hash()
    assert GAME.result(replay.table) == GAME.result(game.table)


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
@pytest.mark.parametrize("seats", SEATS)
def test_every_event_has_words(seats, variant):
    """FT-10.1: the log of a whole game can be read, and ends with who has won."""
    names = [f"seat {seat}" for seat in range(seats)]
    lines = [text.word(message, names) for message in played(seats, variant).table.log]
    assert all(line and "{" not in line for line in lines)
    assert len(lines) > 15 * seats


def test_every_question_and_option_has_words():
    """FT-2.2: questions, prompts, options and the seat's situation."""
    names = ["a", "b", "c", "d"]
    for seats in SEATS:
        game = simulation(seats, b"words", VARIANTS[seats % 3 + 1])
        while (request := game.request) is not None:
            if isinstance(request, Choose):
                for seat, question in request.questions.items():
                    assert text.word(Phrase(f"ask-{question.name}", question.values()), names)
                    walk_in_words(question.dialogue(game.views[seat]), names)
                    assert all(summary.situation(game.views[seat], names))
            game.step()


def walk_in_words(dialogue, names):
    try:
        step = next(dialogue)
        while True:
            assert text.word(step.prompt, names)
            lines = [text.word(option.label, names) for option in step.options]
            assert len(set(lines)) == len(lines) > 1
            step = dialogue.send(step.options[len(lines) // 2].value)
    except StopIteration:
        return


@pytest.mark.parametrize("variant", [0, 2, 3])
@pytest.mark.parametrize("seats", SEATS)
def test_a_round_can_be_started_from(seats, variant):
    """FT-2.1, FT-9.4: the boundary is plain data; only what nobody has seen is dealt anew."""
    game = simulation(seats, b"rounds", VARIANTS[variant])
    while (request := game.request) is not None:
        if isinstance(request, Round):
            start = decode(encode(GAME.snapshot(game.table)))
            found = boundary(GAME, game.header, game.referee.history, request.number)
            assert found.hash() == game.table.hash()
            anew = simulation(seats, b"anew", VARIANTS[variant], start)
            while not isinstance(anew.request, Round):
                assert isinstance(anew.request, Shuffle)
                anew.step()
            assert GAME.snapshot(anew.table) == start
            assert not anew.table.faces.keys() & set(anew.table.stolen)
            anew.run()
            assert len(anew.table.scores) == seats
        game.step()


@pytest.mark.parametrize("seats", [1, 3])
def test_an_impossible_start_is_refused(seats):
    """FT-1.1: every field left out, doubled or altered is found."""
    game = simulation(seats, b"start", VARIANTS[1])
    while not (isinstance(game.request, Round) and game.request.number == 2):
        game.step()
    start = GAME.snapshot(game.table)
    GAME.table(seats, {}, start)
    deck, stolen = start["cards"]
    (character, circled, ranks, counters), *others = start["sheets"]
    wrong = [(), {}, 7, {**start, "more": 1}]
    for name in start:
        wrong.append({other: start[other] for other in start if other != name})
        wrong += [{**start, name: odd} for odd in (-2, 9, (), "x", None, (HIDDEN,) * 99)]
    for each in ((deck[1:], stolen), (deck, (HIDDEN,)), (deck[1:], deck[:1]), (deck[::-1], stolen)):
        wrong.append({**start, "cards": each})
    for each in (
        (99, circled, ranks, counters),
        (character, (*circled[:4], 0), ranks, counters),
        (character, (1 << 20, *circled[1:]), ranks, counters),
        (character, circled, (*ranks, 1), counters),
        (character, circled, ranks, (-1, *counters[1:])),
    ):
        wrong.append({**start, "sheets": (each, *others)})
    for each in wrong:
        with pytest.raises(ValueError, match=r"\w"):
            GAME.table(seats, {}, each)


@pytest.mark.parametrize("seats", SEATS)
def test_no_slot_of_chance_is_used_twice(seats):
    """FT-2.7: every shuffle and every draw has a slot of its own."""
    game = simulation(seats, b"slots", VARIANTS[3])
    slots = []
    while (request := game.request) is not None:
        if isinstance(request, Shuffle | OpenRoll):
            slots.append(request.at)
        game.step()
    assert len(set(slots)) == len(slots) >= 3


def test_what_a_seat_is_dealt_nobody_else_knows():
    """FT-9.3, FT-6.2: before it is shown, a card is known to those who were dealt it."""
    game = simulation(3, b"secret", {"holdem": "each"})
    dealt = 0
    while (request := game.request) is not None:
        game.step()
        if isinstance(request, Deal):
            dealt += 1
            for card in request.cards:
                assert card in game.views[request.seat].own
                assert card not in game.table.faces
            others = [view for view in game.views if view.seat != request.seat]
            if len(request.cards) == 2:
                assert not any({*request.cards} & view.own.keys() for view in others)
    assert dealt >= 9


@pytest.mark.parametrize("steps", [5, 30, 50])
def test_a_fork_agrees_with_its_view_and_plays_to_the_end(steps):
    """FT-2.1: look-ahead from what a seat can see."""
    game = simulation(3, b"fork", VARIANTS[2])
    for _ in range(steps):
        game.step()
    while not isinstance(game.request, Choose):
        game.step()
    for view in game.views:
        agents = [RandomAgent(b"f%d" % seat) for seat in range(3)]
        twin = fork(GAME, view, b"key", agents)
        assert twin.table.hash() == game.table.hash()
        assert all(twin._faces[card] == face for card, face in view.own.items())
        twin.run()
        assert GAME.result(twin.table).winners


def test_what_is_counted_at_the_end_adds_up_to_the_score():
    """FT-10.1: the sources of income of a whole game; what the log tells is part of them."""
    t = played(4, 0).table
    got = dict(zip(sources_of(GAME), income_of(GAME, t), strict=True))
    counted = [name for name in got if name.endswith("_points")]
    for seat in range(4):
        assert sum(got[name][seat] for name in counted) == t.scores[seat]
        paid = [POKER[rank] for rank in t.sheets[seat].ranks]
        assert got["poker_stars"][seat] == sum(stars for _, stars in paid)
        assert got["poker_dollars"][seat] == sum(cash for cash, _ in paid)
