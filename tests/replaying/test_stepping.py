"""Stepping through records: by move and round, as the public or a seat saw it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.knowledge import PrivateKnowledge, load_knowledge
from lanplay.engine.plain import encode
from lanplay.engine.record import Header, Record, RecordError, from_bytes
from lanplay.engine.replay import Replay
from lanplay.engine.requests import Choose, Deal, Mix, Roll, Round
from lanplay.engine.simulation import Simulation
from lanplay.engine.stepper import Stepper
from lanplay.games import load
from tests.replica.harness import Table, roster
from tests.replica.test_audit import record_of

GAME = load("dice-town")
SEED = b"luck".ljust(32, b"!")


def simulated(seed=SEED, seats=4, bot="random"):
    """Return a whole game of bots: its record, and what every seat saw."""
    options = {name: values[0] for name, values in GAME.options.items()}
    header = Header(GAME.name, options, tuple("ABCDE"[:seats]), seed)
    agents = [ai.make(bot, bytes([seat]) * 32, "dice-town") for seat in range(seats)]
    game = Simulation(GAME, header, agents, Chance(seed))
    seen = PrivateKnowledge(range(seats))
    while (request := game.request) is not None:
        game.step()
        if isinstance(request, Roll):
            for seat in request.dice:
                seen.rolled(seat, request.at, game.views[seat].cup)
        elif isinstance(request, Deal | Mix):
            seen.dealt(request.seat, game.views[request.seat].own)
    record = Record(header, game.referee.history, game.table.hash())
    return from_bytes(record.to_bytes()), seen


@pytest.fixture(scope="module")
def whole():
    """A whole game of four bots."""
    return simulated()


def public(record):
    """Return the record as if it had been played between peers: without a seed."""
    return replace(record, header=replace(record.header, seed=None))


def told(stepper):
    return [event for position in stepper.positions for event in position.events]


def known(view):
    return view.seat, view.cup, view.own


def test_the_positions_tell_what_the_replay_tells(whole):
    """All events of the game come once and in order, whoever's faces are known."""
    record, seen = whole
    replay = Replay(GAME, public(record))
    replay.table.log = []
    replay.run()
    for stepper in (Stepper(GAME, record), Stepper(GAME, public(record), seen)):
        assert told(stepper) == replay.table.log
        assert stepper.positions[-1].public.table.hash() == record.state_hash


def test_a_game_of_one_machine_is_open_and_one_between_peers_is_not(whole):
    """The seed tells every seat's faces; without it, and without a private file, nobody's."""
    record, seen = whole
    assert Stepper(GAME, record).known == (0, 1, 2, 3)
    assert Stepper(GAME, public(record)).known == ()
    own = PrivateKnowledge([2])
    own.cards, own.cups = seen.cards, seen.cups
    assert Stepper(GAME, public(record), own).known == (2,)


@settings(max_examples=10, deadline=None)
@given(st.binary(min_size=32, max_size=32), st.integers(2, 5))
def test_a_private_file_shows_what_the_seed_shows(seed, seats):
    """At every position each seat's cup and cards are the same, from either source."""
    record, seen = simulated(seed, seats)
    opened, own = Stepper(GAME, record), Stepper(GAME, public(record), seen)
    assert len(opened.positions) == len(own.positions)
    for one, other in zip(opened.positions, own.positions, strict=True):
        assert one.asked == other.asked
        for seat in range(seats):
            assert known(one.views[seat]) == known(other.views[seat])


def test_what_the_public_saw_has_no_hidden_face(whole):
    """The public view knows no card that does not lie open, no cup and no seed."""
    for position in Stepper(GAME, whole[0]).positions:
        assert not position.public.own
        assert not position.public.cup
        for view in (position.public, *position.views.values()):
            assert view.header.seed is None


def test_steps_go_forward_and_back_by_move(whole):
    """Forward from the start reaches the end, back from there the start, through all positions."""
    stepper = Stepper(GAME, whole[0])
    assert not stepper.back()
    way = [stepper.now]
    while stepper.forward():
        way.append(stepper.now)
    assert tuple(way) == tuple(stepper.positions)
    back = [stepper.now]
    while stepper.back():
        back.append(stepper.now)
    assert back == way[::-1]


def test_moves_count_from_one_in_each_round(whole):
    """Rounds ascend, and the moves of each are 1, 2, 3 and so on."""
    stepper = Stepper(GAME, whole[0])
    rounds = [position.round for position in stepper.positions]
    assert rounds == sorted(rounds)
    assert set(rounds) == set(range(stepper.rounds + 1))
    for number in set(rounds):
        moves = [each.move for each in stepper.positions if each.round == number]
        assert moves == list(range(1, len(moves) + 1))
        stepper.to_round(number)
        assert stepper.moves == len(moves)


def test_steps_go_by_round(whole):
    """The next round's first move; this round's first move, and from there the one before."""
    stepper = Stepper(GAME, whole[0])
    assert stepper.next_round()
    assert (stepper.now.round, stepper.now.move) == (1, 1)
    assert stepper.now.events[-1].id == "round"
    stepper.next_round()
    stepper.forward()
    assert stepper.previous_round()
    assert (stepper.now.round, stepper.now.move) == (2, 1)
    assert stepper.previous_round()
    assert (stepper.now.round, stepper.now.move) == (1, 1)
    assert stepper.to_end()
    assert not stepper.next_round()
    assert not stepper.to_round(99)


