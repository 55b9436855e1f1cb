"""Whole games of random seats: invariants, records, rounds continued anew, words."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanplay.engine.chance import Chance
from lanplay.engine.fork import fork
from lanplay.engine.plain import decode, encode
from lanplay.engine.question import Phrase, answers
from lanplay.engine.record import Header, Record, from_bytes
from lanplay.engine.replay import Replay, boundary
from lanplay.engine.requests import Choose, Deal, OpenRoll, Round, Show, Shuffle
from lanplay.engine.simulation import Simulation
from lanplay.games import load
from lanplay.games.dogs_life import summary, text
from lanplay.games.dogs_life.actions import DELIVER, STEP, legal
from lanplay.games.dogs_life.plan import LAMP
from lanplay.games.dogs_life.questions import Act
from lanplay.games.dogs_life.town import NOWHERE, TOWN
from lanplay_ai.random_agent import RandomAgent
from tests.dogs_life.moving import is_passing
from tests.dogs_life.plain_bot import PlainBot

GAME = load("dogs-life")

SEATS = list(GAME.seats)


def simulation(seats, seed=b"dog", options=None, start=None, bot=PlainBot):
    header = Header("dogs-life", options or {}, ("x",) * seats, seed, start)
    agents = [bot(seed + b"%d" % seat) for seat in range(seats)]
    return Simulation(GAME, header, agents, Chance(seed))


@cache
def played(seats):
    """Return a whole game, alternately of random and of purposeful seats."""
    game = simulation(seats, b"%d" % seats, bot=RandomAgent if seats % 2 else PlainBot)
    game.table.log = []
    game.run()
    return game


def conserved(t):
    """Check what holds between any two requests."""
    assert t.supply + sum(t.bones) + sum(t.lying) + sum(t.buried) == 30
    lying = [card for papers in t.dropped.values() for card in papers]
    papers = [*t.stack, *lying, *[card for carried in t.papers for card in carried]]
    assert len(papers) == len(set(papers)) == 12
    assert all(t.dropped.values())
    assert TOWN.kiosk not in t.dropped
    assert t.searched.bit_count() < 15
    for seat in range(t.seats):
        assert t.bladder[seat] + t.reserve[seat] + t.marks.count(seat) == 8
        assert min(t.supply, t.bladder[seat], t.reserve[seat], t.bones[seat]) >= 0
        assert t.room(seat) >= 0
        assert t.bladder[seat] <= 2
        assert 0 <= t.hunger[seat] <= 4
        assert (t.place[seat] == NOWHERE) == (t.pound[seat] > 0)
        assert t.pound[seat] <= 4
        assert t.place[seat] not in set(TOWN.dens) - {t.home(seat)}
        assert set(t.papers[seat]) <= {*t.known[seat], *t.faces}
        assert 12 in t.decks[seat]
    assert all(TOWN.feature[n] == LAMP for n, seat in enumerate(t.marks) if seat >= 0)
    out = [place for place in t.place if place not in (NOWHERE, TOWN.pound)]
    assert len(set(out)) == len(out) or is_passing(t, t.active)
    assert (t.van, t.came) in TOWN.ways
    for seat, place in enumerate(t.place):
        if place in (NOWHERE, TOWN.pound):
            assert t.room(seat) == 2
    assert not t.lying[TOWN.pound]
    assert TOWN.pound not in t.dropped


@pytest.mark.parametrize("bot", [RandomAgent, PlainBot])
@pytest.mark.parametrize("seats", SEATS)
def test_nothing_is_lost_and_nothing_is_there_twice(seats, bot):
    """DL-1.5, DL-3.2, DL-3.6: 30 bones, 12 newspapers, 8 markers a dog, 15 bin markers."""
    game = simulation(seats, b"conserve", {"bones": "2"}, bot=bot)
    choices = 0
    while (request := game.request) is not None:
        if isinstance(request, Choose):
            choices += 1
            conserved(game.table)
            for seat, question in request.questions.items():
                assert seat == game.table.active
                if isinstance(question, Act):
                    assert question.options == legal(game.table, seat)
        game.step()
    conserved(game.table)
    assert choices > 20
    assert GAME.result(game.table).winners


@settings(max_examples=10, deadline=None)
@given(
    st.binary(min_size=1, max_size=8),
    st.sampled_from(SEATS),
    st.fixed_dictionaries({name: st.sampled_from(values) for name, values in GAME.options.items()}),
    st.sampled_from([PlainBot, RandomAgent]),
    st.integers(0, 400),
)
def test_any_moment_of_any_game(seed, seats, options, bot, steps):
    """DL-1.5, DL-3.2, DL-4.1, DL-4.2: with any options nothing is lost or doubled, what is offered
    is legal and distinct, and the state hashes and copies."""
    game = simulation(seats, seed, options, bot=bot)
    for _ in range(steps):
        if game.request is None:
            break
        game.step()
    if game.table.first >= 0:
        conserved(game.table)
    assert game.table.copy().hash() == game.table.hash()
    if isinstance(game.request, Choose):
        for seat, question in game.request.questions.items():
            found = list(answers(question, game.views[seat]))
            assert len(found) == len(set(found)) > 0
            for answer in found:
                question.check(answer)
                question.check_own(answer, game.views[seat])
            only_answer = question.only_answer(game.views[seat])
            assert only_answer == ((found[0],) if len(found) == 1 else None)


def test_purposeful_seats_do_all_that_can_be_done():
    """DL-3.1 to DL-3.9, DL-4.1: in some games everything happens that can."""
    seen = Counter()
    for number in range(15):
        game = simulation(4, b"all%d" % number)
        game.table.log = []
        game.run()
        seen.update(message.id for message in game.table.log)
        assert max(game.table.buried) == 4
        assert game.table.winners == (game.table.buried.index(4),)
    rare = {"deals-anew", "refuted"}
    assert seen.keys() >= text.TEXTS.more["events"].keys() - rare - {"leaves-bone", "drops-paper"}


@pytest.mark.parametrize("seats", SEATS)
def test_a_game_limited_by_rounds_ends(seats):
    """DL-4.2: after its rounds, or ten more."""
    game = simulation(seats, b"rounds", {"rounds": "10"}, bot=RandomAgent)
    game.run()
    assert 10 <= game.table.round <= 20
    result = GAME.result(game.table)
    assert result.scores == tuple(game.table.buried)
    leaders = [seat for seat, bones in enumerate(result.scores) if bones == max(result.scores)]
    assert list(result.winners) == leaders


@pytest.mark.parametrize("seats", SEATS)
def test_a_game_replays_from_its_public_record(seats):
    """DL-3.2: answers and what was shown lead to the same state, without any hidden face."""
    game = played(seats)
    made = Record(game.header, tuple(game.referee.history), game.table.hash())
    replay = Replay(GAME, from_bytes(made.to_bytes()))
    replay.run()
    assert replay.table.hash() == game.table.hash()
    assert GAME.result(replay.table) == GAME.result(game.table)


@pytest.mark.parametrize("seats", SEATS)
def test_every_event_has_words(seats):
    """DL-4.1: the log of a whole game can be read, and ends with who has won."""
    names = [f"seat {seat}" for seat in range(seats)]
    lines = [text.word(message, names) for message in played(seats).table.log]
    assert all(line and "{" not in line for line in lines)
    assert played(seats).table.log[-1].id == "wins"


@pytest.mark.parametrize("seats", SEATS)
def test_every_question_and_option_has_words(seats):
    """DL-3.2, DL-3.3: questions, prompts, options that differ, and the seat's situation."""
    names = [f"seat {seat}" for seat in range(seats)]
    game = simulation(seats, b"words", {"bones": "2"})
    while (request := game.request) is not None:
        if isinstance(request, Choose):
            for seat, question in request.questions.items():
                view = game.views[seat]
                assert text.word(Phrase(f"ask-{question.name}", question.values()), names)
                step = next(question.dialogue(view))
                lines = [text.word(option.label, names) for option in step.options]
                assert text.word(step.prompt, names)
                assert len(set(lines)) == len(lines) or any("newspaper" in line for line in lines)
                if len(game.referee.history) % 20 == 0:
                    assert all(summary.situation(view, names))
        game.step()


