"""Games continued anew from a round boundary: public things stay, hidden cards are dealt again."""

from __future__ import annotations

from functools import cache
from itertools import chain, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.fields import HIDDEN
from lanplay.engine.fork import fork
from lanplay.engine.plain import decode, encode
from lanplay.engine.record import Header, Record, RecordError, from_bytes
from lanplay.engine.replay import Replay, boundary
from lanplay.engine.requests import Choose, Deal, Round, Shuffle
from lanplay.engine.simulation import Simulation
from lanplay.games import load
from lanplay.games.dice_town.cards import CARDS, JOE, STORE_FACES, kind
from lanplay.games.dice_town.text import word
from tests.dice_town.script import card

GAME = load("dice-town")

TABLES = [
    (seats, {"claim_row": claims, "brute": "free"})
    for seats, claims in product((2, 3, 4, 5), ("recycle", "slide"))
]
PLACES = ("deck", "discards", "claims", "row")
OF_SEATS = ("hands", "deeds", "fences")
JOE_FACE = card(JOE)


def simulation(header, seed, bot="random"):
    agents = [ai.make(bot, seed + b"%d" % seat, "dice-town") for seat in range(len(header.seats))]
    return Simulation(GAME, header, agents, Chance(seed))


@cache
def played(table, seed):
    """Return a whole game and what it was at each of its round boundaries."""
    seats, options = TABLES[table]
    header = Header(GAME.name, options, ("x",) * seats, seed)
    game = simulation(header, seed)
    stops = []
    while game.request is not None:
        if isinstance(game.request, Round):
            stops.append((game.table.copy(), len(game.referee.history), truth(game)))
        game.step()
    return game, stops


def truth(game):
    """Return the face of every card that is still of the game, by its handle."""
    return {one: game._faces[one] for one in chain(*places(game.table))}


def places(t):
    return [
        *(getattr(t, name) for name in PLACES),
        *chain(*(getattr(t, name) for name in OF_SEATS)),
    ]


def continued(old, t, seed=b"anew", bot="random"):
    """Return the simulation of a game continued from the boundary table of another."""
    header = old.views[0].header
    start = decode(encode(GAME.snapshot(t)))
    again = Header(header.game, header.options, header.seats, seed, start)
    return simulation(again, seed, bot)


def at_boundary(game):
    """Bring a continued game to its first round."""
    while not isinstance(game.request, Round):
        game.step()
    return game


stopped = st.tuples(
    st.integers(0, len(TABLES) - 1), st.sampled_from([b"a", b"b", b"c"]), st.integers(0, 30)
)


def stop(where):
    table, seed, number = where
    game, stops = played(table, seed)
    return game, *stops[number % len(stops)]


@given(stopped)
@settings(deadline=None, max_examples=60)
def test_a_continued_game_runs_to_its_end(where):
    """From any round boundary the rounds go on from the next number to a result."""
    old, t, _, _ = stop(where)
    game = continued(old, t)
    assert at_boundary(game).request == Round(t.round + 1)
    game.run()
    assert GAME.result(game.table).winners
    assert game.table.round > t.round


@given(stopped)
@settings(deadline=None, max_examples=60)
def test_what_is_public_is_the_same_before_and_after(where):
    """Goods, badge, round and public cards stay; every place has as many hidden cards as before."""
    old, t, _, _ = stop(where)
    game = at_boundary(continued(old, t))
    assert GAME.snapshot(game.table) == GAME.snapshot(t)
    before, after = t.public(), game.table.public()
    for name in ("faces", "shuffles", *PLACES, *OF_SEATS):
        del before[name], after[name]
    assert before == after


@given(stopped)
@settings(deadline=None, max_examples=60)
def test_every_card_of_the_game_is_there_once(where):
    """All faces are conserved, backs stay apart, and Nervous Joe is in no hand (DT-6.8)."""
    old, t, _, _ = stop(where)
    game = at_boundary(continued(old, t))
    faces = truth(game)
    assert sorted(faces.values()) == list(range(CARDS))
    new = game.table
    store = [faces[one] for one in (*new.deck, *new.discards, *chain(*new.hands))]
    assert sorted(store) == list(STORE_FACES)
    assert not any(kind(faces[one]) == JOE for one in chain(*new.hands))
    assert all(faces[one] == face for one, face in new.faces.items())


