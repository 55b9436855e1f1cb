"""What a reader of docs/protocol.md tried: words outside of the transcript, and third bodies."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from lanplay_protocol.chat import Chat
from lanplay_protocol.pausing import LENGTH, MOST
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.events import Restarted
from lanplay_protocol.replica.messages import StatusMessage, read, sign
from tests.replica.harness import identity
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring
from tests.replica.test_led_astray import deliver
from tests.replica.test_paused_alone import word
from tests.wire.test_pausing import Room

LIAR, VICTIM, OTHERS = 2, 1, (0, 3)
HONEST = (0, 1, 3)


# --- a pause that stops one clock alone -----------------------------------------------------------


def tell(room, place, *words):
    """Let the liar's link to a peer bring words, before anything else comes."""
    for each in words:
        room.handle(place, room.talks[place].receive(LIAR, each, room.now))


def alike(room):
    """Tell whether the clocks of all honest peers stand, or go."""
    return len({bool(room.talks[p].paused_by(room.now)) for p in HONEST}) == 1


def pause(room, number, turn=0):
    return word(room.table, number, "pause", (LIAR, turn))


def go(room, number, *pauses):
    return word(room.table, number, "go", (LIAR, tuple(each[3] for each in pauses)))


def paused():
    """A table that the liar has paused, and its word."""
    room = Room(4)
    room.now = 100.0
    asked = pause(room, 1)
    for p in HONEST:
        tell(room, p, asked)
    room.run()
    return room, asked


def test_more_pauses_than_a_seat_has_stop_all_clocks_or_none():
    """Which three of a seat's pauses count does not hang on the order in which they are heard."""
    room = Room(4)
    room.now = 100.0
    first, last = [pause(room, n + 1, n) for n in range(MOST)], pause(room, MOST + 1, MOST - 1)
    for other in OTHERS:
        tell(room, other, *first, go(room, 10, *first))
    tell(room, VICTIM, last)
    room.run()
    assert alike(room)
    room.wait(45)
    assert alike(room)


def test_a_pause_that_ends_for_some_ends_for_all_though_its_end_shares_a_number():
    """A word is known by what was signed, and not by a number that its author may use twice."""
    room, asked = paused()
    for other in OTHERS:
        tell(room, other, go(room, 2, asked))
    tell(room, VICTIM, word(room.table, 2, "say", (LIAR, "x")))
    room.run()
    assert alike(room)


def test_what_its_author_says_beside_does_not_crowd_out_the_end_of_its_pause():
    """The end of a pause is heard by all, however many words of its author came before it."""
    room, asked = paused()
    tell(room, VICTIM, *(word(room.table, n, "say", (LIAR, "x")) for n in range(2, 98)))
    for other in OTHERS:
        tell(room, other, go(room, 1000, asked))
    room.run()
    assert alike(room)


def test_a_restarted_program_knows_which_pauses_are_spent():
    """Its own person's fourth pause is refused where it is asked for, as by all others."""
    room = Room(4)
    for _ in range(MOST):
        room.pause(VICTIM)
        room.go(VICTIM)
    room.talks[VICTIM] = Chat(room.table, VICTIM, identity(VICTIM), 5000)
    for other in (0, 2, 3):
        room.meet(VICTIM, other)
    with suppress(ValueError):
        room.pause(VICTIM)
    assert alike(room)


def test_a_pause_that_was_over_before_it_is_heard_stops_nobody():
    """Who was away during all of it is given it by a liar, when it is over for all others."""
    room = Room(4)
    room.now = 100.0
    room.down = {frozenset((VICTIM, p)) for p in (0, 2, 3)}
    asked = pause(room, 1)
    for other in OTHERS:
        tell(room, other, asked)
    room.run()
    room.wait(LENGTH + 1)
    for other in OTHERS:
        room.meet(VICTIM, other)
    tell(room, VICTIM, asked)
    room.run()
    assert alike(room)