def test_every_place_dog_and_option_has_a_name():
    """DL-1.3, DL-1.4: no two places are called alike."""
    names = [text.place_name(place) for place in range(TOWN.size)]
    assert len(set(names)) == TOWN.size
    assert len({text.dog_name(dog) for dog in range(6)}) == 6
    assert {house.key for house in TOWN.houses} <= text.BUILDINGS.keys()


@pytest.mark.parametrize("seats", SEATS)
def test_a_round_can_be_started_from(seats):
    """DL-3.2 i: the boundary is plain data; hidden newspapers are dealt anew."""
    game = simulation(seats, b"start")
    rounds = 0
    while (request := game.request) is not None:
        if isinstance(request, Round) and request.number % 3 == 1:
            rounds += 1
            start = decode(encode(GAME.snapshot(game.table)))
            found = boundary(GAME, game.header, game.referee.history, request.number)
            assert found.hash() == game.table.hash()
            anew = simulation(seats, b"anew%d" % rounds, start=start)
            while not isinstance(anew.request, Round):
                assert isinstance(anew.request, Shuffle | Deal)
                anew.step()
            assert GAME.snapshot(anew.table) == start
            conserved(anew.table)
            for seat, papers in enumerate(anew.table.papers):
                assert set(papers) <= anew.views[seat].own.keys()
        game.step()
    anew.run()
    assert rounds >= 2