@given(stopped)
@settings(deadline=None, max_examples=60)
def test_a_seat_knows_its_own_new_hand_and_nothing_else(where):
    """Nothing that was known of the old cards carries over: only the own hand is dealt."""
    old, t, _, _ = stop(where)
    game = at_boundary(continued(old, t))
    for seat, view in enumerate(game.views):
        hand = [one for one in game.table.loot(seat) if one not in game.table.faces]
        assert sorted(view.own) == sorted(hand)
        assert not any(one < CARDS for one in view.own)


def test_hidden_cards_are_dealt_anew():
    """Another seed deals other faces: hands and deck do not hang on those of the old game."""
    old, stops = played(4, b"b")
    t, _, faces = stops[-1]
    deals = set()
    for number in range(20):
        game = at_boundary(continued(old, t, b"%d" % number))
        deals.add(tuple(truth(game)[one] for one in game.table.deck))
    assert len(deals) == 20
    assert tuple(faces[one] for one in t.deck) not in deals


def test_nervous_joe_is_anywhere_in_deck_and_discards():
    """DT-6.8: Joe, if hidden, is shuffled into what is no hand, after the hands have theirs."""
    old, t = next(
        (game, t)
        for game, stops in (played(n, seed) for n in range(8) for seed in (b"a", b"b", b"c"))
        for t, _, faces in reversed(stops)
        if any(t.hands) and any(faces[one] == JOE_FACE for one in t.deck) and len(t.deck) < 8
    )
    seen = set()
    for number in range(60):
        game = at_boundary(continued(old, t, b"%d" % number))
        faces = truth(game)
        cards = [*game.table.deck, *game.table.discards]
        seen.add([faces[one] for one in cards].index(JOE_FACE))
    cards = enumerate((*t.deck, *t.discards))
    assert seen == {place for place, one in cards if one not in t.faces}


def test_the_cards_are_shuffled_by_ordinary_requests():
    """The new table needs nothing of a driver that it does not have: ``Shuffle`` and ``Deal``."""
    old, stops = played(0, b"b")
    game = continued(old, stops[-1][0])
    kinds = []
    while not isinstance(game.request, Round):
        kinds.append(type(game.request))
        game.step()
    assert set(kinds) == {Shuffle, Deal}


@given(stopped, st.booleans())
@settings(deadline=None, max_examples=40)
def test_a_record_of_a_continued_game_is_replayed(where, whole):
    """The start travels in the header: a file of the game, whole or cut short, leads to its end."""
    old, t, _, _ = stop(where)
    game = continued(old, t, bot="steady")
    asked = 0
    while game.request is not None and (whole or asked < 9):
        game.step()
        asked += isinstance(game.request, Choose)
    header = game.views[0].header
    over = game.request is None
    made = Record(header, game.referee.history, game.table.hash(), finished=over)
    replay = Replay(GAME, from_bytes(made.to_bytes()))
    replay.run()
    assert replay.table.hash() == game.table.hash()


@given(stopped)
@settings(deadline=None, max_examples=40)
def test_the_boundary_is_found_in_header_and_history(where):
    """``boundary`` rebuilds the table of any round from the public record, or of the last one."""
    old, t, entries, _ = stop(where)
    header, history = old.views[0].header, old.referee.history
    assert boundary(GAME, header, history, t.round + 1).hash() == t.hash()
    later = boundary(GAME, header, history[: entries + 1])
    assert GAME.snapshot(later) == GAME.snapshot(t)
    assert boundary(GAME, header, history, 99) is None


def test_before_the_first_round_there_is_no_boundary():
    """A game that has not come to a round cannot be continued, only begun again."""
    old, _ = played(0, b"a")
    assert boundary(GAME, old.views[0].header, ()) is None


def test_a_continued_game_can_be_continued():
    """Boundaries of a continued game are like any others; a fork of it agrees with its view."""
    old, stops = played(6, b"a")
    once = continued(old, stops[2][0])
    while not isinstance(once.request, Round) or once.table.round < stops[2][0].round + 2:
        once.step()
    t = boundary(GAME, once.views[0].header, once.referee.history)
    twice = continued(once, t, b"twice")
    twice.run()
    assert GAME.result(twice.table).winners