# --- what was said for one loss counts in another -------------------------------------------------


def test_a_vote_for_a_new_game_is_for_the_loss_in_which_it_was_given():
    """Enough came back, and play went on: a later loss asks its people again."""
    table = begun(4, seed=b"anew")
    table.run(lambda t: all(r.context.referee.table.round > 1 for r in t.replicas), seconds=600)
    away = [(a, b) for a in (0, LIAR) for b in (1, 3)]
    table.disconnect(*away)
    table.run(seconds=30)
    table.step(0, inputs.ContinueWithout(bytes(32)))  # the liar says nothing yet
    table.run(seconds=1)
    table.connect(*away)
    number = table.replicas[0].transcript.number
    table.run(lambda t: t.replicas[0].transcript.number > number + 40, seconds=60)
    assert table.replicas[0].transcript.number > number + 40
    table.disconnect(*away)
    table.run(seconds=30)
    table.step(LIAR, inputs.ContinueWithout(bytes([1]) * 32))
    table.run(seconds=1)
    assert not table.of(0, Restarted)


# --- a third body that a liar's status names ------------------------------------------------------

SECOND = 4


def named_twice():
    """A view whose certificate names two messages of a convicted liar for one slot, one of which
    is no part of the proof: none of the two counts. Return the table, at the phase of the view."""
    table = begun(5, seed=b"third")
    honest, later = (0, 1, 3), []

    def owes(t):
        lines = [replica.transcript for replica in t.replicas]
        level = len({line.number for line in lines}) == 1 and lines[0].number > 60
        phase = lines[0].phase
        both = isinstance(phase, CommitPhase) and {LIAR, SECOND} <= phase.needs
        return level and both and all(SECOND in line.missing for line in lines)

    table.run(owes, seconds=600)
    later += [each for each in table.queue if each[0] == each[1] == SECOND]
    for each in later:  # the second liar takes its time
        table.queue.remove(each)
    deliver(table)
    assert all(LIAR in table.replicas[p].transcript.moves[-1] for p in honest)
    table.silent.add(LIAR)
    line, game = table.replicas[0].transcript, table.replicas[0].context.game_id
    true = read(line.moves[-1][LIAR])

    def body(n):
        ((made, sealed),) = true.parts
        return sign(replace(true, parts=((bytes([n]) + made[1:], sealed),)), identity(LIAR), game)

    second, third = body(1), body(2)
    names = tuple(sorted((second.ref, third.ref), key=lambda ref: ref.digest))
    exchange = table.replicas[SECOND]._exchange
    signs = exchange._sign

    def lies(line, said):
        here = isinstance(said, StatusMessage) and said.at == (0, true.phase)
        return signs(line, replace(said, held=names) if here else said)

    exchange._sign = lies
    bring(table, "move", second.plain(), (*honest, SECOND), LIAR)
    deliver(table)
    bring(table, "move", third.plain(), (*honest, SECOND), LIAR)
    deliver(table)
    for p in honest:
        assert set(table.replicas[p].convicted) == {LIAR}
        assert table.replicas[p].transcript.view > 0
        assert table.replicas[p].transcript.number == true.phase
        assert LIAR not in table.replicas[p].transcript.moves[-1]
    return table, later


def goes_on(table, later):
    table.queue += later
    number = table.replicas[1].transcript.number
    table.run(lambda t: min(t.replicas[p].transcript.number for p in (1, 3)) > number + 9, 60)
    assert table.replicas[1].transcript.number > number + 9


def test_a_restarted_program_is_on_the_line_that_it_was_on():
    """A journal holds all that decides what a view has carried: who was restarted plays on."""
    table, later = named_twice()
    table.kill(0)
    table.restart(0)
    goes_on(table, later)
    assert not any(0 in view.lost for view in table.replicas[1].begun)
    assert table.replicas[0].transcript.number > table.replicas[1].transcript.number - 3