@pytest.mark.parametrize("seats", [2, 5])
def test_an_impossible_start_is_refused(seats):
    """DL-2.1: every field left out, doubled or altered is found."""
    game = simulation(seats, b"refused")
    while not (isinstance(game.request, Round) and game.request.number == 6):
        game.step()
    start = GAME.snapshot(game.table)
    GAME.table(seats, {}, start)
    stack, carried, dropped = start["papers"]
    wrong = [(), {}, 7, {**start, "more": 1}]
    for name in start:
        wrong.append({other: start[other] for other in start if other != name})
        wrong += [{**start, name: odd} for odd in (-2, 10**7, "x", None, (99,) * seats, ((1,),))]
    altered = {
        "dogs": [(0,) * seats],
        "dens": [(0,) * seats],
        "buried": [(4,) * seats],
        "bones": [(3,) * seats],
        "place": [(0,) * seats, (NOWHERE,) * seats, (start["van"][0], *start["place"][1:])],
        "decks": [((0, 1),) * seats, ((12, 1),) * seats, ((12, 12),) * seats, ((13,),) * seats],
        "marks": [((TOWN.bins[0], 0),), ((TOWN.lamps[1], 0), (TOWN.lamps[0], 0))],
        "lying": [((0, 31),), ((0, 0),), ((1, 1), (0, 1)), ((999, 1),)],
        "papers": [
            (stack[1:], carried, dropped),
            (stack, carried, ((TOWN.kiosk, (-1,)),)),
            (stack[3:], (stack[:3], *carried[1:]), dropped),
            (stack, carried, ((3, ()),)),
        ],
        "searched": [(1 << 15) - 1],
        "van": [(0, 0), (0, 95), (999, 0)],
    }
    wrong += [{**start, name: each} for name, several in altered.items() for each in several]
    if dropped == () and max(map(len, carried)) < 2:
        assert len(wrong) > 100
    for each in wrong:
        if each == start:
            continue
        try:
            GAME.table(seats, {}, each)
        except ValueError as error:
            assert str(error)
        else:
            raise AssertionError({k: v for k, v in each.items() if v != start.get(k)})


def test_nothing_is_in_the_pound_at_a_start():
    """DL-3.2 k, DL-3.3, DL-3.8: whoever comes there has dropped everything where it was."""
    game = simulation(2, b"pound")
    while not isinstance(game.request, Round):
        game.step()
    start = GAME.snapshot(game.table)
    (stack, _, _), inside = start["papers"], (TOWN.pound, game.table.place[1])
    empty = {**start, "place": inside}
    assert GAME.table(2, {}, empty).place == list(inside)
    for odd in (
        {"bones": (1, 0)},
        {"lying": ((TOWN.pound, 1),)},
        {"papers": (stack[1:], (stack[:1], ()), ())},
        {"papers": (stack[1:], ((), ()), ((TOWN.pound, stack[:1]),))},
        {"place": (NOWHERE, inside[1]), "pound": (1, 0), "bones": (1, 0)},
    ):
        with pytest.raises(ValueError, match="in the pound"):
            GAME.table(2, {}, {**empty, **odd})
    GAME.table(2, {}, {**empty, "bones": (0, 1)})


def test_who_stands_on_a_newspaper_at_a_start_sees_its_address():
    """DL-3.2 d: as does its carrier; the other seat does not."""
    game = simulation(2, b"stand")
    while not isinstance(game.request, Round):
        game.step()
    start = GAME.snapshot(game.table)
    (stack, _, _), home = start["papers"], game.table.place[0]
    start = {**start, "papers": (stack[2:], ((), stack[:1]), ((home, stack[:1]),))}
    anew = simulation(2, b"stand", start=start)
    while not isinstance(anew.request, Round):
        anew.step()
    t = anew.table
    assert t.known == [t.dropped[home], t.papers[1]]
    assert all(
        set(known) <= view.own.keys() for known, view in zip(t.known, anew.views, strict=True)
    )