@pytest.mark.parametrize("steps", [6, 60, 200])
@pytest.mark.parametrize("table", [0, 3, 6])
def test_a_continued_game_can_be_forked(table, steps):
    """A fork has the public state and every face that its seat knows, and can be finished."""
    old, stops = played(table, b"b")
    for t in (stops[1][0], stops[len(stops) // 2][0]):
        game = continued(old, t)
        for _ in range(steps):
            if game.request is not None:
                game.step()
        while game.request is not None and not isinstance(game.request, Choose):
            game.step()
        for view in game.views:
            agents = [
                ai.make("steady", b"%d" % seat, "dice-town") for seat in range(game.table.seats)
            ]
            twin = fork(GAME, view, b"key", agents)
            assert twin.table.hash() == game.table.hash()
            assert all(twin._faces[one] == face for one, face in view.own.items())
            assert all(twin._faces[one] == face for one, face in game.table.faces.items())
            live = list(chain(*places(twin.table)))
            assert len({twin._faces[one] for one in live}) == len(live)
            twin.run()


def test_the_new_deal_has_words():
    """The log says that hidden cards were dealt anew, and how many."""
    old, stops = played(0, b"a")
    t = stops[1][0]
    hidden = sum(one not in t.faces for one in chain(*places(t)))
    game = continued(old, t)
    log = game.table.log = []
    at_boundary(game)
    text = [word(message, ("a", "b")) for message in log]
    assert text == [f"Shuffled and dealt anew, face down: {hidden} cards."]


def changed(start, **changes):
    return {name: changes.get(name, value) for name, value in start.items()}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda s: None if s is None else 7,
        lambda s: dict(reversed(s.items())),
        lambda s: {name: value for name, value in s.items() if name != "mine"},
        lambda s: changed(s, bank=s["bank"] + 1),
        lambda s: changed(s, bank=-1, coach=s["coach"] + s["bank"] + 1),
        lambda s: changed(s, mine=s["mine"] - 1),
        lambda s: changed(s, mine=True),
        lambda s: changed(s, round="1"),
        lambda s: changed(s, round=-1),
        lambda s: changed(s, sheriff=3),
        lambda s: changed(s, dollars=(*s["dollars"], 0)),
        lambda s: changed(s, nuggets=None),
        lambda s: changed(s, deck=(*s["deck"], HIDDEN)),
        lambda s: changed(s, deck=(0, 0, *s["deck"][2:])),
        lambda s: changed(s, deck=(30, *s["deck"][1:])),
        lambda s: changed(s, deck=(-2, *s["deck"][1:])),
        lambda s: changed(s, deck=(None, *s["deck"][1:])),
        lambda s: changed(s, deck=list(s["deck"])),
        lambda s: changed(s, hands=s["hands"][1:]),
        lambda s: changed(s, hands=((0,), 3, ())),
        lambda s: changed(s, deck=s["deck"][1:], hands=((JOE_FACE,), *s["hands"][1:])),
        lambda s: changed(s, row=(HIDDEN, *s["row"][1:])),
        lambda s: changed(s, row=s["row"][1:], claims=(*s["claims"], s["row"][0])),
        lambda s: changed(s, row=(*s["row"], HIDDEN), claims=s["claims"][1:]),
        lambda s: changed(s, claims=s["claims"][1:], fences=((HIDDEN,), (), ())),
    ],
)
def test_a_start_that_cannot_be_is_refused(spoil):
    """Whatever a record or a stranger names as a start, what no game leads to is refused."""
    seats, options = 3, {"claim_row": "recycle", "brute": "free"}
    header = Header(GAME.name, options, ("x",) * seats, b"spoil")
    game = at_boundary(simulation(header, b"spoil"))
    start = GAME.snapshot(game.table)
    GAME.table(seats, options, start)
    bad = spoil(start)
    with pytest.raises(ValueError):
        GAME.table(seats, options, bad)
    record = Record(Header(GAME.name, options, ("x",) * seats, start=bad), (), b"")
    with pytest.raises(RecordError, match="table that is not possible"):
        Replay(GAME, record)


def test_nervous_joe_in_the_only_hidden_cards_of_hands_is_refused():
    """DT-6.8: if he can be nowhere but in a hand, somebody hides him: nothing to go on from."""
    start = GAME.snapshot(GAME.table(2, {}))
    start["deck"] = tuple(face for face in STORE_FACES if face != JOE_FACE)
    start["hands"] = ((HIDDEN,), ())
    with pytest.raises(ValueError, match="Joe"):
        GAME.table(2, {}, start)
