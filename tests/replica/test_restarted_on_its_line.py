"""Who is restarted stands where it stood, and knows whom it had convicted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay.games import load
from lanplay_protocol.crypto.sealing import seal
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.finals import Final
from lanplay_protocol.replica.messages import MOVE, Past, StatusMessage, read, sign
from lanplay_protocol.replica.reveals import DealCards
from lanplay_protocol.replica.settings import TableSettings
from tests.replica.harness import Table, identity, received, roster
from tests.replica.test_cut import begun
from tests.replica.test_cut import begun as table_begun
from tests.replica.test_cut_cheats import bring, finish_alike, join, leave, level, status
from tests.replica.test_led_astray import deliver

LIAR, AWAY, FIRST, OTHER, VICTIM, SECOND = 2, 1, 0, 1, 0, 4
OTHERS = (0, 3)
GAME = load("charidice")


def test_who_came_back_past_a_convicted_peer_is_restarted():
    """It was given the proof first, and followed the messages of the liar with which the others
    had gone on; after one of them comes a phase in which nobody says anything."""
    settings = TableSettings(grace=5)
    table = Table(roster(4, settings=settings, game=load("charidice")), seed=b"past")
    table.start()
    level(table)
    table.kill(AWAY)
    number = table.replicas[0].transcript.number

    def on(t):
        numbers = {t.replicas[p].transcript.number for p in (LIAR, *OTHERS)}
        return len(numbers) == 1 and min(numbers) > number + 5

    table.run(on, seconds=60)
    line, game = table.replicas[0].transcript, table.replicas[0].context.game_id
    true = next(moves[LIAR] for moves in reversed(line.moves) if LIAR in moves)
    lie = replace(read(true), state=bytes(32))
    bring(table, "move", sign(lie, identity(LIAR), game).plain(), OTHERS, LIAR)
    assert all(set(table.replicas[p].convicted) == {LIAR} for p in OTHERS)
    table.kill(LIAR)
    table.restart(AWAY)
    table.disconnect((0, AWAY))  # it signs nothing before it has heard from both
    table.run(seconds=3)
    table.connect((0, AWAY))
    table.run(lambda t: AWAY in t.replicas[AWAY].transcript.members, seconds=60)
    assert AWAY in table.replicas[AWAY].transcript.members
    table.kill(AWAY)
    table.restart(AWAY)
    table.run(lambda t: all(t.replicas[p].over for p in (*OTHERS, AWAY)), seconds=2000)
    assert all(table.replicas[p].over for p in (*OTHERS, AWAY))


@pytest.mark.parametrize("shown", [False, True])
def test_who_went_back_from_a_view_to_the_end_has_it_after_a_restart(shown):
    """A liar says farewell once one has its final: the other one has begun the view without the
    liar, alone, and ends with what it is shown. Then it is restarted before its end is kept as a
    record, and the one that showed it is gone: its journal is all that it needs. A status of the
    liar may have shown it that end before, which no journal keeps."""
    table = Table(roster(3, game=GAME), seed=b"back")
    finals = []

    def held_back(t, to, move):
        if not isinstance(t.replicas[LIAR].phases[move.phase], Final):
            return None
        finals.append(move)
        return []

    table.tampers[LIAR] = held_back
    table.start()
    honest = [table.replicas[p] for p in (FIRST, OTHER)]
    table.run(lambda t: finals and all(isinstance(r.transcript.phase, Final) for r in honest), 3000)
    deliver(table)
    table.silent.add(LIAR)
    leave(table, to=(FIRST, OTHER), author=LIAR)
    for each in [each for each in table.queue if each[1] == OTHER]:
        table.queue.remove(each)
        table.step(OTHER, received(each[0], each[2]))
    assert [r.transcript.view for r in honest] == [0, 1]
    final = sign(finals[0], identity(LIAR), honest[0].context.game_id)
    bring(table, MOVE, final.plain(), (FIRST,), LIAR)
    end = honest[0].transcript.past
    if shown:
        join(table, 9, (0, 1, 2), (OTHER,), LIAR, past=end, at=honest[0].transcript.at, held=())
    table.run(lambda t: t.is_over(), seconds=30)
    assert all(replica.over for replica in honest)
    assert (end.hash in honest[1].line.statements.shows) == shown
    table.kill(FIRST)
    table.restart(OTHER)
    again = table.replicas[OTHER]
    assert again.over
    assert again.context.transcript_hash == honest[1].context.transcript_hash


def test_a_verdict_that_was_cut_off_behind_its_evidence_is_found_again():
    """The power fails between two entries: others convict by what this peer shows them."""
    table = begun(3, seed=b"torn")
    level(table)
    table.silent.add(LIAR)
    for members in ((0, 1, 2), (0, 2)):
        word = status(table, 5, members, LIAR, LIAR)
        bring(table, "status", word.plain(), (VICTIM,), LIAR)
    assert table.replicas[VICTIM].convicted
    table.kill(VICTIM)
    entries, _ = table.disks[VICTIM][-1]
    cut = [kind for kind, _ in entries].index("verdict")
    table.disks[VICTIM][-1] = entries[:cut], True
    table.restart(VICTIM)
    table.run(lambda t: t.replicas[OTHER].convicted, seconds=30)
    assert all(table.replicas[p].convicted.keys() == {LIAR} for p in (VICTIM, OTHER))


def named_twice():
    """A view whose certificate names two messages of a convicted liar for one slot, one of which
    is no part of the proof: none of the two counts. Return the table, at the phase of the view."""
    table = table_begun(5, seed=b"third")
    honest, later = (0, 1, 3), []

    def owes(t):
        lines = [replica.transcript for replica in t.replicas]
        level = len({line.number for line in lines}) == 1 and lines[0].number > 60
        phase = lines[0].phase
        both = isinstance(phase, CommitPhase) and {LIAR, SECOND} <= phase.needs
        return level and both and all(SECOND in line.missing for line in lines)

    table.run(owes, seconds=600)
    assert owes(table)
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


def withheld(table, author, kind, to):
    """Let a peer send some nothing from a phase of a kind on; return what the first does not get:
    its own part of the phase, and what follows."""
    kept = []

    def tamper(table, receiver, move):
        phase = table.replicas[author].phases[move.phase]
        if kept or (isinstance(phase, kind) and phase.needs >= {OTHER, LIAR}):
            kept.extend([move] if receiver == to[0] else [])
        return [] if kept and receiver in to else None

    table.tampers[author] = tamper
    return kept


def lie(table, true):
    """Return something else than a message of the liar's: another choice, or an empty box."""
    phase, context = table.replicas[LIAR].phases[true.phase], table.replicas[LIAR].context
    if isinstance(phase, CommitPhase):
        ((made, sealed),) = true.parts
        return replace(true, parts=((bytes(len(made)), sealed),))
    label = phase.label(true.previous, true.phase, LIAR)
    return replace(true, parts=seal(context.publics[VICTIM], bytes(phase._size), label, bytes(32)))