def test_stepping_changes_no_position(whole):
    """A table that was shown is the same when it is come back to."""
    stepper = Stepper(GAME, whole[0])
    before = [position.public.table.hash() for position in stepper.positions]
    stepper.to_end()
    assert [position.public.table.hash() for position in stepper.positions] == before
    assert len(set(before)) > len(before) // 2


def moments(seed=SEED, seats=4):
    """Play the game once more; return what stood at each round and question, as it was then."""
    options = {name: values[0] for name, values in GAME.options.items()}
    header = Header(GAME.name, options, tuple("ABCDE"[:seats]), seed)
    agents = [ai.make("random", bytes([seat]) * 32, "dice-town") for seat in range(seats)]
    game, found = Simulation(GAME, header, agents, Chance(seed)), {}
    while True:
        request = game.request
        if request is None or isinstance(request, Choose | Round):
            asked = request.questions if isinstance(request, Choose) else {}
            history = encode(tuple(game.referee.history))
            found[history, bool(asked)] = (
                game.table.hash(),
                {view.seat: (view.cup, dict(view.own)) for view in game.views},
                dict(asked),
            )
        if request is None:
            return found
        game.step()


def test_going_back_brings_what_was_known_then(whole):
    """From the end to the start: table, history, questions, and of every seat its dice and cards as
    it knew them at that moment, none that it came to know later."""
    then, (record, seen) = moments(), whole
    for stepper in (Stepper(GAME, record), Stepper(GAME, public(record), seen)):
        stepper.to_end()
        visited = 0
        while True:
            now = stepper.now
            table, views, asked = then[encode(tuple(now.public.history)), bool(now.asked)]
            assert now.public.table.hash() == table
            assert now.asked == asked
            for seat, view in now.views.items():
                assert (view.cup, view.own) == views[seat]
                assert view.history == now.view(seat).history == now.public.history
                assert view.table.hash() == table
            visited += 1
            if not stepper.back():
                break
        assert visited == len(stepper.positions) > 100


def test_a_game_that_was_not_finished_steps_to_where_it_stopped(whole):
    """A record that ends anywhere has positions up to there."""
    record = whole[0]
    for cut in (0, 1, 57, len(record.history) - 1):
        short = replace(record, history=record.history[:cut], finished=False)
        replay = Replay(GAME, short)
        while replay.advance():
            pass
        short = replace(short, state_hash=replay.table.hash())
        for each in (short, public(short)):
            stepper = Stepper(GAME, each)
            assert stepper.positions[-1].public.table.hash() == short.state_hash


def test_a_record_that_does_not_hold_is_refused(whole):
    """An altered answer, or a seed that leads elsewhere, is a RecordError."""
    record = whole[0]
    with pytest.raises(RecordError, match="state"):
        Stepper(GAME, replace(record, state_hash=bytes(32)))
    other = replace(record, header=replace(record.header, seed=bytes(32)))
    with pytest.raises(RecordError, match="state"):
        Stepper(GAME, other)


@pytest.fixture(scope="module")
def between_peers():
    """A game between three peers, broken off in round 3; one of them was started again."""
    table = Table(roster(3, seats=4), seed=b"stepping")
    table.start()
    table.run(lambda t: t.replicas[1].context.referee.table.round > 1, seconds=900)
    table.kill(1)
    table.restart(1)
    table.run(all_decide, seconds=900)
    return table


def all_decide(table):
    """Tell whether somebody decides in round 3, as all peers know."""
    referees = [replica.context.referee for replica in table.replicas]
    return all(each.table.round > 2 and isinstance(each.request, Choose) for each in referees)


@pytest.mark.parametrize("peer", [0, 1, 2])
def test_between_peers_each_sees_its_own_seats_again(between_peers, peer, tmp_path):
    """What a replica saw ends up in its private file, also across a crash, and nothing else."""
    record, context = record_of(between_peers, peer), between_peers.replicas[peer].context
    assert context.seen.seats == between_peers.roster.peers[peer].seats
    context.seen.save(tmp_path / "game.lanplay", record.state_hash)
    stepper = Stepper(GAME, record, load_knowledge(tmp_path / "game.lanplay", record.state_hash))
    last = stepper.positions[-1]
    for seat in context.seen.seats:
        view = context.views[seat]
        assert last.views[seat].own == view.own
        assert last.views[seat].cup == view.cup
        assert stepper.positions[stepper.at].views.keys() == set(context.seen.seats)


def test_a_private_file_is_read_by_its_owner_only(whole, tmp_path):
    """Mode 0600; what comes back is what was kept; another game's is ignored."""
    record, seen = whole
    path = seen.save(tmp_path / "game.lanplay", record.state_hash)
    assert path.name == "game.private"
    assert path.stat().st_mode & 0o077 == 0
    again = load_knowledge(tmp_path / "game.lanplay", record.state_hash)
    assert (again.seats, again.cards, again.cups) == (seen.seats, seen.cards, seen.cups)
    assert load_knowledge(tmp_path / "game.lanplay", bytes(32)) is None
    assert load_knowledge(tmp_path / "other.lanplay", record.state_hash) is None


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_a_damaged_private_file_is_a_value_error(tmp_path_factory, data):
    """Cut off or altered anywhere, it is refused by name."""
    folder = tmp_path_factory.mktemp("private")
    seen = PrivateKnowledge([0])
    seen.rolled(0, (1, "x"), (1, 2, 3))
    path = seen.save(folder / "game.lanplay", bytes(32))
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        del content[place:]
    else:
        content[place] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"game\.private"):
        load_knowledge(folder / "game.lanplay", bytes(32))