def test_a_ninth_marker_is_refused():
    """DL-1.5, DL-2.1: eight for a dog, on spaces and in the bladder."""
    game = simulation(2, b"marks")
    while not isinstance(game.request, Round):
        game.step()
    start = {**GAME.snapshot(game.table), "bladder": (2, 2)}
    for count in (6, 7):
        marked = {**start, "marks": tuple([(place, 0) for place in TOWN.lamps[:count]])}
        if count == 6:
            assert GAME.table(2, {}, marked).reserve == [0, 6]
        else:
            with pytest.raises(ValueError, match="8"):
                GAME.table(2, {}, marked)


@pytest.mark.parametrize("seats", SEATS)
def test_no_slot_of_chance_is_used_twice(seats):
    """DL-3.2, DL-3.3: every lot and every shuffle belongs to a step of a turn."""
    game = simulation(seats, b"slots")
    slots = []
    while (request := game.request) is not None:
        if isinstance(request, Shuffle | OpenRoll):
            slots.append(request.at)
        game.step()
    assert len(set(slots)) == len(slots) > 20


def test_an_address_is_known_to_those_who_saw_it():
    """DL-3.2 d, i, j: to the carrier and to whoever has been where it lies; to all once shown."""
    dealt = shown = 0
    for number in range(3):
        game = simulation(5, b"secret%d" % number, {"rounds": "30"})
        seen = [set() for _ in game.views]
        while (request := game.request) is not None:
            if isinstance(request, Choose):
                each_knows_what_it_has_seen(game, seen)
            dealt += isinstance(request, Deal)
            shown += isinstance(request, Show)
            game.step()
    assert dealt > shown > 3


def each_knows_what_it_has_seen(game, seen):
    """Check that seats know the addresses of what they carry or have stood on, and no others.

    ``seen`` is what each seat has seen before, and is kept up to date: a newspaper that has been
    shuffled back is a new one.
    """
    t = game.table
    lying = [card for papers in t.dropped.values() for card in papers]
    live = {*t.stack, *lying, *[card for papers in t.papers for card in papers]}
    assert not live & t.faces.keys()
    for seat, view in enumerate(game.views):
        seen[seat] |= {*t.papers[seat], *t.dropped.get(t.place[seat], ())}
        seen[seat] &= live
        assert live & view.own.keys() == seen[seat] == set(t.known[seat])
        assert not seen[seat] & {*t.stack}


def test_a_delivery_is_claimed_at_its_address_only():
    """DL-3.2 j: nobody who keeps to the rules is refuted."""
    game = simulation(4, b"claims", {"rounds": "30"})
    game.table.log = []
    claims = 0
    while (request := game.request) is not None:
        if isinstance(request, Choose):
            ((_, question),) = request.questions.items()
            if isinstance(question, Act):
                offered = [code for code in question.options if code // STEP == DELIVER]
                claims += len(offered)
        game.step()
    assert claims
    assert "refuted" not in [message.id for message in game.table.log]


@pytest.mark.parametrize("steps", [20, 300, 600])
def test_a_fork_agrees_with_its_view_and_plays_to_the_end(steps):
    """DL-3.2: look-ahead from what a seat can see."""
    game = simulation(3, b"fork", {"rounds": "30"})
    for _ in range(steps):
        game.step()
    while not isinstance(game.request, Choose):
        game.step()
    for view in game.views:
        twin = fork(GAME, view, b"key", [PlainBot(b"%d" % seat) for seat in range(3)])
        assert twin.table.hash() == game.table.hash()
        assert all(twin._faces[card] == face for card, face in view.own.items())
        twin.run()
        assert GAME.result(twin.table).winners


def test_unknown_tables_are_refused():
    """DL-1.1, DL-4.1: seats and options."""
    for seats, options in ((1, {}), (7, {}), (3, {"bones": "1"}), (3, {"rain": "yes"})):
        with pytest.raises(ValueError):
            GAME.table(seats, options)
    assert GAME.table(2, {}).goal == 4
    assert (GAME.table(2, {"rounds": "15"}).goal, GAME.table(2, {"rounds": "15"}).rounds) == (0, 15)