@pytest.mark.parametrize("kind", [CommitPhase, DealCards])
def test_who_had_counted_a_lie_before_its_verdict_is_restarted_where_it_stood(kind):
    """The other one was told something else, and goes on with that. An empty box convicts as soon
    as it comes, here as the last of its phase; of two choices the message convicts that names the
    second one, while something else of the phase is missing."""
    table = table_begun(3, seed=b"told two 22")
    kept = withheld(table, LIAR, kind, (VICTIM, OTHER))
    others = withheld(table, OTHER, kind, (VICTIM,))
    table.run(lambda t: kept and others, seconds=30)
    deliver(table)
    victim, game, true = table.replicas[VICTIM], table.replicas[0].context.game_id, kept[0]
    assert victim.transcript.missing == {OTHER, LIAR}

    def says(author, said, to):
        bring(table, MOVE, sign(said, identity(author), game).plain(), (to,), author)

    if kind is DealCards:
        says(OTHER, others[0], VICTIM)
    says(LIAR, lie(table, true), VICTIM)
    says(LIAR, true, OTHER)
    for move in reversed(others):
        says(OTHER, move, VICTIM)
    says(LIAR, true, VICTIM)
    assert set(victim.convicted) == {LIAR}
    assert victim.transcript.number > true.phase
    table.tampers.clear()
    table.silent.add(LIAR)
    table.kill(VICTIM)
    table.restart(VICTIM)
    assert table.replicas[VICTIM].transcript.past.hash == victim.transcript.past.hash
    finish_alike(table, (VICTIM, OTHER))


def test_a_journal_that_turns_to_what_is_not_there_is_no_game():
    """It is told which entry is wrong, and nothing is played from it."""
    table = table_begun(3, seed=b"turn")
    level(table)
    table.kill(FIRST)
    turn = Past(MOVE, table.replicas[FIRST].transcript.past.hash, ())  # of which nobody is missing
    table.disks[FIRST].append(((("turn", turn.plain()),), True))
    with pytest.raises(ValueError, match="a turn that follows from nothing"):
        table.restart(FIRST)
