"""A lie on a line that one honest peer alone was on: the others have to convict its author, too."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import pytest

from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.events import ViewChanged
from lanplay_protocol.replica.messages import (
    MOVE,
    STATUS,
    Past,
    PhaseMessage,
    StatusMessage,
    read,
    sign,
)
from lanplay_protocol.replica.other_lines import DEAD_ENDS
from lanplay_protocol.replica.settings import TableSettings
from tests.byzantine.stand_ins import installed
from tests.replica.harness import identity
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, level
from tests.replica.test_lines_left import named

FORKER, LIAR, VICTIM, HONEST = 2, 4, 0, (0, 1, 3)


def name_nothing(table):
    """Let the liar name pasts that nobody has gone to, parts of phases, to all but the victim."""
    for p in HONEST[1:]:
        line = table.replicas[p].transcript
        phases = [n for n in range(10, line.number) if len(line.moves[n]) > 1][: DEAD_ENDS + 1]
        for number in phases:
            one = min(line.moves[number].values(), key=lambda each: each.sender)
            past = Past(MOVE, line.bases[number], (one.ref,))
            said = PhaseMessage(LIAR, number + 1, 50, past, bytes(32), ())
            signed = sign(said, identity(LIAR), table.replicas[p].context.game_id)
            bring(table, "move", signed.plain(), (p,), LIAR)


@pytest.mark.longer_games
@pytest.mark.sweep(2)
@pytest.mark.parametrize(("seed", "names"), [(0, False), (1, False), (0, True)])
def test_a_lie_on_a_line_of_one_convicts_for_all(seed, names):
    """Also where its author ``names`` pasts of nothing first: they use up nothing here."""
    with installed():
        table = begun(5, seed=b"dead%d" % seed, settings=TableSettings(grace=10))
        at, told = [], []

        def two_faced(table, to, move):
            phase = table.replicas[FORKER].phases.get(move.phase)
            if at and move.phase > at[0]:
                return late(table, to, move)
            if move.phase <= 40 or not isinstance(phase, CommitPhase) or move.view:
                return None
            if not at and len(phase.needs) < 5:
                return None
            at[:] = [move.phase]
            if to != VICTIM:
                return None
            (_, sealed), *rest = move.parts
            return [replace(move, parts=((bytes(32), sealed), *rest))]

        def keeps(table, to, move):
            return [] if at and move.phase > at[0] and not move.view else None

        def late(table, to, move):
            return keeps(table, to, move) if to == VICTIM else None

        table.tampers.update({FORKER: two_faced, LIAR: keeps, VICTIM: keeps, 1: late, 3: late})

        def lies(t):
            line = t.replicas[VICTIM].transcript
            if at and (MOVE, LIAR, 0, at[0]) in t.replicas[LIAR]._exchange.signed:
                t.silent.add(LIAR)  # a status of its own would deny its lie
            if at and line.number == at[0] + 1 and not line.view and not told:
                said = PhaseMessage(LIAR, line.number, 0, line.past, line.state, ())
                told.append(sign(said, identity(LIAR), t.replicas[VICTIM].context.game_id))
                bring(t, "move", told[0].plain(), (VICTIM,), LIAR)
            return bool(told)

        if names:
            table.run(lambda t: min(r.transcript.number for r in t.replicas) > 30, seconds=300)
            name_nothing(table)
        table.run(lies, seconds=300)
        assert told
        table.disconnect(*table.pairs(VICTIM))  # else all go over to where it stands
        table.tampers = {LIAR: keeps}
        others = [table.replicas[p] for p in HONEST if p != VICTIM]
        table.run(lambda t: all(r.transcript.number > at[0] + 1 for r in others), seconds=60)
        assert not any(r.convicted for r in others)
        table.connect(*table.pairs(VICTIM))
        table.run(seconds=300)
        lost = {each for p in HONEST for e in table.of(p, ViewChanged) for each in e.lost}
        assert lost == {VICTIM, FORKER, LIAR}
        assert [set(table.replicas[p].convicted) for p in HONEST] == [{FORKER, LIAR}] * 3
        assert all(table.replicas[p].over for p in HONEST)


def test_a_second_body_that_a_status_names_convicts_for_all():
    """The past of the liar's status names one, and a message that hangs on it was told to one
    alone: the proof is the status and the first body, which all get, and not that message."""
    cheat, honest = 3, (0, 1, 2)
    table = begun(4, seed=b"names", settings=TableSettings(grace=10))
    level(table, lambda t: cheat in t.replicas[0].transcript.moves[-2])
    line, game = table.replicas[0].transcript, table.replicas[0].context.game_id
    first = table.replicas[0].line.statements.get(line.moves[-2][cheat].key).said
    second = sign(replace(first, parts=("x",)), identity(cheat), game).ref
    names = tuple(second if ref.sender == cheat else ref for ref in line.past.refs)
    past, at = Past(MOVE, line.past.before, names), (0, line.number)
    status = StatusMessage(cheat, 9, (*honest, cheat), at, past, ())
    beyond = Past(MOVE, past.hash, line.past.refs[:1])
    hangs = PhaseMessage(cheat, line.number, 9, beyond, line.state, ())
    table.silent.add(cheat)
    bring(table, STATUS, sign(status, identity(cheat), game).plain(), (0,), cheat)
    bring(table, MOVE, sign(hangs, identity(cheat), game).plain(), (0,), cheat)
    table.run(seconds=3)
    assert [set(table.replicas[p].convicted) for p in honest] == [{cheat}] * 3
    assert named(table, honest) == [cheat] * 3


@pytest.mark.parametrize("first", ["body", "name"])
def test_whoever_holds_a_body_and_another_name_of_its_slot_convicts(first):
    """In whatever order they come, as the court does that is given both."""
    cheat, honest = 3, (0, 1, 2)
    table = begun(4, seed=b"order", settings=TableSettings(grace=10))
    level(table)
    line, game = table.replicas[0].transcript, table.replicas[0].context.game_id
    place = (cheat, line.number + 9, 0, line.past, line.state)
    one, other = (sign(PhaseMessage(*place, (n,)), identity(cheat), game) for n in range(2))
    status = StatusMessage(cheat, 9, (*honest, cheat), (9, 99), line.past, (other.ref,))
    said = [(MOVE, one), (STATUS, sign(status, identity(cheat), game))]
    for kind, signed in said if first == "body" else said[::-1]:
        bring(table, kind, signed.plain(), honest, cheat)
    assert [set(table.replicas[p].convicted) for p in honest] == [{cheat}] * 3


def test_a_second_body_that_another_one_names_convicts_before_it_counts():
    """One still lacks a liar's message of a phase, and is shown by who has gone on that there is
    another one: the liar's second one would lead it where nobody is."""
    table, late = begun(4, seed=b"named"), 0

    def commits(t):
        line = t.replicas[late].transcript
        return isinstance(line.phase, CommitPhase) and line.phase.seats(FORKER)

    table.run(lambda t: t.replicas[late].transcript.number > 10 and commits(t), seconds=600)
    line = table.replicas[late].transcript
    number = line.number
    while True:  # what others say to it is lost, and it alone is behind
        table.queue = deque(each for each in table.queue if each[1] != late or each[0] == late)
        if not table.queue:
            break
        table._deliver()
    ahead = table.replicas[1].transcript
    assert (line.number, ahead.number) == (number, number + 1)
    assert FORKER in line.missing
    for peer in sorted(line.missing - {FORKER}):
        bring(table, "move", ahead.moves[number][peer].plain(), (late,), peer)
    names = next(s for s in table.replicas[1]._exchange.signed.values() if s.phase == number + 1)
    bring(table, "move", names.plain(), (late,), 1)
    true = ahead.moves[number][FORKER]
    other = replace(read(true), parts=tuple((bytes(32), bytes(64)) for _ in read(true).parts))
    signed = sign(other, identity(FORKER), table.replicas[late].context.game_id)
    bring(table, "move", signed.plain(), (late,), FORKER)
    assert set(table.replicas[late].convicted) == {FORKER}
    assert line.missing == {FORKER}
    bring(table, "move", true.plain(), (late,), 1)
    assert line.past.hash == ahead.past.hash
